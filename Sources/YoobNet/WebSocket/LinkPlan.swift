/// A checked request for a WebSocket.
struct LinkPlan: Sendable {
  let url: ClientURL
  let fields: [(name: String, value: String)]
  let subprotocols: [String]
  let connectTimeout: Double
  let maxMessageBytes: Int
  let pingInterval: Double
  let pongTimeout: Double?
  let farewellSeconds: Double
  let authorities: Authorities?

  private static let reserved: Set<String> = [
    "upgrade", "sec-websocket-key", "sec-websocket-version",
    "sec-websocket-protocol", "sec-websocket-extensions", "sec-websocket-accept",
  ]

  init(_ request: WebSocketRequest, authorities: Authorities? = nil) throws(NetError) {
    self.authorities = authorities
    url = try ClientURL(request.url, schemes: ["ws", "wss"])
    guard url.isEncrypted || url.isLoopback else { throw .unprotected(host: url.host) }
    try HTTPExchangePlan.check(request.headers)
    for (name, _) in request.headers where Self.reserved.contains(name.lowercased()) {
      throw .invalidRequest(reason: "\"\(name)\" cannot be set as a header field")
    }
    for name in request.subprotocols where !HTTPExchangePlan.isToken(name) {
      throw .invalidRequest(reason: "\"\(name)\" is no name of a subprotocol")
    }
    fields = request.headers
    subprotocols = request.subprotocols
    connectTimeout = max(0, request.connectTimeout)
    maxMessageBytes = request.maxMessageBytes
    pingInterval = request.pingInterval
    pongTimeout = request.pongTimeout
    farewellSeconds = request.farewellSeconds
  }
}
