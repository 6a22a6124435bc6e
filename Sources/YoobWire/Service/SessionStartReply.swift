/// What the API says when a session's meter starts.
public struct SessionStartReply: Sendable, Equatable {
  /// Since when the session is metered, in seconds since 1970.
  public var meteredFrom: Double?
  /// Seconds after which the session ends; nil when it has no limit.
  public var maxSeconds: Int?
  /// Whether the session is a free one for trying.
  public var isSandbox: Bool
  /// What is left in the account, in US dollars.
  public var balanceUSD: Double?
  /// Whether the account is nearly empty.
  public var isBalanceLow: Bool

  /// Decodes the answer; nil when it is no JSON object.
  public init?(json: [UInt8]) {
    guard let object = (try? JSONValue(parsing: json))?.object else { return nil }
    let reader = ServiceReader(object)
    meteredFrom = reader.time("metered_from")
    maxSeconds = reader.int("max_session_seconds").flatMap { $0 > 0 ? $0 : nil }
    isSandbox = reader.bool("sandbox") ?? false
    balanceUSD = reader.double("balance_usd")
    isBalanceLow = reader.bool("balance_low") ?? false
  }
}
