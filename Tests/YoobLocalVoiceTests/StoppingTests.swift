import Testing
import YoobWire

@testable import YoobLocalVoice

@Suite("Stopping an agent")
struct StoppingTests {
  enum Stage: CaseIterable {
    case hearing, transcribing, thinking, speaking

    /// What was told of the turn by then, and at the stop.
    var kinds: [String] {
      switch self {
      case .hearing: ["speech"]
      case .transcribing: ["speech", "silence"]
      case .thinking: ["speech", "partial", "silence", "transcript", "response", "end cancelled"]
      case .speaking:
        ["speech", "partial", "silence", "transcript", "response", "text", "audio", "end cancelled"]
      }
    }
  }

  private static func kind(_ event: SpeechAgentEvent) -> String? {
    switch event {
    case .speechStarted: "speech"
    case .speechStopped: "silence"
    case .userTranscript(_, let isFinal): isFinal ? "transcript" : "partial"
    case .turnReopened: "reopened"
    case .responseStarted: "response"
    case .responseText: "text"
    case .responseAudio: "audio"
    case .responseWords, .responseVisemes, .responseProsody, .responseHeld, .metrics: nil
    case .responseFinished(_, .cancelled): "end cancelled"
    case .responseFinished: "end"
    case .error: "error"
    }
  }

  /// The kinds of the events, repetitions left out.
  private func kinds(_ bench: AgentBench) -> [String] {
    bench.events.compactMap(Self.kind).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  private func bench(at stage: Stage) -> AgentBench {
    let bench = AgentBench(
      sttDelay: stage == .transcribing ? 5 : 0, llmDelay: stage == .thinking ? 5 : 0)
    bench.hear("A", milliseconds: stage == .hearing ? 400 : 1200)
    if stage != .hearing { bench.hear(".", milliseconds: 1000) }
    return bench
  }

  @Test("what was begun is ended in its order, and nothing follows the end", arguments: Stage.allCases)
  func order(stage: Stage) {
    let bench = bench(at: stage)
    bench.run { await $0.close() }
    bench.pass(milliseconds: 6000)
    #expect(bench.isEnded)
    #expect(kinds(bench) == stage.kinds)
  }

  @Test("a second stop changes nothing, and calls after it come to nothing", arguments: Stage.allCases)
  func again(stage: Stage) {
    let bench = bench(at: stage)
    bench.run { await $0.close() }
    bench.pass(milliseconds: 6000)
    let events = bench.events
    bench.run { agent in
      await agent.close()
      await agent.send(text: "hello")
      await agent.respond(instructions: nil)
      await agent.interrupt(heardMs: 100)
      await agent.correctHeard(ms: 100)
    }
    bench.hear("A", milliseconds: 600)
    bench.pass(milliseconds: 2000)
    #expect(bench.events == events)
  }

  @Test("a late word on what was heard of a reply does not stop the next one")
  func lateCorrection() {
    let bench = AgentBench()
    bench.run { await $0.send(text: "hello") }
    bench.pass(milliseconds: 400)
    bench.run { await $0.interrupt(heardMs: nil) }
    bench.run { await $0.send(text: "again") }
    bench.pass(milliseconds: 200)
    #expect(bench.events.contains { if case .responseAudio("reply2", _) = $0 { true } else { false } })
    bench.run { await $0.correctHeard(ms: 100) }
    bench.pass(milliseconds: 3000)
    #expect(bench.events.contains(.responseFinished(responseID: "reply2", status: .completed)))
  }
}
