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

  /// Begins. A session that has begun stays as it is.
  mutating func start(at now: Double) -> [ConversationAction]
  /// The socket that was asked for is open.
  mutating func socketOpened(at now: Double) -> [ConversationAction]
  /// The socket could not be opened; `status` is the HTTP status of a refusal, nil for no answer.
  mutating func connectionFailed(status: Int?, at now: Double) -> [ConversationAction]
  /// The socket is closed; `code` is nil where the connection broke without a goodbye.
  mutating func socketClosed(code: Int?, reason: String, at now: Double) -> [ConversationAction]
  /// A message of the provider in a text frame. What is no JSON, or nothing that is known, is ignored.
  mutating func receive(_ text: String, at now: Double) -> [ConversationAction]
  /// A message of the provider in a binary frame.
  mutating func receive(_ bytes: [UInt8], at now: Double) -> [ConversationAction]

  /// The microphone delivers from now on: a greeting waits for it.
  mutating func microphoneStarted(at now: Double) -> [ConversationAction]
  /// The microphone is muted or off: the provider answers what it has heard.
  mutating func microphoneStopped(at now: Double) -> [ConversationAction]
  /// Sound of the user: mono PCM16 little-endian at `inputSampleRate`. While there is no connection the newest
  /// second is kept.
  mutating func microphone(_ pcm: [UInt8], at now: Double) -> [ConversationAction]
  /// A typed message, 64 KiB at most: interrupts a reply and is answered.
  mutating func send(text: String, at now: Double) -> [ConversationAction]
  /// The user wants the reply to stop, as by a button.
  mutating func userInterrupts(at now: Double) -> [ConversationAction]
  /// What a tool answered: JSON or any text, 64 KiB at most.
  mutating func toolResult(id: String, output: String, at now: Double) -> [ConversationAction]

  /// The listener has heard so many samples of the item, counted from its first, at its rate. Nil is the item
  /// that sounds.
  mutating func played(samples: Int, of itemID: String?, at now: Double) -> [ConversationAction]
  /// The last sample of the item was heard. Nil is the item that sounds.
  mutating func utteranceFinished(_ itemID: String?, at now: Double) -> [ConversationAction]
  /// The answer to `interruptPlayback`: how many samples of the item that sounded were heard. Nil is the item
  /// that sounded when it was asked.
  mutating func playbackInterrupted(
    heardSamples: Int, of itemID: String?, at now: Double
  ) -> [ConversationAction]

  /// Ends the conversation. Idempotent.
  mutating func stop(at now: Double) -> [ConversationAction]
  /// Ends the conversation for a reason that the driver knows, as a credential that it could not get.
  mutating func fail(_ failure: ConversationFailure, at now: Double) -> [ConversationAction]
  /// Time has come to `nextDeadline`, or any other time.
  mutating func tick(at now: Double) -> [ConversationAction]
}
