/// What comes from a WebSocket.
public enum WebSocketLinkEvent: Sendable, Equatable {
  /// A message of text.
  case text(String)
  /// A message of bytes.
  case binary([UInt8])
  /// The end. The code of the side that closed first; 1005 where its peer named none, and nil when
  /// the connection was lost without a close.
  case closed(code: Int?, reason: String)

  /// In bytes, with what a message takes beside its content.
  var cost: Int {
    switch self {
    case .text(let text): text.utf8.count + 64
    case .binary(let bytes): bytes.count + 64
    case .closed: 64
    }
  }
}

/// The client's end of one WebSocket. It closes with 1000 when the last reference goes.
public protocol WebSocketLink: AnyObject, Sendable {
  /// What the peer sends, in order, with `closed` as the last. One reader. While more than a
  /// megabyte waits for it, the network is not read.
  var messages: AsyncStream<WebSocketLinkEvent> { get }
  /// The subprotocol that was agreed on.
  var subprotocol: String? { get }
  /// Queues a message; waits while more than a megabyte waits to be sent. Throws
  /// `NetError.closedEarly` when the connection is closed, and `NetError.cancelled`.
  func send(_ message: WebSocketMessage) async throws(NetError)
  /// Closes the connection once everything queued was sent, and within 3 seconds. Waits for nothing;
  /// only the first call counts. `code` as in RFC 6455, section 7.4; of the reason at most 120 bytes
  /// are sent.
  func close(code: Int, reason: String)
}

extension WebSocketLink {
  public var subprotocol: String? { nil }

  /// Queues a text message; see `send(_: WebSocketMessage)`.
  public func send(_ text: String) async throws(NetError) { try await send(.text(text)) }

  /// Queues a binary message; see `send(_: WebSocketMessage)`.
  public func send(_ bytes: [UInt8]) async throws(NetError) { try await send(.binary(bytes)) }

  /// Closes with 1000.
  public func close() { close(code: 1000, reason: "") }
}
