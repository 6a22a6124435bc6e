import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobWire

/// A conversation partner on this machine: a voice session whose microphone and loudspeaker are
/// somewhere else.
///
/// ```swift
/// let agent = LocalVoiceAgent(engines: engines, configuration: configuration)
/// try await agent.start()
/// agent.appendAudio(pcm)
/// for await event in agent.events { … }
/// ```
public final class LocalVoiceAgent: SpeechAgent {
  /// Mouth frames, 15 weights each and 100 a second, of speech whose phones are known.
  public typealias VisemeMaker =
    @Sendable (_ phones: [PhoneTiming], _ sampleCount: Int, _ sampleRate: Int) -> [[Float]]

  /// Longest turn that a client may end itself, in samples at 24 kHz: one minute.
  private static let maximumManualTurn = 24_000 * 60

  public let events: AsyncStream<SpeechAgentEvent>

  private let continuation: AsyncStream<SpeechAgentEvent>.Continuation
  private let engines: VoiceEngines
  private let generation: LlmOptions
  private let session: VoiceSession
  private let microphone = PushMicrophone()
  private let clock: any PacingClock
  private let tasks: TaskSpawner
  private let state: Guarded<State>
  private let inputOrder = Guarded(())  // sound reaches the microphone as it was counted

  private struct State {
    var tracker = ReplyTracker()
    var isStarted = false
    var detectsTurns = true
    var wantsVisemes = false
    var wantsWords = false
    var wantsProsody = false
    var wantsHolds = false
    var pause = InputPause()
    /// Sound of a turn that the client will end, at 24 kHz.
    var manualTurn: [Float] = []
    /// Text of such a turn that no reply has answered.
    var unanswered: String?
    var readers: [Task<Void, Never>] = []
  }

  /// An agent over loaded engines, which several agents may share. `generation` holds what the
  /// configuration does not say; `visemes` makes mouth frames where the configuration wants them.
  public convenience init(
    engines: VoiceEngines, configuration: SpeechAgentConfiguration,
    generation: LlmOptions = LlmOptions(), visemes: VisemeMaker? = nil,
    clock: any PacingClock = MonotonicClock()
  ) {
    self.init(
      engines: engines, configuration: configuration, generation: generation, visemes: visemes,
      clock: clock, tasks: .standard)
  }

  /// The same with tasks that `tasks` starts.
  package init(
    engines: VoiceEngines, configuration: SpeechAgentConfiguration, generation: LlmOptions,
    visemes: VisemeMaker?, clock: any PacingClock, tasks: TaskSpawner
  ) {
    let (events, continuation) = AsyncStream<SpeechAgentEvent>.makeStream()
    let state = Guarded(State())
    self.events = events
    self.continuation = continuation
    self.engines = engines
    self.generation = generation
    self.state = state
    self.clock = clock
    self.tasks = tasks
    let wanted: VisemeMaker = { phones, count, rate in
      guard let visemes, state.withLock({ $0.wantsVisemes }) else { return [] }
      return visemes(phones, count, rate)
    }
    let sink = SocketSink(clock: clock, visemes: visemes == nil ? nil : wanted) {
      state.withLock { $0.wantsProsody }
    } canPause: {
      state.withLock { $0.wantsHolds }
    } emit: { event in
      // Under the lock, so that events leave in the order in which they were decided.
      state.withLock { state in
        for event in state.tracker.take(event) { continuation.yield(event) }
      }
    }
    let settings = SessionSettings(configuration, generation: generation)
    var devices = VoiceDevices(microphone: microphone, sink: sink, clock: clock)
    devices.tasks = tasks
    session = RunAnywhere.voice.createSession(
      engines: engines, voice: settings.voice(of: engines.tts), vad: settings.vad,
      turnHandling: settings.turnHandling, generation: settings.generation,
      devices: devices)
    adopt(configuration, settings)
  }

  public func start() async throws {
    try inputOrder.withLock { _ in
      try self.session.start()
      self.state.withLock { $0.isStarted = true }
    }
    let (session, state, continuation) = (session, state, continuation)
    let readEvents = tasks.spawn { [weak self] in
      var failure: (any Error)?
      do {
        for try await event in session.events {
          let isNewTurn = state.withLock { state in
            for event in state.tracker.take(event) { continuation.yield(event) }
            return state.pause.take(event)
          }
          if isNewTurn { self?.watchInput() }
        }
      } catch {
        failure = error
      }
      state.withLock { for event in $0.tracker.end() { continuation.yield(event) } }
      if let failure {
        continuation.yield(.error(code: "voice_failed", message: "\(failure)", isFatal: true))
      }
      continuation.finish()
    }
    let readDiagnostics = tasks.spawn {
      for await diagnostic in session.diagnostics {
        state.withLock { state in
          if case .words = diagnostic, !state.wantsWords { return }
          for event in state.tracker.take(diagnostic) { continuation.yield(event) }
        }
      }
    }
    state.withLock { $0.readers += [readEvents, readDiagnostics] }
  }

