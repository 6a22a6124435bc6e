/// The system's WebSocket client: over libcurl on Linux, `URLSession` on Apple platforms.
///
/// wss to any host, ws to this machine. Certificates are checked against the system's. Any number of
/// WebSockets share one thread.
/// ```swift
/// let link = try await SystemWebSocketClient().connect(WebSocketRequest(url: "wss://example.org/live"))
/// try await link.send("hello")
/// for await event in link.messages { … }
/// ```
public struct SystemWebSocketClient: Sendable {
  private let authorities: Authorities?

  /// A client that trusts the certificates that the system trusts.
  public init() { authorities = nil }

  /// A client that also trusts the certificates of a PEM file, as for tests and private servers.
  /// Throws `NetError.invalidTLS` when the file holds none. On Apple platforms the keychain alone
  /// says what is trusted.
  public init(authorityFile: String) throws(NetError) {
    authorities = try Authorities(file: authorityFile)
  }

  /// Opens a WebSocket. Cancelling the task gives it up.
  public func connect(_ request: WebSocketRequest) async throws(NetError) -> any WebSocketLink {
    let plan = try LinkPlan(request, authorities: authorities)
    guard !Task.isCancelled else { throw .cancelled }
    #if canImport(CCurl)
      return try await ClientLoop.shared.connect(plan)
    #elseif canImport(Darwin)
      return try await URLSessionLink.connect(plan)
    #else
      throw .failed(host: plan.url.place, reason: "this platform has no WebSocket client")
    #endif
  }
}
