/// What went wrong in a conversation. The conversation is over only when its state is `ended` too.
public enum ConversationFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The key or token was refused or has expired.
  case unauthorized(String)
  /// The account has no credit.
  case outOfCredit(String)
  /// The connection or the provider failed; the text says what to do.
  case network(String)
  /// The other side does not speak this protocol, or the wrong address was given.
  case unsupported(String)
  /// The voice server ended or refused the call. `code` is the WebSocket close code, 0 for none.
  case voiceSession(code: Int, message: String)

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .unauthorized(let text), .outOfCredit(let text), .network(let text), .unsupported(let text),
      .voiceSession(_, let text):
      text
    }
  }

  /// The longest text of another side that is shown, in characters.
  static let maximumText = 300

  /// What a refused WebSocket handshake means; nil is a server that did not answer.
  static func refused(status: Int?) -> ConversationFailure {
    switch status {
    case 401?, 403?: .unauthorized("The voice service refused the key or token. Get a new one.")
    case 402?: .outOfCredit("The account has no credit left. Add credit, then start again.")
    case 404?, 426?:
      .unsupported("There is no such voice service at this address. Check the address and model.")
    case 429?: .network("The voice service has too many calls. Wait a moment, then start again.")
    case let status?: .network("The voice service answered with status \(status). Try again later.")
    case nil: .network("The voice service did not answer. Check the network, then start again.")
    }
  }

  /// Whether a provider that closes so may be asked again; nil is a connection that broke.
  static func isTemporary(closeCode: Int?) -> Bool {
    switch closeCode {
    case nil, 1000?, 1001?, 1005?, 1006?, 1011?, 1012?, 1013?, 1014?: true
    default: false
    }
  }

  /// A provider closed the connection.
  static func closed(code: Int?, reason: String) -> ConversationFailure {
    var reason = reason.trimmedPrefix(maximumBytes: 120)
    while reason.hasSuffix(".") { reason.removeLast() }
    let detail = reason.isEmpty ? "" : ": " + reason
    return .network(
      "The voice service disconnected (\(code ?? 1006))\(detail). Start the conversation again.")
  }
}
