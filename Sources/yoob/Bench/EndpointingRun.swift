import RunAnywhere
import VoiceIO
import YoobTesting

/// A session that hears one recorded turn on a clock that waits for the engines: each answers after
/// a fixed time of that clock, however long it took, so that runs are repeatable and need no real time.
@available(macOS 15, iOS 18, *)
final class EndpointingRun {
  /// Work of the engines on the session's clock, in seconds.
  static let sttSeconds = 0.15
  static let turnSeconds = 0.1
  static let judgementSeconds = 0.02
  /// Sound after the recording, in seconds.
  private static let tail = 4.5

  /// Times in seconds of the recording.
  struct Result {
    /// When turns were taken.
    var taken: [Double] = []
    /// When the agent began to be heard.
    var heard: [Double] = []
  }

  private let clock = ManualClock()
  private let executor = ManualExecutor()
  private let engines: PatientEngines
  private let options: TurnHandlingOptions
  private let result = Guarded(Result())

  init(_ engines: PatientEngines, _ options: TurnHandlingOptions) {
    self.engines = engines
    self.options = options
  }

  /// Plays the turn and what follows; `listensToSound` gives the session the turn detector,
  /// `judgesMeaning` a model that tells whether the message is whole.
  func hear(_ samples: [Float], listensToSound: Bool, judgesMeaning: Bool) throws -> Result {
    let microphone = PushMicrophone()
    let executor = executor
    var devices = VoiceDevices(microphone: microphone, sink: RecordingSink(clock: clock), clock: clock)
    devices.tasks = TaskSpawner { body in Task(executorPreference: executor) { await body() } }
    let session = RunAnywhere.voice.createSession(
      engines: engines.engines(
        clock, listensToSound: listensToSound, judgesMeaning: judgesMeaning),
      turnHandling: options, generation: Luna.generation, devices: devices)
    let (events, clock) = (session.events, clock)
    let origin = clock.now
    executor.task { [result] in
      for try await event in events {
        let time = clock.now - origin
        if case .userTranscribed(_, isFinal: true) = event { result.withLock { $0.taken.append(time) } }
        if case .agentStateChanged(.speaking) = event { result.withLock { $0.heard.append(time) } }
      }
    }
    try session.start()
    // The room's noise goes on.
    let room = Array(samples.prefix(8_000))
    let tail = (0..<Int(Self.tail * 16_000)).map { room.isEmpty ? 0 : room[$0 % room.count] }
    let sound = samples + tail
    for start in stride(from: 0, to: sound.count, by: 320) {
      settle()
      clock.advance(by: 0.02)
      settle()
      microphone.push(Array(sound[start..<min(start + 320, sound.count)]), sampleRate: 16_000)
    }
    settle()
    let isClosed = Guarded(false)
    executor.task {
      await session.close()
      isClosed.withLock { $0 = true }
    }
    while !isClosed.withLock({ $0 }) {
      settle()
      clock.advance(by: 0.02)
    }
    return result.withLock { $0 }
  }

  /// Runs what can run at this time.
  private func settle() { executor.drain { engines.isBusy } }
}

/// Real engines that remember what they answered, and say whether they are at work.
final class PatientEngines: Sendable {
  private let vad: any VadEngine
  private let stt: any SttEngine
  private let turn: any TurnDetector
  private let llm: any LlmEngine
  private let busy = Guarded(0)
  private let texts = Guarded<[[Float]: Transcription]>([:])
  private let answers = Guarded<[[Float]: Float]>([:])
  private let likelihoods = Guarded<[String: Float]>([:])

  /// `llm` judges whether a message is whole; replies are scripted.
  init(vad: any VadEngine, stt: any SttEngine, turn: any TurnDetector, llm: any LlmEngine) {
    self.vad = vad
    self.stt = stt
    self.turn = turn
    self.llm = llm
  }

  var isBusy: Bool { busy.withLock { $0 } > 0 }

