/// What a driver reports to a client session. The methods of `ConversationSession` with the same names say more.
public enum ConversationEvent: Sendable, Equatable {
  case start
  case socketOpened
  case connectionFailed(status: Int?)
  case socketClosed(code: Int?, reason: String)
  /// A message of the provider in a text frame.
  case text(String)
  /// A message of the provider in a binary frame.
  case binary([UInt8])
  case microphoneStarted
  case microphoneStopped
  case microphone([UInt8])
  /// The user has typed a message.
  case typed(String)
  case userInterrupts
  case toolResult(id: String, output: String)
  case played(samples: Int, itemID: String?)
  case utteranceFinished(itemID: String?)
  case playbackInterrupted(heardSamples: Int, itemID: String?)
  case stop
  case fail(ConversationFailure)
  case tick
}
