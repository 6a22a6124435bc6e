/// Why a session is over for good.
public enum SessionEnd: Error, Sendable, Equatable, CustomStringConvertible {
  /// The token or the key behind it was refused or revoked.
  case unauthorized
  /// The account has no credit, or its monthly cap is reached.
  case outOfCredit
  /// The session ended: "unreachable", "sandbox-limit", "suspended" or "gone".
  case ended(reason: String)

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .unauthorized: "The session was refused. Get new credentials, then start again."
    case .outOfCredit: "The account has no credit left. Add credit, then start again."
    case .ended("unreachable"):
      "The service could not be reached for too long. Check the network, then start again."
    case .ended("sandbox-limit"): "The free trial time is used up. Use a live key, or try again later."
    case .ended("suspended"): "The account is suspended. Ask its owner."
    case .ended: "The session has ended. Start again."
    }
  }
}

/// What the API asks of a client with an answer.
public enum ServiceVerdict: Sendable, Equatable {
  /// All is well.
  case fine
  /// No matter of this client: ask again later. The text says what happened.
  case trouble(String)
  /// The session is gone: a new one may be opened through the credentials.
  case gone
  /// It is over.
  case over(SessionEnd)

  /// What an answer to a heartbeat, or to the start of a session, means. `body` refines the status.
  public init(status: Int, body: [UInt8]) {
    let error = ServiceErrorBody(json: body)
    switch status {
    case 200..<300:
      guard !body.isEmpty else {
        self = .fine
        return
      }
      guard let reply = HeartbeatReply(json: body) else {
        self = .trouble("The service's answer was not readable.")
        return
      }
      self = reply.isStopped ? Self.stopped(reply.reason ?? reply.code) : .fine
    case 401, 403: self = .over(Self.end(error?.code) ?? .unauthorized)
    case 402: self = .over(Self.end(error?.code) ?? .outOfCredit)
    case 404, 410: self = .gone
    case 429: self = .trouble("The service has too many requests.")
    default: self = .trouble("The service answered with status \(status).")
    }
  }

  /// What a stop for `reason` means: what is not final lets the client open a new session.
  static func stopped(_ reason: String?) -> ServiceVerdict { end(reason).map(ServiceVerdict.over) ?? .gone }

  /// The end that a reason or code stands for; nil for those that are not final.
  static func end(_ reason: String?) -> SessionEnd? {
    switch reason.map(ServiceErrorBody.normalized) {
    case "out_of_credits", "out_of_credit", "quota_exceeded", "monthly_cap_reached": .outOfCredit
    case "sandbox_limit": .ended(reason: "sandbox-limit")
    case "suspended": .ended(reason: "suspended")
    case "key_revoked", "unauthorized": .unauthorized
    default: nil
    }
  }
}
