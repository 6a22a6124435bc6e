import Testing
import VoiceIO

@Suite("Manual clock")
struct ManualClockTests {
  @Test("calls are made in the order of their times")
  func order() {
    let clock = ManualClock()
    let seen = Guarded<[Int]>([])
    clock.schedule(at: 0.2) { seen.withLock { $0.append(2) } }
    clock.schedule(at: 0.1) { seen.withLock { $0.append(1) } }
    clock.advance(by: 0.3)
    #expect(seen.withLock { $0 } == [1, 2])
  }
}
