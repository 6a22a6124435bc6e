/// What the close codes of a Yoob voice server mean.
public struct VoiceRelayClose: Sendable, Equatable {
  /// The WebSocket close code.
  public let code: Int
  /// A sentence for the user.
  public let message: String
  /// Whether a new voice session may go on where this one ended.
  public let isTemporary: Bool

  /// The meaning of `code`; nil is a connection that was lost without a word.
  public init(code: Int?) {
    self.code = code ?? 1006
    let text: String
    var isTemporary = false
    switch self.code {
    case 1000, 1001, 1005, 1006, 1012, 1014:
      text = "The voice service disconnected. Start the conversation again."
      isTemporary = true
    case 1011:
      text = "The voice service has a problem and disconnected. Start the conversation again."
      isTemporary = true
    case 1013:
      text = "The voice service is busy. Wait a moment, then start again."
      isTemporary = true
    case 4000: text = "This app is too old for the voice service. Update the app."
    case 4001: text = "The voice service refused this conversation. Start a new one."
    case 4002: text = "The permission for this conversation ran out before it began. Start again."
    case 4003: text = "The permission for this conversation was already used. Start again."
    case 4008: text = "The usage limit of the voice service is reached."
    case 4009: text = "The conversation has reached its time limit. Start a new one to go on."
    case 4010: text = "The conversation ended because nobody spoke for a long time. Start it again to go on."
    case 4029: text = "There are too many conversations, or today's quota is used. Try again later."
    default: text = "The voice service disconnected (\(self.code)). Start the conversation again."
    }
    message = text
    self.isTemporary = isTemporary
  }

  /// The failure that the app is told.
  public var failure: ConversationFailure { .voiceSession(code: code, message: message) }
}
