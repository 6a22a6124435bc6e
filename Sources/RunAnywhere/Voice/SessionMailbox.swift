import VoiceIO

/// What reaches a session's loop; it is handled one by one, in order.
enum LoopInput: Sendable {
  case started
  /// Microphone frames wait in the inlet.
  case sound
  case machine(TurnMachine.Input)
  case transcribed(job: Int, milliseconds: Double, text: String)
  /// A piece of a reply's text.
  case piece(reply: Int, text: String)
  /// The text of a reply is complete.
  case written(reply: Int, result: GenerationResult)
  case spoken(reply: Int, ReplySpeaker.Progress)
  case tick(reply: Int)
  case taskEnded(key: Int)
  case typed(text: String, taken: OneShot)
  case asked(instructions: String?, taken: OneShot)
  case line(text: String, ticket: LineTicket)
  /// `heardMs`: what the listener says it heard.
  case interrupted(heardMs: Int?)
  /// What the listener says it heard of the last utterance.
  case heard(ms: Int)
  case configured(SessionUpdate, taken: OneShot)
  case failed(SDKException)
  case close
}

/// A change of options; nil keeps what is.
struct SessionUpdate: Sendable {
  var generation: LlmOptions?
  var vad: VadOptions?
  var turnHandling: TurnHandlingOptions?
  var voice: String?
  var speed: Float?
}

/// The wait for a line that `say` speaks.
final class LineTicket: Sendable {
  private let done = OneShot()
  private let failure = Guarded<SDKException?>(nil)

  /// The line was heard, interrupted or given up.
  func complete() { done.fire() }

  func fail(_ error: SDKException) {
    failure.withLock { $0 = error }
    done.fire()
  }

  func wait() async throws {
    await done.value()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

/// What a session's loop shares with the callers of the session.
final class SessionCore: Sendable {
  enum Stage { case idle, running, closed }

  let stage = Guarded(Stage.idle)
  let engines: VoiceEngines
  let devices: VoiceDevices?
  let clock: any PacingClock
  let tasks: TaskSpawner
  let port: SinkPort
  let inlet: MicrophoneInlet
  let events = EventBuffer()
  let diagnostics: AsyncStream<VoiceDiagnostic>
  let diagnosticsInlet: AsyncStream<VoiceDiagnostic>.Continuation
  let history: Guarded<ConversationHistory>
  let mailbox: AsyncStream<LoopInput>
  /// Bounded by its producers: one wake-up for the microphone, and the tokens of one reply.
  private let mailboxInlet: AsyncStream<LoopInput>.Continuation

  init(engines: VoiceEngines, devices: VoiceDevices?, systemPrompt: String?) {
    self.devices = devices
    clock = devices?.clock ?? MonotonicClock()
    tasks = devices?.tasks ?? .standard
    self.engines = EngineWatch(clock: clock, tasks: tasks).wrap(engines)
    inlet = MicrophoneInlet(capacity: devices?.microphone.backlogSeconds ?? 1)
    port = SinkPort(devices?.sink ?? CallbackSink { _ in })
    history = Guarded(ConversationHistory(systemPrompt: systemPrompt))
    (diagnostics, diagnosticsInlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
    (mailbox, mailboxInlet) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  /// Hands `input` to the loop; calls `refused` when the loop takes nothing any more.
  func post(_ input: LoopInput, or refused: () -> Void = {}) {
    if case .terminated = mailboxInlet.yield(input) { refused() }
  }

  /// Closes the microphone for good, and lets another session have it.
  func releaseMicrophone() {
    stage.withLock { stage in
      if stage == .running, let microphone = devices?.microphone {
        microphone.stop()
        (microphone as? any ObservableMicrophone)?.observe(nil)
        DeviceClaims.shared.release(microphone)
      }
      stage = .closed
    }
  }

  /// No input is taken any more.
  func endMailbox() { mailboxInlet.finish() }
}
