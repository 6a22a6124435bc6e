import RunAnywhere
import Testing
import VoiceIO
import YoobTesting

@Suite("Turns")
struct TurnTests {
  @Test("a question is transcribed, answered and heard, in this order")
  func question() throws {
    let bench = SessionBench(transcripts: ["A": "how are you today"]) { _ in
      "I am fine. Thank you for asking."
    }
    try bench.session.start()
    bench.hear("..AAAAAAAAAA")
    bench.listen(upTo: 5000) { false }
    print(Timeline.agent(bench.sink, seconds: 6))
    print(bench.diagnostics)
    #expect(
      Timeline.events(bench.events) == [
        "listening", "speech started", "partial: how are you", "partial: how are you today",
        "speech ended", "final: how are you today",
        "thinking", "reply: I am fine. Thank you for asking.", "speaking", "listening",
      ])
  }
}
