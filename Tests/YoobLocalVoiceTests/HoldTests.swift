import Testing
import YoobTesting
import YoobWire

@testable import YoobLocalVoice

/// Somebody speaks while the reply is heard far away.
@Suite("Held replies of the agent")
struct HoldTests {
  private static let reply = "One two three four five six seven eight nine ten eleven twelve."

  /// The reply has been heard for a second.
  private func speaking(wantsHolds: Bool) -> AgentBench {
    let bench = AgentBench(reply: Self.reply, wantsHolds: wantsHolds)
    bench.hear("A", milliseconds: 800)
    bench.hear(".", milliseconds: 1800)
    return bench
  }

  private func holds(_ bench: AgentBench) -> [Bool] {
    bench.events.compactMap { if case .responseHeld("reply1", let isHeld) = $0 { isHeld } else { nil } }
  }

  private func endings(_ bench: AgentBench) -> [ResponseStatus] {
    bench.events.compactMap { if case .responseFinished("reply1", let status) = $0 { status } else { nil } }
  }

  @Test("a listener that heeds holds is told of both ends, and the reply is completed")
  func goesOn() {
    let bench = speaking(wantsHolds: true)
    bench.hear("M", milliseconds: 600)
    bench.hear(".", milliseconds: 4000)
    #expect(holds(bench) == [true, false])
    #expect(endings(bench) == [.completed])
    #expect(bench.starts.count == 1)
  }

  @Test("words end the held reply")
  func words() {
    let bench = speaking(wantsHolds: true)
    bench.hear("B", milliseconds: 1000)
    bench.hear(".", milliseconds: 1000)
    #expect(holds(bench) == [true])
    #expect(endings(bench) == [.cancelled(reason: "turn_detected")])
    #expect(bench.finals.last == "no stop that now")
    #expect(bench.starts.count == 2)
  }

  @Test("for a listener that does not, voice ends the reply at once")
  func withoutHolds() {
    let bench = speaking(wantsHolds: false)
    bench.hear("M", milliseconds: 600)
    #expect(holds(bench) == [])
    #expect(endings(bench) == [.cancelled(reason: "turn_detected")])
  }
}
