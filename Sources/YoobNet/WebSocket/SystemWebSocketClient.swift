/// The system's WebSocket client: libwebsockets on Linux, `URLSession` on Apple platforms.
///
/// wss to any host, ws to this machine. Certificates are checked against the system's. On Linux no
/// proxy is used.
/// ```swift
/// let link = try await SystemWebSocketClient().connect(WebSocketRequest(url: "wss://example.org/live"))
/// try await link.send("hello")
/// for await event in link.messages { … }
/// ```
public struct SystemWebSocketClient: Sendable {
  #if os(Linux)
    private let loop: ClientLoop
  #endif

  public init() {
    #if os(Linux)
      loop = .shared
    #endif
  }

  /// A client that also trusts the certificates of a PEM file, as for tests and private servers.
  /// Throws `NetError.invalidTLS` when the file holds none. On Apple platforms the keychain alone
  /// says what is trusted.
  public init(authorityFile: String) throws(NetError) {
    let authorities = try Authorities(file: authorityFile)
    #if os(Linux)
      loop = ClientLoop(authorityFile: authorities.path)
    #endif
  }

  /// Opens a WebSocket. Cancelling the task gives it up.
  public func connect(_ request: WebSocketRequest) async throws(NetError) -> any WebSocketLink {
    let plan = try LinkPlan(request)
    guard !Task.isCancelled else { throw .cancelled }
    #if os(Linux)
      return try await loop.connect(plan)
    #elseif canImport(Darwin)
      return try await URLSessionLink.connect(plan)
    #else
      throw .failed(host: plan.url.host, reason: "this platform has no WebSocket client")
    #endif
  }
}
