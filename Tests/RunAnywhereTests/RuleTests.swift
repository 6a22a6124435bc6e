import RunAnywhere
import Testing
import YoobTesting

/// What users of voice agents have met elsewhere, and must not meet here.
@Suite("Rules of a conversation")
struct RuleTests {
  private func bench() throws -> SessionBench {
    let bench = SessionBench(transcripts: ["A": "tell me a story", "B": "stop it now please"]) { messages in
      messages.last?.content.contains("story") == true
        ? "One two three four five six. Seven eight nine ten." : "All right."
    }
    try bench.session.start()
    return bench
  }

  @Test("the beginning of speech is told before its words, once, and has its end")
  func onsetIsTold() throws {
    let bench = try bench()
    bench.hear("..AAAAAAAAAA..............................BBBBBBBBBB....................")
    let marks = bench.events.compactMap { event -> Character? in
      switch event {
      case .speechStarted: "("
      case .speechEnded: ")"
      case .userTranscribed(_, let isFinal): isFinal ? "F" : "p"
      default: nil
      }
    }
    #expect(String(marks.filter { $0 != "p" }) == "()F()F")
    let onsets = bench.diagnostics.compactMap {
      if case .speechOnset(let sample) = $0 { sample } else { nil }
    }
    #expect(onsets.count == 2)
    // 200 ms of silence, then speech; windows are 32 ms.
    #expect(abs((onsets.first ?? 0) - 3_200) <= 512)
  }

  @Test("the last word that is written is not the end of the sound: she speaks until all was heard")
  func writtenIsNotHeard() throws {
    let bench = try bench()
    bench.hear("..AAAAAAAAAA..................................................")
    let sound = try #require(bench.sink.segments.last)
    let end = sound.start + sound.clip.duration
    let lastWord = try #require(
      bench.timedEvents.last { if case .agentResponse = $0.event { true } else { false } }?.time)
    let listening = try #require(bench.timedEvents.last { $0.event == .agentStateChanged(.listening) }?.time)
    #expect(lastWord < end - 1)
    #expect(listening >= end - 1e-6 && listening <= end + 0.1)
  }

  @Test("after several interruptions the next answer is heard in full, and nobody speaks after being stopped")
  func manyInterruptions() throws {
    let bench = try bench()
    for _ in 0..<4 {
      bench.hear("AAAAAAAAAA")
      #expect(bench.listen(upTo: 4000) { bench.isSpeaking })
      bench.hear("...")
      bench.session.interrupt()
      bench.hear(".")
      let sound = bench.soundingSamples
      bench.hear("....................")
      #expect(bench.soundingSamples == sound)
    }
    bench.hear("AAAAAAAAAA........................................")
    #expect(bench.session.history.last?.content == "One two three four five six. Seven eight nine ten.")
  }

  @Test("a typed message is answered, and one that comes in between stops the answer at once")
  func typed() throws {
    let bench = try bench()
    let session = bench.session
    bench.perform { await session.send(text: "tell me a story") }
    bench.hear("..........")
    bench.perform { await session.send(text: "enough") }
    bench.hear("...............")
    #expect(
      bench.timeline == """
        user  .........................
        agent ..========.====..........
        state TTSSSSSSSTTSSSSLLLLLLLLLL
        event F........F...............
        """)
  }

  @Test("silence before, between and behind makes no sound and no event")
  func silence() throws {
    let bench = try bench()
    bench.hear(".....")
    bench.wait(milliseconds: 300)
    bench.hear("..B.....")
    #expect(
      bench.timeline == """
        user  .....   ..B.....
        agent ................
        state LLLLLLLLLLLLLLLL
        event ................
        """)
  }
}
