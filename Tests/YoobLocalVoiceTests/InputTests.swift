import RunAnywhere
import Testing
import VoiceAudio
import VoiceIO
import YoobTesting
import YoobWire

@testable import YoobLocalVoice

@Suite("Sound of a remote user")
struct InputTests {
  /// An agent whose time and tasks the test moves.
  private final class Bench: Sendable {
    let clock = ManualClock()
    let executor = ManualExecutor()
    let stt: ScriptedStt
    let agent: LocalVoiceAgent
    private let seen = Guarded<[SpeechAgentEvent]>([])

    init(transcript: String = "what time is it", detectsTurns: Bool = true) {
      stt = ScriptedStt(["A": transcript], clock: clock)
      let llm = ScriptedLlm(clock: clock) { _ in "It is noon." }
      let tts = ScriptedTts(sampleRate: 24_000, clock: clock)
      var configuration = SpeechAgentConfiguration()
      configuration.detectsTurns = detectsTurns
      let executor = executor
      agent = LocalVoiceAgent(
        engines: VoiceEngines(vad: ScriptedVad(), stt: stt, llm: llm, tts: tts),
        configuration: configuration, generation: LlmOptions(), visemes: nil, clock: clock,
        tasks: TaskSpawner { body in Task(executorPreference: executor) { await body() } })
      let events = agent.events
      executor.task { [seen] in
        for await event in events { seen.withLock { $0.append(event) } }
      }
      run { try await $0.start() }
    }

    var events: [SpeechAgentEvent] { seen.withLock { $0 } }
    var finals: [String] {
      events.compactMap { if case .userTranscript(let text, true) = $0 { text } else { nil } }
    }

    func run(_ body: @escaping @Sendable (LocalVoiceAgent) async throws -> Void) {
      executor.task { [agent] in try await body(agent) }
      executor.drain()
    }

    /// Sound in packets of 20 ms while time goes on.
    func hear(_ letter: Character, milliseconds: Int) {
      let packet = PCM16.encode([Float](repeating: ScriptedSound.level(of: letter), count: 480))
      for _ in 0..<(milliseconds / 20) {
        pass(milliseconds: 20)
        agent.appendAudio(packet)
        executor.drain()
      }
    }

    /// Time goes on and the client sends nothing.
    func pass(milliseconds: Int) {
      for _ in 0..<(milliseconds / 20) {
        clock.advance(by: 0.02)
        executor.drain()
      }
    }
  }

  @Test("a user who mutes behind the question is answered")
  func muted() {
    let bench = Bench()
    bench.hear("A", milliseconds: 1200)
    bench.pass(milliseconds: 1500)
    #expect(bench.finals == ["what time is it"])
    #expect(bench.events.contains { if case .responseAudio = $0 { true } else { false } })
  }

  @Test("the silence that stands in is bounded, and none comes outside a turn")
  func bounded() {
    let bench = Bench()
    bench.hear("A", milliseconds: 1200)
    bench.pass(milliseconds: 20_000)
    #expect(bench.clock.pendingCount == 0)
    #expect(bench.finals.count == 1)
  }

  @Test("after such silence the places of speech are still the user's")
  func places() {
    let bench = Bench()
    bench.hear("A", milliseconds: 1200)
    bench.pass(milliseconds: 6000)
    bench.hear(".", milliseconds: 1000)
    bench.hear("A", milliseconds: 1200)
    let starts = bench.events.compactMap { if case .speechStarted(let ms) = $0 { ms } else { nil } }
    #expect(starts.count == 2)
    #expect(starts.last.map { abs($0 - 2200) <= 350 } == true)
  }

  @Test("each commit has a transcript, an empty one where the agent finds the turns")
  func commitWithDetection() {
    let bench = Bench()
    bench.run { await $0.commitAudio() }
    #expect(bench.events == [.userTranscript(text: "", isFinal: true)])
  }

  @Test("a commit that is not understood has an error and an empty transcript")
  func failedCommit() {
    let bench = Bench(detectsTurns: false)
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
    let bench = Bench(transcript: "[BLANK_AUDIO]", detectsTurns: false)
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
