/// Where a conversation stands.
public enum ConversationState: String, Sendable, Equatable, CaseIterable {
  /// Not started.
  case idle
  /// The socket is being opened or opened again.
  case connecting
  /// It is the user's turn.
  case listening
  /// A reply was asked for, and no sound of it has arrived.
  case thinking
  /// A reply sounds.
  case speaking
  /// Stopped, refused or lost; a new session is needed.
  case ended
}
