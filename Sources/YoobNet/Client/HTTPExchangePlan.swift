/// One checked request, without redirects, as the platform's client is told it.
struct HTTPExchangePlan: Sendable {
  let url: String
  /// Host and port, for messages.
  let place: String
  let method: String
  let fields: [(name: String, value: String)]
  let body: [UInt8]?
  let connectTimeout: Double
  let idleTimeout: Double
  let totalTimeout: Double
  let leastRate: LeastRate?
  let maxBodyBytes: Int
  let authorities: Authorities?
  /// Without a proxy.
  let isDirect: Bool

  /// Characters of a token besides letters and digits (RFC 9110, section 5.6.2).
  private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)
  /// Fields that say how a message is framed: the client's business.
  private static let reserved: Set<String> = ["content-length", "transfer-encoding", "host", "connection"]

  init(
    _ request: HTTPClientRequest, authorities: Authorities?, allowsPlainHTTP: Bool
  ) throws(NetError) {
    let url = try ClientURL(request.url, schemes: ["http", "https"])
    guard url.isEncrypted || url.isLoopback || allowsPlainHTTP else { throw .unprotected(host: url.host) }
    guard Self.isToken(request.method), request.method != "CONNECT" else {
      throw .invalidRequest(reason: "\"\(request.method)\" is no method")
    }
    try Self.check(request.headers)
    guard request.totalTimeout > 0 else {
      throw .timedOut(host: url.place, .finishing, seconds: 0)
    }
    self.url = url.text
    place = url.place
    method = request.method
    fields = request.headers
    // A length of 0 tells servers that no body follows (RFC 9110, section 8.6).
    body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil)
    connectTimeout = request.connectTimeout
    idleTimeout = request.idleTimeout
    totalTimeout = request.totalTimeout
    leastRate = request.leastRate
    maxBodyBytes = request.maxBodyBytes
    self.authorities = authorities
    isDirect = url.isLoopback
  }

  /// Throws `NetError.invalidRequest` for fields that would break the head.
  static func check(_ fields: [(name: String, value: String)]) throws(NetError) {
    for (name, value) in fields {
      guard isToken(name), !reserved.contains(name.lowercased()) else {
        throw .invalidRequest(reason: "\"\(name)\" cannot be set as a header field")
      }
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else {
        throw .invalidRequest(reason: "the header field \(name) holds a control character")
      }
    }
  }

  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0 || tokenMarks.contains($0)
      }
  }
}
