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

  @Test("the machine's clock makes its calls in the order of their times, those of one time as they came")
  func orderOfCalls() async {
    let clock = MonotonicClock()
    let made = Guarded<[Int]>([])
    let done = OneShot()
    let start = clock.now + 0.03
    clock.schedule(at: start + 0.02) { made.withLock { $0.append(3) } }
    clock.schedule(at: start) { made.withLock { $0.append(1) } }
    clock.schedule(at: start) { made.withLock { $0.append(2) } }
    let cancelled = clock.schedule(at: start + 0.01) { made.withLock { $0.append(9) } }
    clock.schedule(at: start + 0.03) { done.fire() }
    clock.schedule(at: .infinity) { made.withLock { $0.append(8) } }.cancel()
    cancelled.cancel()
    cancelled.cancel()
    await done.value()
    #expect(made.withLock { $0 } == [1, 2, 3])
  }

  @Test(
    "calls that come from many threads, and from calls, are all made, and one that was taken back lets go")
  func manyCalls() async {
    final class Held: Sendable {}
    let clock = MonotonicClock()
    let count = Guarded(0)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<50 {
            let done = OneShot()
            clock.schedule(at: clock.now + Double((task * step) % 7) / 5000) {
              clock.schedule(at: -1) {
                count.withLock { $0 += 1 }
                done.fire()
              }
            }
            await done.value()
          }
        }
      }
    }
    #expect(count.withLock { $0 } == 400)
    var held: Held? = Held()
    weak var seen = held
    let timer = clock.schedule(at: clock.now + 1000) { [held] in _ = held }
    held = nil
    #expect(seen != nil)
    timer.cancel()
    #expect(seen == nil)
  }
}
