/// A request as the server received it.
public struct HTTPRequest: Sendable, Equatable {
  /// In capitals, such as "GET".
  public var method: String
  /// Percent-decoded, beginning with a slash, without the query.
  public var path: String
  /// What follows the question mark, as it was sent; empty without one.
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

  /// The value of the first query parameter of the name, decoded as forms encode it; nil without one.
  public func queryValue(_ name: String) -> String? {
    for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        .map(Self.formValue)
      if parts.first == name { return parts.count > 1 ? parts[1] : "" }
    }
    return nil
  }

  private static func formValue(_ text: Substring.UTF8View) -> String? {
    PercentCoding.decode(text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The subprotocols that a WebSocket client offers, in its order.
  public var offeredSubprotocols: [String] {
    (headers["sec-websocket-protocol"] ?? "").split { $0 == "," || $0 == " " }.map(String.init)
  }
}
