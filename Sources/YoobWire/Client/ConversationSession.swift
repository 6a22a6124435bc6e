/// The client's side of one conversation, whatever its protocol: what happens in, actions out; no clock, no I/O.
///
/// The driver reports what happens, each with the time in seconds on one monotonic clock, carries out the
/// actions in their order, and calls `tick(at:)` at `nextDeadline`. Nothing is ever thrown: what cannot be done
/// at the moment leads to no action.
/// ```swift
/// perform(session.start(at: now))                      // .connect, then:
/// perform(session.socketOpened(at: now))
/// perform(session.receive(text, at: now))              // each message
/// perform(session.microphone(pcm, at: now))
/// perform(session.played(samples: 4800, of: item, at: now))
/// ```
public protocol ConversationSession: Sendable {
  /// Samples a second that `microphone(_:at:)` takes.
  static var inputSampleRate: Int { get }

  /// Where the conversation stands.
  var state: ConversationState { get }
  /// When `tick(at:)` has to be called; nil when nothing is due.
  var nextDeadline: Double? { get }
  /// Microphone sound that was dropped while there was no connection, in samples.
  var droppedSamples: Int { get }

  /// Takes what has happened and returns what follows. The methods below are shorter to write.
  mutating func take(_ event: ConversationEvent, at now: Double) -> [ConversationAction]
}

extension ConversationSession {
  /// Begins. A session that has begun stays as it is.
  public mutating func start(at now: Double) -> [ConversationAction] {
    take(.start, at: now)
  }

  /// The socket that was asked for is open.
  public mutating func socketOpened(at now: Double) -> [ConversationAction] {
    take(.socketOpened, at: now)
  }

  /// The socket could not be opened; `status` is the HTTP status of a refusal, nil for no answer.
  public mutating func connectionFailed(status: Int?, at now: Double) -> [ConversationAction] {
    take(.connectionFailed(status: status), at: now)
  }

  /// The socket is closed; `code` is nil where the connection broke without a goodbye.
  public mutating func socketClosed(code: Int?, reason: String, at now: Double) -> [ConversationAction] {
    take(.socketClosed(code: code, reason: reason), at: now)
  }

  /// A message of the provider in a text frame. What is no JSON, or nothing that is known, is ignored.
  public mutating func receive(_ text: String, at now: Double) -> [ConversationAction] {
    take(.text(text), at: now)
  }

  /// A message of the provider in a binary frame.
  public mutating func receive(_ bytes: [UInt8], at now: Double) -> [ConversationAction] {
    take(.binary(bytes), at: now)
  }

  /// The microphone delivers from now on: a greeting waits for it.
  public mutating func microphoneStarted(at now: Double) -> [ConversationAction] {
    take(.microphoneStarted, at: now)
  }

  /// The microphone is muted or off: the provider answers what it has heard.
  public mutating func microphoneStopped(at now: Double) -> [ConversationAction] {
    take(.microphoneStopped, at: now)
  }

  /// Sound of the user: mono PCM16 little-endian at `inputSampleRate`. While there is no connection the newest
  /// second is kept.
  public mutating func microphone(_ pcm: [UInt8], at now: Double) -> [ConversationAction] {
    take(.microphone(pcm), at: now)
  }

  /// A typed message, 64 KiB at most: interrupts a reply and is answered.
  public mutating func send(text: String, at now: Double) -> [ConversationAction] {
    take(.typed(text), at: now)
  }

  /// The user wants the reply to stop, as by a button.
  public mutating func userInterrupts(at now: Double) -> [ConversationAction] {
    take(.userInterrupts, at: now)
  }

  /// What a tool answered: JSON or any text, 64 KiB at most.
  public mutating func toolResult(id: String, output: String, at now: Double) -> [ConversationAction] {
    take(.toolResult(id: id, output: output), at: now)
  }

  /// The listener has heard so many samples of the item, counted from its first, at its rate. Nil is the item
  /// that sounds.
  public mutating func played(samples: Int, of itemID: String? = nil, at now: Double) -> [ConversationAction]
  {
    take(.played(samples: samples, itemID: itemID), at: now)
  }

  /// The last sample of the item was heard. Nil is the item that sounds.
  public mutating func utteranceFinished(_ itemID: String? = nil, at now: Double) -> [ConversationAction] {
    take(.utteranceFinished(itemID: itemID), at: now)
  }

  /// The answer to `interruptPlayback`: how many samples of the item that sounded were heard. Nil is the item
  /// that sounded when it was asked.
  public mutating func playbackInterrupted(
    heardSamples: Int, of itemID: String? = nil, at now: Double
  ) -> [ConversationAction] {
    take(.playbackInterrupted(heardSamples: heardSamples, itemID: itemID), at: now)
  }

  /// Ends the conversation. Idempotent.
  public mutating func stop(at now: Double) -> [ConversationAction] {
    take(.stop, at: now)
  }

  /// Ends the conversation for a reason that the driver knows, as a credential that it could not get.
  public mutating func fail(_ failure: ConversationFailure, at now: Double) -> [ConversationAction] {
    take(.fail(failure), at: now)
  }

  /// Time has come to `nextDeadline`, or any other time.
  public mutating func tick(at now: Double) -> [ConversationAction] {
    take(.tick, at: now)
  }
}
