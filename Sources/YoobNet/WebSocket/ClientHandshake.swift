import YoobWire

/// Opens a WebSocket (RFC 6455, section 4.1): the request, and the check of its answer.
struct ClientHandshake {
  private let plan: LinkPlan
  private let key: String
  private var reader = HTTPHeadReader()
  private var line: [UInt8] = []

  /// `nonce` has 16 random bytes.
  init(_ plan: LinkPlan, nonce: [UInt8] = (0..<16).map { _ in UInt8.random(in: 0...255) }) {
    self.plan = plan
    key = Base64.encode(nonce)
  }

  var request: [UInt8] {
    var text = "GET \(plan.url.target) HTTP/1.1\r\nHost: \(plan.url.authority)\r\nUpgrade: websocket\r\n"
    text += "Connection: Upgrade\r\nSec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
    if !plan.subprotocols.isEmpty {
      text += "Sec-WebSocket-Protocol: \(plan.subprotocols.joined(separator: ", "))\r\n"
    }
    for (name, value) in plan.fields { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// What proves that the server has read the key.
  static func accept(_ key: String) -> String {
    Base64.encode(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }

  /// What was agreed on.
  struct Agreement: Equatable { var subprotocol: String? }

  /// Takes bytes of the answer up to its end, and leaves what follows in `rest`; nil before the end.
  mutating func take(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(NetError) -> Agreement? {
    while let byte = rest.popFirst() {
      line.append(byte)
      guard byte == UInt8(ascii: "\n") || line.count > HTTPHeadReader.limit else { continue }
      defer { line = [] }
      if let (status, headers) = try reader.take(line) {
        return Agreement(subprotocol: try check(status, headers))
      }
      guard reader.hasStatus else { throw invalid("it is no HTTP") }
    }
    return nil
  }

  private func check(_ status: Int, _ headers: HTTPHeaders) throws(NetError) -> String? {
    guard status == 101 else { throw .noWebSocket(host: plan.url.place, status: status) }
    guard headers["upgrade"]?.lowercased() == "websocket",
      headers["connection"]?.lowercased().contains("upgrade") == true
    else { throw invalid("it opens no WebSocket") }
    guard headers["sec-websocket-accept"] == Self.accept(key) else { throw invalid("its key is wrong") }
    guard headers["sec-websocket-extensions"] == nil else {
      throw invalid("it takes an extension that was not offered")
    }
    let name = headers["sec-websocket-protocol"]
    if let name, !plan.subprotocols.contains(name) {
      throw invalid("it takes a subprotocol that was not offered")
    }
    return name
  }

  private func invalid(_ reason: String) -> NetError { .invalidAnswer(host: plan.url.place, reason: reason) }
}
