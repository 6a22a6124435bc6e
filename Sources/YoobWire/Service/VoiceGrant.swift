/// A voice session that the backend opened: what a call needs, for one connection within a few minutes.
public struct VoiceGrant: Sendable, Equatable {
  /// Proves the right to the call.
  public var voiceToken: String
  /// Where the call is made, starting with `wss://`, or `ws://` on this machine.
  public var url: String
  /// The session's name in the account.
  public var id: String?
  /// The model that answers.
  public var model: String?
  /// Seconds after which the call ends; nil when not told.
  public var maxSeconds: Int?
  /// Price of a minute, in credits.
  public var creditsPerMinute: Double?
  /// Until when the call must begin, in seconds since 1970.
  public var expiresAt: Double?

  /// Decodes the answer of the backend, in snake case or camel case. An error's body throws: code
  /// `quota_exceeded` is no credit, any other error is `unauthorized`, and a body that is neither is a
  /// `voiceSession` failure with code 0.
  public init(json: [UInt8]) throws(ConversationFailure) {
    let object = (try? JSONValue(parsing: json))?.object
    let reader = ServiceReader(object ?? JSONObject())
    guard let token = reader.string("voice_token"), !token.isEmpty, let url = reader.string("url"),
      !url.isEmpty
    else { throw Self.failure(ServiceErrorBody(object)) }
    voiceToken = token
    self.url = url
    id = reader.string("voice_session_id") ?? reader.string("id")
    model = reader.string("model")
    maxSeconds = reader.int("max_seconds").flatMap { $0 > 0 ? $0 : nil }
    creditsPerMinute = reader.double("credits_per_minute")
    expiresAt = reader.time("expires_at")
  }

  private static func failure(_ body: ServiceErrorBody?) -> ConversationFailure {
    guard let body else {
      return .voiceSession(
        code: 0, message: "The answer is not a voice session. Check the address that your app asks for one.")
    }
    guard body.code == "quota_exceeded" else {
      return .unauthorized("The voice session was refused: \(body.message). Check the key of your server.")
    }
    return .outOfCredit("The account has no voice credit left. Add credit, then start again.")
  }
}
