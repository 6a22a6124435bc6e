import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobTesting
import YoobWire

@testable import YoobLocalVoice

/// An agent whose time and tasks the test moves.
final class AgentBench: Sendable {
  let clock = ManualClock()
  let executor = ManualExecutor()
  let stt: ScriptedStt
  let agent: LocalVoiceAgent
  private let seen = Guarded<[SpeechAgentEvent]>([])

  private let seenEnd = Guarded(false)

  /// Delays in seconds.
  init(
    transcript: String = "what time is it", detectsTurns: Bool = true, sttDelay: Double = 0,
    llmDelay: Double = 0, reply: String = "It is noon.", wantsHolds: Bool = false
  ) {
    stt = ScriptedStt(
      ["A": transcript, "M": "mm-hm", "B": "no stop that now"], delay: sttDelay, clock: clock)
    let llm = ScriptedLlm(firstTokenDelay: llmDelay, clock: clock) { _ in reply }
    let tts = ScriptedTts(sampleRate: 24_000, clock: clock)
    var configuration = SpeechAgentConfiguration()
    configuration.detectsTurns = detectsTurns
    configuration.wantsHolds = wantsHolds
    let executor = executor
    agent = LocalVoiceAgent(
      engines: VoiceEngines(vad: ScriptedVad(), stt: stt, llm: llm, tts: tts),
      configuration: configuration, generation: LlmOptions(), visemes: nil, clock: clock,
      tasks: TaskSpawner { body in Task(executorPreference: executor) { await body() } })
    let events = agent.events
    executor.task { [seen, seenEnd] in
      for await event in events { seen.withLock { $0.append(event) } }
      seenEnd.withLock { $0 = true }
    }
    run { try await $0.start() }
  }

  /// All events so far, and whether their stream has ended.
  var isEnded: Bool { seenEnd.withLock { $0 } }
  var events: [SpeechAgentEvent] { seen.withLock { $0 } }
  var finals: [String] {
    events.compactMap { if case .userTranscript(let text, true) = $0 { text } else { nil } }
  }

  /// Where the user began to speak, in milliseconds.
  var starts: [Int] {
    events.compactMap { if case .speechStarted(let ms) = $0 { ms } else { nil } }
  }

  func run(_ body: @escaping @Sendable (LocalVoiceAgent) async throws -> Void) {
    executor.task { [agent] in try await body(agent) }
    executor.drain()
  }

  /// Sound in packets of 20 ms, all at once.
  func burst(_ letter: Character, milliseconds: Int) {
    let packet = PCM16.encode([Float](repeating: ScriptedSound.level(of: letter), count: 480))
    for _ in 0..<(milliseconds / 20) { agent.appendAudio(packet) }
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
