import Testing

@testable import YoobNet

@Suite("The least rate of an answer")
struct RateWindowTests {
  private let rate = LeastRate(bytes: 100, in: 10)

  @Test("a window that brought enough is followed by the next; one that did not is over")
  func windows() {
    var window = RateWindow(rate, at: 5)
    #expect(window.deadline(at: 14) == 15)
    window.take(100)
    #expect(window.deadline(at: 14) == 15)
    #expect(window.deadline(at: 16) == 26)
    #expect(window.bytes == 0)
    window.take(99)
    #expect(window.deadline(at: 26) == 26)
    #expect(window.bytes == 99)
  }

  @Test("what came fast before does not count later")
  func burst() {
    var window = RateWindow(rate, at: 0)
    window.take(1_000_000)
    #expect(window.deadline(at: 10) == 20)
    #expect(window.deadline(at: 20) == 20)
  }

  @Test("time in which the receiver is busy does not count")
  func pause() {
    var window = RateWindow(rate, at: 0)
    window.take(1)
    window.reopen(at: 100)
    #expect(window.deadline(at: 100) == 110)
    #expect(window.bytes == 0)
  }
}