  func engines(
    _ clock: any PacingClock, listensToSound: Bool, judgesMeaning: Bool
  ) -> VoiceEngines {
    let writer = ScriptedLlm(firstTokenDelay: 0.06, clock: clock) { _ in "I see." }
    return VoiceEngines(
      vad: vad, stt: PatientStt(engines: self, clock: clock),
      llm: judgesMeaning ? PatientJudge(engines: self, writer: writer, clock: clock) : writer,
      tts: ScriptedTts(delay: 0.07, clock: clock),
      turn: listensToSound ? PatientTurnDetector(engines: self, clock: clock) : nil)
  }

  /// Forgets the answers; a turn's are wanted by every way of hearing it and by no other turn.
  func forget() {
    texts.withLock { $0 = [:] }
    answers.withLock { $0 = [:] }
    likelihoods.withLock { $0 = [:] }
  }

  fileprivate func text(_ samples: [Float], _ options: SttOptions) async throws -> Transcription {
    if let known = texts.withLock({ $0[samples] }) { return known }
    busy.withLock { $0 += 1 }
    defer { busy.withLock { $0 -= 1 } }
    let text = try await stt.transcribe(samples, options: options)
    texts.withLock { $0[samples] = text }
    return text
  }

  fileprivate func completeness(_ samples: [Float]) async throws -> Float {
    if let known = answers.withLock({ $0[samples] }) { return known }
    busy.withLock { $0 += 1 }
    defer { busy.withLock { $0 -= 1 } }
    let answer = try await turn.completeness(samples)
    answers.withLock { $0[samples] = answer }
    return answer
  }

  fileprivate func endLikelihood(_ messages: [ChatMessage], _ options: LlmOptions) async -> Float? {
    guard let judge = llm as? any MessageEndJudging else { return nil }
    busy.withLock { $0 += 1 }
    defer { busy.withLock { $0 -= 1 } }
    let answer = await judge.endLikelihood(of: messages, options: options)
    likelihoods.withLock { $0[messages.last?.content ?? ""] = answer }
    return answer
  }

  /// What was heard of the turn so far, for a person who looks for causes.
  var lines: [String] {
    func seconds(_ samples: [Float]) -> Double { (Double(samples.count) / 160).rounded() / 100 }
    let heard = texts.withLock {
      $0.map { (seconds($0.key), "\(seconds($0.key)) s: \($0.value.text)") }
    }
    let sounds = answers.withLock { $0.map { (seconds($0.key), "\(seconds($0.key)) s: \($0.value)") } }
    let meanings = likelihoods.withLock { $0.map { "\($0.key): \($0.value)" } }
    return (heard.sorted { $0.0 < $1.0 } + sounds.sorted { $0.0 < $1.0 }).map(\.1) + meanings.sorted()
  }

  fileprivate var longestInput: Int { turn.longestInput }
}

private struct PatientStt: SttEngine {
  let engines: PatientEngines
  let clock: any PacingClock

  func transcribe(_ samples: [Float], options: SttOptions) async throws -> Transcription {
    let text = try await engines.text(samples, options)
    await clock.sleep(for: EndpointingRun.sttSeconds)
    return text
  }
}

private struct PatientTurnDetector: TurnDetector {
  let engines: PatientEngines
  let clock: any PacingClock
  var longestInput: Int { engines.longestInput }

  func completeness(_ samples: [Float]) async throws -> Float {
    let answer = try await engines.completeness(samples)
    await clock.sleep(for: EndpointingRun.turnSeconds)
    return answer
  }
}

private struct PatientJudge: MessageEndJudging {
  let engines: PatientEngines
  let writer: ScriptedLlm
  let clock: any PacingClock

  func endLikelihood(of messages: [ChatMessage], options: LlmOptions) async -> Float? {
    let answer = await engines.endLikelihood(messages, options)
    await clock.sleep(for: EndpointingRun.judgementSeconds)
    return answer
  }

  func generate(
    _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
  ) async throws -> GenerationResult {
    try await writer.generate(messages, options: options, onText: onText)
  }
}
