import RunAnywhere
import Testing
import VoiceAudio
import VoiceIO
import YoobTesting
import YoobWire

@testable import YoobLocalVoice

@Suite("Sound of a remote user")
struct InputTests {
  @Test("a user who mutes behind the question is answered")
  func muted() {
    let bench = AgentBench()
    bench.hear("A", milliseconds: 1200)
    bench.pass(milliseconds: 1500)
    #expect(bench.finals == ["what time is it"])
    #expect(bench.events.contains { if case .responseAudio = $0 { true } else { false } })
  }

  @Test("the silence that stands in is bounded, and none comes outside a turn")
  func bounded() {
    let bench = AgentBench()
    bench.hear("A", milliseconds: 1200)
    bench.pass(milliseconds: 20_000)
    #expect(bench.clock.pendingCount == 0)
    #expect(bench.finals.count == 1)
  }

  @Test("a network that stalls for a moment in a turn and then sends all adds no silence to it")
  func stall() throws {
    let bench = AgentBench()
    bench.hear("A", milliseconds: 600)
    bench.pass(milliseconds: 300)
    bench.burst("A", milliseconds: 300)
    bench.hear("A", milliseconds: 400)
    bench.hear(".", milliseconds: 1500)
    #expect(bench.finals == ["what time is it"])
    let heard = try #require(bench.stt.calls.last)
    let first = try #require(heard.firstIndex { abs($0) > 0.01 })
    let last = try #require(heard.lastIndex { abs($0) > 0.01 })
    #expect(!heard[first...last].contains { abs($0) < 0.001 })
    #expect(abs(last - first - 16 * 1300) < 160)
  }

  @Test("a turn that came in one piece is answered as one that came at its pace")
  func lateTurn() {
    let bench = AgentBench()
    bench.burst(".", milliseconds: 1000)
    bench.burst("A", milliseconds: 1200)
    bench.burst(".", milliseconds: 1500)
    bench.pass(milliseconds: 1000)
    #expect(bench.finals == ["what time is it"])
    #expect(bench.starts.count == 1)
  }

  @Test("after such silence the places of speech are still the user's")
  func places() {
    let bench = AgentBench()
    bench.hear("A", milliseconds: 1200)
    bench.pass(milliseconds: 6000)
    bench.hear(".", milliseconds: 1000)
    bench.hear("A", milliseconds: 1200)
    #expect(bench.starts.count == 2)
    #expect(bench.starts.last.map { abs($0 - 2200) <= 350 } == true)
  }

  @Test("each commit has a transcript, an empty one where the agent finds the turns")
  func commitWithDetection() {
    let bench = AgentBench()
    bench.run { await $0.commitAudio() }
    #expect(bench.events == [.userTranscript(text: "", isFinal: true)])
  }

  @Test("a commit that is not understood has an error and an empty transcript")
  func failedCommit() {
    let bench = AgentBench(detectsTurns: false)
    bench.stt.fail(SDKException(.processingFailed, category: .component, "x"))
    bench.hear("A", milliseconds: 500)
    bench.run { await $0.commitAudio() }
    guard case .error("transcription_failed", _, false) = bench.events.first else {
      Issue.record("no error: \(bench.events)")
      return
    }
    #expect(bench.events.last == .userTranscript(text: "", isFinal: true))
    #expect(bench.events.count == 2)
  }

  @Test("what a recognizer writes for noise is no message of a turn that the client ends")
  func noise() {
    let bench = AgentBench(transcript: "[BLANK_AUDIO]", detectsTurns: false)
    bench.hear("A", milliseconds: 500)
    bench.run { await $0.commitAudio() }
    #expect(bench.finals == [""])
  }

  @Test("packets of a few samples count in full")
  func smallPackets() {
    var input = InputPlaces()
    for _ in 0..<1000 { input.hear(36) }
    #expect(input.milliseconds == 1500)
  }

  @Test("places shift by what was withheld and what was put in")
  func shifts() {
    var input = InputPlaces()
    input.hear(24_000)
    input.withhold(48_000)
    input.hear(24_000)
    for _ in 0..<10 { input.insert(2400) }
    input.hear(24_000)
    #expect(input.milliseconds(atSessionSample: 8000) == 500)
    #expect(input.milliseconds(atSessionSample: 24_000) == 3500)
    #expect(input.milliseconds(atSessionSample: 56_000) == 4500)
    #expect(input.milliseconds == 5000)
  }
}
