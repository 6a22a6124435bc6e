/// A request that a client sends.
/// ```swift
/// var request = HTTPClientRequest(method: "POST", url: "https://example.org/api", body: json)
/// request.headers = [("Content-Type", "application/json"), ("Authorization", "Bearer \(key)")]
/// let response = try await SystemHTTPClient().send(request)
/// ```
public struct HTTPClientRequest: Sendable {
  /// Such as "GET"; it is sent as it is.
  public var method: String
  /// http or https, without user name and password.
  public var url: String
  /// Fields in their order. Nothing is added but what HTTP needs.
  public var headers: [(name: String, value: String)]
  /// The body; nil sends none.
  public var body: [UInt8]?
  /// Seconds until the connection must stand: name, TCP and TLS.
  public var connectTimeout = 15.0
  /// Seconds without a byte in either direction; time in which the receiver is busy does not count.
  public var idleTimeout = 30.0
  /// The least that the answer must bring from when the request is sent, without time in which the receiver is
  /// busy; nil for any speed. `NetError.tooSlow` ends an answer that brings less.
  public var leastRate: LeastRate?
  /// Seconds for everything, redirects included; may be infinite.
  public var totalTimeout = 600.0
  /// Largest body of the answer, in bytes; more ends the request with `NetError.tooLarge`.
  public var maxBodyBytes = 16 << 20
  /// How many redirects are followed. A redirect never leads from https to http, and to another
  /// origin it carries only fields that describe the body, or say which answer is wanted.
  public var maxRedirects = 0

  /// A request with the usual timeouts and limits, which are properties.
  public init(
    method: String = "GET", url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// The whole answer to a request.
public struct HTTPClientResponse: Sendable, Equatable {
  /// 100...599.
  public var status: Int
  /// The header fields of the answer.
  public var headers: HTTPHeaders
  /// As it was sent: a content coding is not undone, and none is asked for.
  public var body: [UInt8]

  /// An answer, as for a double in a test.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
