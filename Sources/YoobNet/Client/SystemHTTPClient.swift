/// The system's HTTP client: libcurl on Linux, `URLSession` on Apple platforms.
///
/// HTTP/1.1, and HTTP/2 where a server offers it. Connections are kept and used again, also by other
/// clients of the process. Certificates are checked against the system's; plain http goes to this
/// machine only.
/// ```swift
/// let client = SystemHTTPClient()
/// let response = try await client.send(HTTPClientRequest(url: "https://example.org/"))
/// ```
public struct SystemHTTPClient: HTTPClient {
  private let authorities: Authorities?
  private let allowsPlainHTTP: Bool

  /// `allowsPlainHTTP` permits http to other machines as well.
  public init(allowsPlainHTTP: Bool = false) {
    authorities = nil
    self.allowsPlainHTTP = allowsPlainHTTP
  }

  /// A client that also trusts the certificates of a PEM file, as for tests and private servers.
  /// Throws `NetError.invalidTLS` when the file holds none. On Apple platforms the keychain alone
  /// says what is trusted.
  public init(authorityFile: String, allowsPlainHTTP: Bool = false) throws(NetError) {
    authorities = try Authorities(file: authorityFile)
    self.allowsPlainHTTP = allowsPlainHTTP
  }

  public func stream(
    _ request: HTTPClientRequest, onHead: @escaping @Sendable (Int, HTTPHeaders) -> Bool,
    receive: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws(NetError) {
    let begun = ContinuousClock.now
    var current = request
    var followed = 0
    while true {
      guard !Task.isCancelled else { throw .cancelled }
      let transfer = start(
        try HTTPExchangePlan(current, authorities: authorities, allowsPlainHTTP: allowsPlainHTTP))
      // Whoever leaves this turn leaves no transfer behind.
      defer { transfer.cancel() }
      guard case .head(let status, let headers) = try await event(of: transfer) else { return }
      if let next = try Redirect.next(after: current, status: status, headers: headers, followed: followed) {
        current = next
        followed += 1
        let spent = (ContinuousClock.now - begun) / .seconds(1)
        current.totalTimeout = request.totalTimeout - spent
        continue
      }
      guard onHead(status, headers) else { return }
      while case .bytes(let bytes) = try await event(of: transfer) {
        guard receive(bytes) else { return }
      }
      return
    }
  }

  /// The next event; an error of the end is thrown.
  private func event(of transfer: HTTPTransfer) async throws(NetError) -> HTTPTransfer.Event {
    let event = await transfer.next()
    if case .end(let error?) = event { throw error }
    return event
  }

  private func start(_ plan: HTTPExchangePlan) -> HTTPTransfer {
    #if canImport(CCurl)
      return HTTPLoop.shared.start(plan)
    #elseif canImport(Darwin)
      return URLSessionExchange.start(plan)
    #else
      let transfer = HTTPTransfer(maxBodyBytes: plan.maxBodyBytes)
      transfer.finish(.failed(host: plan.place, reason: "this platform has no HTTP client"))
      return transfer
    #endif
  }
}
