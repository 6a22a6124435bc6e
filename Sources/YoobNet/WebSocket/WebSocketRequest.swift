/// A WebSocket that a client opens.
public struct WebSocketRequest: Sendable {
  /// wss, or ws to this machine.
  public var url: String
  /// Fields besides those of the handshake, such as `Authorization`.
  public var headers: [(name: String, value: String)]
  /// Offered in this order.
  public var subprotocols: [String]
  /// Seconds until the WebSocket must be open: name, TCP, TLS and handshake.
  public var connectTimeout = 15.0
  /// Largest message in either direction, in bytes; a larger one that comes closes with 1009.
  public var maxMessageBytes = 16 << 20
  /// Seconds of silence after which the peer is pinged; after as many again without a byte it is
  /// given up. Time in which the reader is busy does not count.
  public var pingInterval = 20.0
  /// Seconds for the answer to a ping; nil for another interval.
  var pongTimeout: Double?
  /// Seconds for a farewell; a peer that says none by then is cut off.
  var farewellSeconds = 3.0

  /// A request with the usual timeouts and limits, which are properties.
  public init(
    url: String, headers: [(name: String, value: String)] = [], subprotocols: [String] = []
  ) {
    self.url = url
    self.headers = headers
    self.subprotocols = subprotocols
  }
}
