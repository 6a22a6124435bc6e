import YoobWire

/// Answers a request for a WebSocket (RFC 6455, section 4.2).
struct ServerHandshake: Equatable {
  /// What was agreed on: the first of the client's subprotocols that the server has.
  let subprotocol: String?
  private let key: String

  init(_ head: RequestHead, subprotocols: [String]) throws(HTTPRefusal) {
    let fields = head.request.headers
    guard head.request.method == "GET", head.bodyLength == 0 else {
      throw .malformed("a WebSocket is asked for with GET, and without a body.")
    }
    guard fields["sec-websocket-version"] == "13" else { throw .otherWebSocket }
    guard let key = fields["sec-websocket-key"], Base64.decode(key)?.count == 16 else {
      throw .malformed("its Sec-WebSocket-Key is none.")
    }
    self.key = key
    subprotocol = head.request.offeredSubprotocols.first { subprotocols.contains($0) }
  }

  var response: [UInt8] {
    var text = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
    text += "sec-websocket-accept: \(ClientHandshake.accept(key))\r\n"
    if let subprotocol { text += "sec-websocket-protocol: \(subprotocol)\r\n" }
    return Array((text + "\r\n").utf8)
  }
}
