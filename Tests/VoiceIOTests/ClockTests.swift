import Testing
import VoiceIO

@Suite("Clocks")
struct ClockTests {
  @Test("calls are made in the order of their times, at their times")
  func order() {
    let clock = ManualClock()
    let seen = Guarded<[Double]>([])
    for time in [0.2, 0.1, 0.5] {
      clock.schedule(at: time) { seen.withLock { $0.append(clock.now) } }
    }
    clock.advance(by: 0.3)
    #expect(seen.withLock { $0 } == [0.1, 0.2])
    #expect(clock.pendingCount == 1)
  }

  @Test("a call that is made asks for another one in the same stretch of time")
  func chain() {
    let clock = ManualClock()
    let count = Guarded(0)
    @Sendable func next() {
      count.withLock { $0 += 1 }
      clock.schedule(at: clock.now + 0.1) { next() }
    }
    clock.schedule(at: 0.1) { next() }
    clock.advance(by: 1.05)
    #expect(count.withLock { $0 } == 10)
  }

  @Test("a cancelled call is not made")
  func cancel() {
    let clock = ManualClock()
    let isMade = Guarded(false)
    clock.schedule(at: 0.1) { isMade.withLock { $0 = true } }.cancel()
    clock.advance(by: 1)
    #expect(!isMade.withLock { $0 })
  }

  @Test("a call for a time that has passed is made at once")
  func past() {
    let clock = ManualClock()
    let isMade = Guarded(false)
    clock.schedule(at: -1) { isMade.withLock { $0 = true } }
    #expect(isMade.withLock { $0 })
  }

  @Test("a cancelled sleep ends at once")
  func cancelledSleep() async {
    let clock = ManualClock()
    let sleeper = Task { await clock.sleep(for: 100) }
    sleeper.cancel()
    await sleeper.value
  }

  @Test("the machine's clock makes a call and does not go back")
  func real() async {
    let clock = MonotonicClock()
    let before = clock.now
    await clock.sleep(for: 0.001)
    #expect(clock.now >= before + 0.001)
  }
}