  public func configure(_ configuration: SpeechAgentConfiguration) async {
    let settings = SessionSettings(configuration, generation: generation)
    adopt(configuration, settings)
    let voice = settings.voice(of: engines.tts)
    if configuration.voice != nil, voice == nil {
      continuation.yield(
        .error(
          code: "voice_not_available",
          message: "There is no voice \"\(configuration.voice ?? "")\". Choose one of: "
            + engines.tts.voices.joined(separator: ", ") + ".",
          isFatal: false))
    }
    await session.update(
      generation: settings.generation, vad: settings.vad, turnHandling: settings.turnHandling,
      voice: voice, speed: Float(configuration.speed))
  }

  private func adopt(_ configuration: SpeechAgentConfiguration, _ settings: SessionSettings) {
    state.withLock { state in
      state.detectsTurns = configuration.detectsTurns
      state.wantsVisemes = configuration.wantsVisemes
      state.wantsWords = configuration.wantsWords
      state.wantsProsody = configuration.wantsProsody
      state.wantsHolds = configuration.wantsHolds
      state.pause.longestMs = settings.turnHandling.endpointing.maxDelayMs + 1000
      state.tracker.minSilenceMs = settings.vad.minSilenceMs
      state.tracker.minSpeechMs = settings.vad.minSpeechMs
      if configuration.detectsTurns { state.manualTurn = [] }
    }
  }

  public func appendAudio(_ pcm: [UInt8]) {
    let samples = PCM16.decode(pcm)
    guard !samples.isEmpty else { return }
    inputOrder.withLock { _ in
      let isForSession = state.withLock { state in
        guard !state.detectsTurns else {
          guard state.isStarted else {
            state.tracker.input.withhold(samples.count)
            return false
          }
          state.tracker.input.hear(samples.count)
          state.pause.soundCame(samples.count, at: clock.now)
          return true
        }
        state.tracker.input.withhold(samples.count)
        let room = Self.maximumManualTurn - state.manualTurn.count
        state.manualTurn += samples.prefix(max(0, room))
        return false
      }
      if isForSession { microphone.push(samples, sampleRate: 24_000) }
    }
    watchInput()
  }

  /// Goes on with silence where the client sends no more sound inside a turn, as one does that is
  /// muted: the session's time is the sound's.
  private func watchInput() {
    let next = state.withLock { $0.pause.isWatched ? nil : $0.pause.watch(at: clock.now) }
    if let next { schedule(next) }
  }

  private func schedule(_ time: Double) {
    clock.schedule(at: time) { [weak self] in self?.checkInput() }
  }

  private func checkInput() {
    let next = inputOrder.withLock { _ in
      let count = state.withLock { state in
        let count = state.pause.missingSamples(at: clock.now)
        state.tracker.input.insert(count)
        return count
      }
      microphone.push([Float](repeating: 0, count: count), sampleRate: 24_000)
      return state.withLock { $0.pause.watch(at: clock.now) }
    }
    if let next { schedule(next) }
  }

  public func commitAudio() async {
    let samples: [Float]? = state.withLock { state in
      defer { state.manualTurn = [] }
      return state.detectsTurns ? nil : state.manualTurn
    }
    var text = ""
    // Each commit has its transcript, an empty one where the session finds the turns itself.
    defer { continuation.yield(.userTranscript(text: text, isFinal: true)) }
    guard let samples else { return }
    let clip = StreamingResampler.convert(AudioClip(samples: samples, sampleRate: 24_000), to: 16_000)
    do {
      text = EndpointRule.spokenText(
        try await engines.stt.transcribe(clip.samples, options: SttOptions()))
      guard !text.isEmpty else { return }
      state.withLock { [text] in
        $0.unanswered = [$0.unanswered, text].compactMap { $0 }.joined(separator: " ")
      }
    } catch {
      continuation.yield(
        .error(
          code: "transcription_failed", message: "The speech was not understood: \(error)",
          isFatal: false))
    }
  }

  public func clearAudio() async { state.withLock { $0.manualTurn = [] } }

  public func send(text: String) async {
    let message = state.withLock { state in
      defer { state.unanswered = nil }
      return [state.unanswered, text].compactMap { $0 }.joined(separator: "\n")
    }
    await hand(message)
  }

  public func respond(instructions: String?) async {
    let message = state.withLock { state in
      defer { state.unanswered = nil }
      return state.unanswered
    }
    if let message, !message.isEmpty { return await hand(message) }
    state.withLock { $0.tracker.willRespond() }
    await session.respond(instructions: instructions)
  }

  private func hand(_ message: String) async {
    state.withLock { $0.tracker.willSend(message) }
    await session.send(text: message)
  }

  public func interrupt(heardMs: Int?) async {
    state.withLock { $0.tracker.willInterrupt() }
    session.interrupt(heardMs: heardMs)
  }

  public func correctHeard(ms: Int) async { session.correctHeard(ms: ms) }

  public func remember(_ messages: [SpeechAgentMessage]) async {
    session.remember(
      messages.map { ChatMessage(role: $0.role == .user ? .user : .assistant, content: $0.text) })
  }

  public func close() async {
    state.withLock { $0.pause.close() }
    await session.close()
    let readers = state.withLock { state in
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { await reader.value }
    continuation.finish()
  }
}
