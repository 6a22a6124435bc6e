import VoiceIO

/// A spoken conversation: it listens, takes turns, answers, and is interrupted like a person.
///
/// ```swift
/// let session = try await RunAnywhere.voice.createSession(
///   stt: "sherpa-onnx-whisper-tiny.en", llm: "lfm2-350m-q4_k_m", tts: "hibari-heart")
/// try session.start()
/// for try await event in session.events { print(event) }
/// ```
public final class VoiceSession: Sendable {
  /// What happens; one stream, the same at each access, which keeps up to 4,096 events until they
  /// are read. An unrecoverable failure is thrown into it.
  public let events: AsyncThrowingStream<VoiceEvent, any Error>
  /// Measurements; one stream, which keeps the newest 1,024.
  public var diagnostics: AsyncStream<VoiceDiagnostic> { core.diagnostics }

  private let core: SessionCore
  private let loop: Task<Void, Never>

  init(
    engines: VoiceEngines, voice: String?, settings: TurnMachine.Settings, generation: LlmOptions,
    devices: VoiceDevices?
  ) {
    let core = SessionCore(
      engines: engines, devices: devices, systemPrompt: generation.systemPrompt)
    self.core = core
    events = AsyncThrowingStream { try await core.events.next() }
    var speech = TtsOptions()
    speech.voice = voice
    loop = core.tasks.spawn { [speech] in
      await VoiceLoop(core: core, settings: settings, generation: generation, speech: speech).run()
    }
  }

  deinit {
    core.releaseMicrophone()
    core.endMailbox()
  }

  /// Opens the microphone. A second call on a running session does nothing.
  ///
  /// Throws `SDKException`: `invalidState` when the session is closed, `serviceBusy` when another
  /// session holds the microphone, `audioSessionFailed` or `microphonePermissionDenied` when it
  /// cannot be opened.
  public func start() throws {
    try core.stage.withLock { stage in
      switch stage {
      case .running: return
      case .closed: throw Self.closed
      case .idle: break
      }
      guard let microphone = core.devices?.microphone else { throw Self.noDevices }
      guard DeviceClaims.shared.claim(microphone) else {
        throw SDKException(
          .serviceBusy, category: .component, "Another voice session is using this microphone.",
          recoverySuggestion: "Close that session first; hold one session at a time.")
      }
      do {
        let (inlet, clock) = (core.inlet, core.clock)
        (microphone as? any ObservableMicrophone)?.observe { [inlet = core.diagnosticsInlet] change in
          inlet.yield(VoiceDiagnostic(change))
        }
        try microphone.start { [core] frame in
          if inlet.push(frame, time: clock.now) { core.post(.sound) }
        }
      } catch {
        DeviceClaims.shared.release(microphone)
        throw (error as? SDKException)
          ?? SDKException(
            .audioSessionFailed, category: .io, "The microphone could not be opened: \(error)",
            recoverySuggestion: "Check that a microphone is connected and allowed.",
            underlying: error)
      }
      stage = .running
      core.post(.started)
    }
  }

  /// Speaks a line at the next quiet moment; returns when it was heard or interrupted.
  ///
  /// Throws `SDKException`: `invalidState` when the session is closed, `audioSessionFailed` when it
  /// has no loudspeaker, `processingFailed` when the voice fails.
  public func say(_ text: String) async throws {
    guard core.stage.withLock({ $0 }) != .closed else { throw Self.closed }
    guard core.devices != nil else { throw Self.noDevices }
    let ticket = LineTicket()
    core.post(.line(text: text, ticket: ticket), or: { ticket.complete() })
    try await ticket.wait()
  }

  /// Stops the agent: the sound ends at once, what was not heard is forgotten, lines that wait are
  /// given up.
  public func interrupt() { interrupt(heardMs: nil) }

  /// The same for a remote listener: `heardMs` is how much of the utterance it heard, in
  /// milliseconds; more than was played does not count. Nil takes what was played. When nothing is
  /// said any more it corrects what the history keeps of the last utterance, until the next reply.
  public func interrupt(heardMs: Int?) {
    core.port.grant(0)
    core.port.sink.interrupt()
    core.post(.interrupted(heardMs: heardMs))
  }

  /// The listener heard only `ms` milliseconds of the last utterance, which is over: the history
  /// keeps less of it. Nothing is stopped, and once another reply has begun nothing changes.
  package func correctHeard(ms: Int) { core.post(.heard(ms: ms)) }

  /// A typed message of the user: interrupts the agent and is answered. Returns when it was taken.
  public func send(text: String) async {
    let taken = OneShot()
    core.post(.typed(text: text, taken: taken), or: { taken.fire() })
    await taken.value()
  }

  /// A reply without a message of the user, such as a greeting; `instructions` tell the model what
  /// to say. Returns when it was taken.
  public func respond(instructions: String?) async {
    let taken = OneShot()
    core.post(.asked(instructions: instructions, taken: taken), or: { taken.fire() })
    await taken.value()
  }

  /// Changes options from the next turn on; nil keeps what is.
  public func update(
    generation: LlmOptions? = nil, vad: VadOptions? = nil,
    turnHandling: TurnHandlingOptions? = nil, voice: String? = nil, speed: Float? = nil
  ) async {
    let taken = OneShot()
    let update = SessionUpdate(
      generation: generation, vad: vad, turnHandling: turnHandling, voice: voice, speed: speed)
    core.post(.configured(update, taken: taken), or: { taken.fire() })
    await taken.value()
  }

  /// Adds messages that were said before, oldest first, such as those of a conversation that was cut off. The
  /// model knows them from the next reply on; of a role other than user and assistant nothing is kept.
  public func remember(_ messages: [ChatMessage]) {
    core.history.withLock { history in
      for message in messages where [.user, .assistant].contains(message.role) && !message.content.isEmpty {
        history.append(message)
      }
    }
  }

  /// The system prompt and what was said and heard so far.
  public var history: [ChatMessage] { core.history.withLock { $0.prompt() } }

  /// Stops capture and sound, ends the streams and waits for all work. Idempotent.
  public func close() async {
    core.releaseMicrophone()
    core.post(.close)
    await loop.value
    SessionRoster.shared.remove(self)
  }

  /// Ends the session with a failure that is thrown into `events`.
  package func fail(_ error: SDKException) { core.post(.failed(error)) }

  private static let closed = SDKException(
    .invalidState, category: .component, "The session is closed.",
    recoverySuggestion: "Create a new session.")
  private static let noDevices = SDKException(
    .audioSessionFailed, category: .io, "This platform offers no microphone and loudspeaker.",
    recoverySuggestion: "Pass `devices:` to createSession, or register VoiceDevices.setStandard.")
}
