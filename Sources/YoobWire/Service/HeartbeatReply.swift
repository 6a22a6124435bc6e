/// What the API answers to a heartbeat.
public struct HeartbeatReply: Sendable, Equatable {
  /// Whether the session is to stop.
  public var isStopped: Bool
  /// Why, such as "out-of-credits".
  public var reason: String?
  /// The same for programs, such as "quota_exceeded".
  public var code: String?
  /// What is left in the account.
  public var creditsRemaining: Double?
  /// Seconds that were billed so far.
  public var billedSeconds: Double?
  /// A newer token for the CDN.
  public var downloadToken: String?
  /// Until when it is good, in seconds since 1970.
  public var downloadTokenExpiresAt: Double?

  /// Decodes the body; nil when it is no JSON object. Older servers call the token `grant`.
  public init?(json: [UInt8]) {
    guard let object = (try? JSONValue(parsing: json))?.object else { return nil }
    let reader = ServiceReader(object)
    isStopped = reader.bool("stop") ?? false
    reason = reader.string("reason")
    code = reader.string("code")
    creditsRemaining = reader.double("credits_remaining")
    billedSeconds = reader.double("billed_seconds")
    downloadToken = (reader.string("download_token") ?? reader.string("grant")).flatMap {
      $0.isEmpty ? nil : $0
    }
    downloadTokenExpiresAt = reader.time("download_token_expires_at") ?? reader.time("grant_expires_at")
  }
}
