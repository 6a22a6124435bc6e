/// What a driver reports to a client session. The methods of `ConversationSession` with the same names say more.
public enum ConversationEvent: Sendable, Equatable {
  /// The conversation begins.
  case start
  /// The socket is open.
  case socketOpened
  /// No socket could be opened; the HTTP status where there was one.
  case connectionFailed(status: Int?)
  /// The socket is closed; the code of its close frame, nil where there was none.
  case socketClosed(code: Int?, reason: String)
  /// A message of the provider in a text frame.
  case text(String)
  /// A message of the provider in a binary frame.
  case binary([UInt8])
  /// The microphone delivers from now on.
  case microphoneStarted
  /// The microphone was muted or closed.
  case microphoneStopped
  /// Sound of the user: mono PCM16 at the session's `inputSampleRate`.
  case microphone([UInt8])
  /// The user has typed a message.
  case typed(String)
  /// The app stops the reply.
  case userInterrupts
  /// What a tool answered.
  case toolResult(id: String, output: String)
  /// So many samples of the item that sounds were heard.
  case played(samples: Int, itemID: String?)
  /// The item was heard to its end.
  case utteranceFinished(itemID: String?)
  /// The item was stopped after so many samples.
  case playbackInterrupted(heardSamples: Int, itemID: String?)
  /// The app ends the conversation.
  case stop
  /// The driver cannot go on.
  case fail(ConversationFailure)
  /// Time has come to `nextDeadline`.
  case tick
}
