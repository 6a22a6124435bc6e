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
  private let state: Guarded<State>

  private struct State {
    var tracker = ReplyTracker()
    var detectsTurns = true
    /// Sound of a turn that the client will end, at 24 kHz.
    var manualTurn: [Float] = []
    /// Text of such a turn that no reply has answered.
    var unanswered: String?
    var readers: [Task<Void, Never>] = []
  }

  /// An agent over loaded engines, which several agents may share. `generation` holds what the
  /// configuration does not say; `visemes` makes mouth frames where the configuration wants them.
  public init(
    engines: VoiceEngines, configuration: SpeechAgentConfiguration,
    generation: LlmOptions = LlmOptions(), visemes: VisemeMaker? = nil,
    clock: any PacingClock = MonotonicClock()
  ) {
    let (events, continuation) = AsyncStream<SpeechAgentEvent>.makeStream()
    let state = Guarded(State())
    self.events = events
    self.continuation = continuation
    self.engines = engines
    self.generation = generation
    self.state = state
    let sink = SocketSink(clock: clock, visemes: visemes) { event in
      // Under the lock, so that events leave in the order in which they were decided.
      state.withLock { state in
        for event in state.tracker.take(event) { continuation.yield(event) }
      }
    }
    let settings = SessionSettings(configuration, generation: generation)
    session = RunAnywhere.voice.createSession(
      engines: engines, voice: settings.voice(of: engines.tts), vad: settings.vad,
      turnHandling: settings.turnHandling, generation: settings.generation,
      devices: VoiceDevices(microphone: microphone, sink: sink, clock: clock))
    adopt(configuration, settings)
  }

  public func start() async throws {
    try session.start()
    let (session, state, continuation) = (session, state, continuation)
    let readEvents = Task {
      do {
        for try await event in session.events {
          state.withLock { state in
            for event in state.tracker.take(event) { continuation.yield(event) }
          }
        }
      } catch {
        continuation.yield(.error(code: "voice_failed", message: "\(error)", isFatal: true))
      }
      continuation.finish()
    }
    let readDiagnostics = Task {
      for await diagnostic in session.diagnostics {
        state.withLock { state in
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
      state.tracker.minSilenceMs = settings.vad.minSilenceMs
      state.tracker.minSpeechMs = settings.vad.minSpeechMs
      if configuration.detectsTurns { state.manualTurn = [] }
    }
  }

  public func appendAudio(_ pcm: [UInt8]) {
    let samples = PCM16.decode(pcm)
    let isForSession = state.withLock { state in
      state.tracker.inputMs += samples.count / 24
      guard !state.detectsTurns else { return true }
      let room = Self.maximumManualTurn - state.manualTurn.count
      state.manualTurn += samples.prefix(max(0, room))
      return false
    }
    if isForSession { microphone.push(samples, sampleRate: 24_000) }
  }

  public func commitAudio() async {
    let samples: [Float]? = state.withLock { state in
      defer { state.manualTurn = [] }
      return state.detectsTurns ? nil : state.manualTurn
    }
    guard let samples else { return }
    let clip = StreamingResampler.convert(AudioClip(samples: samples, sampleRate: 24_000), to: 16_000)
    do {
      let text = try await engines.stt.transcribe(clip.samples, options: SttOptions()).text
      state.withLock { $0.unanswered = [$0.unanswered, text].compactMap { $0 }.joined(separator: " ") }
      continuation.yield(.userTranscript(text: text, isFinal: true))
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

  public func close() async {
    await session.close()
    let readers = state.withLock { state in
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { await reader.value }
    continuation.finish()
  }
}
