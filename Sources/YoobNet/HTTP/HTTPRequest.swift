/// A request as the server received it.
public struct HTTPRequest: Sendable, Equatable {
  /// In capitals, such as "GET".
  public var method: String
  /// Percent-decoded, beginning with a slash, without the query.
  public var path: String
  /// What follows the question mark; empty without one.
  public var query: String
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body; empty without one.
  public var body: [UInt8]
  /// Whether it came over TLS.
  public var isSecure: Bool

  /// A request, as for a test.
  public init(
    method: String = "GET", path: String, query: String = "", headers: HTTPHeaders = [:],
    body: [UInt8] = [], isSecure: Bool = false
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.isSecure = isSecure
  }

  /// The value of the first query parameter of the name.
  public func queryValue(_ name: String) -> String? {
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts[0] == name { return parts.count > 1 ? String(parts[1]) : "" }
    }
    return nil
  }

  /// The subprotocols that a WebSocket client offers, in its order.
  public var offeredSubprotocols: [String] {
    (headers["sec-websocket-protocol"] ?? "").split { $0 == "," || $0 == " " }.map(String.init)
  }
}
