/// Why an answer of the backend is no session.
public enum SessionGrantError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The backend refused; the text is its own.
  case refused(code: String?, message: String)
  /// The answer lacks what a session has.
  case unreadable(String)

  public var description: String {
    switch self {
    case .refused(_, let message): "The session was refused: \(message)"
    case .unreadable(let message): message
    }
  }
}

/// A session that the backend opened for a character: what the API and the CDN ask for.
public struct SessionGrant: Sendable, Equatable {
  /// Seconds between heartbeats, at least.
  public static let minimumHeartbeat = 5
  /// Seconds between heartbeats where the session does not say.
  public static let defaultHeartbeat = 30

  /// Proves the session to the API.
  public var sessionToken: String
  /// Proves the session to the CDN.
  public var downloadToken: String
  /// Seconds between heartbeats, 5 or more.
  public var heartbeatSeconds: Int
  /// Where the API is; nil is the configured one.
  public var apiBase: String?
  /// Where characters are downloaded; nil is the configured place.
  public var cdnBase: String?
  /// Public keys of character manifests by their ids, in base64.
  public var signingKeys: [String: String]

  /// A session of these tokens; `heartbeatSeconds` are the seconds between heartbeats.
  public init(
    sessionToken: String, downloadToken: String, heartbeatSeconds: Int = SessionGrant.defaultHeartbeat,
    apiBase: String? = nil, cdnBase: String? = nil, signingKeys: [String: String] = [:]
  ) {
    self.sessionToken = sessionToken
    self.downloadToken = downloadToken
    self.heartbeatSeconds = max(Self.minimumHeartbeat, heartbeatSeconds)
    self.apiBase = apiBase
    self.cdnBase = cdnBase
    self.signingKeys = signingKeys
  }

  /// Decodes the backend's answer, in snake case or camel case. Throws `refused` for an error's body, and
  /// `unreadable` for anything else that is no session, also where a base is neither `https` nor on this
  /// machine: tokens are not sent in the clear.
  public init(json: [UInt8]) throws(SessionGrantError) {
    guard let object = (try? JSONValue(parsing: json))?.object else {
      throw .unreadable("The answer is not JSON. Check the address that your app asks for a session.")
    }
    let reader = ServiceReader(object)
    guard let session = reader.string("session_token"), !session.isEmpty,
      let download = reader.string("download_token"), !download.isEmpty
    else {
      if let body = ServiceErrorBody(object) { throw .refused(code: body.code, message: body.message) }
      throw .unreadable(
        "The answer has no session token and download token. Pass on the API's answer unchanged.")
    }
    let bases = [reader.string("api_base"), reader.string("cdn_base")]
    for base in bases.compactMap(\.self) where !VoiceURL.isSafeBase(base) {
      throw .unreadable("The session names an unsafe address. Use https, or http on this machine.")
    }
    var keys: [String: String] = [:]
    for member in reader.value("signing_keys")?.object?.members ?? [] {
      keys[member.name] = member.value.string
    }
    self.init(
      sessionToken: session, downloadToken: download,
      heartbeatSeconds: reader.int("heartbeat_seconds") ?? Self.defaultHeartbeat, apiBase: bases[0],
      cdnBase: bases[1], signingKeys: keys)
  }
}
