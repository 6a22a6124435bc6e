/// A message of a WebSocket.
public enum WebSocketMessage: Sendable, Equatable {
  /// Text.
  case text(String)
  /// Bytes.
  case binary([UInt8])

  /// In bytes.
  public var count: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}

/// The server's end of one WebSocket.
///
/// Sending never blocks: messages wait in an outbox with a bound, and a peer that reads too slowly
/// for it is closed with 1008. Receiving stops reading from the network while more than a
/// megabyte waits for the reader of `messages`.
public final class WebSocketConnection: Sendable {
  /// The request that opened the connection.
  public let request: HTTPRequest
  /// The subprotocol that was agreed on.
  public let subprotocol: String?
  /// What the peer sends; ends when the connection does. One reader.
  public let messages: Messages

  private let outbox: Locked<Outbox>
  private let closed: AsyncStream<Never>
  private let closedContinuation: AsyncStream<Never>.Continuation
  /// Wakes the network loop: something to send, or to close.
  private let wake: @Sendable (Signal) -> Void

  enum Signal: Sendable { case flush, overflow, resume }

  init(
    request: HTTPRequest, subprotocol: String?, outboxLimit: Int,
    wake: @escaping @Sendable (Signal) -> Void
  ) {
    self.request = request
    self.subprotocol = subprotocol
    self.wake = wake
    outbox = Locked(Outbox(limit: outboxLimit))
    (closed, closedContinuation) = AsyncStream.makeStream()
    messages = Messages(resume: { wake(.resume) })
  }

  /// Queues a text message; false when the connection is closed, or is closed now because too
  /// much waits to be sent.
  @discardableResult public func send(_ text: String) -> Bool { enqueue(.text(text)) }

  /// Queues a binary message; see `send(_: String)`.
  @discardableResult public func send(_ bytes: [UInt8]) -> Bool { enqueue(.binary(bytes)) }

  /// Closes the connection once everything queued was sent. `code` as in RFC 6455, such as 1000;
  /// of the reason at most 120 bytes are sent.
  public func close(code: Int, reason: String = "") {
    if outbox.withLock({ $0.close(code: code, reason: reason) }) { wake(.flush) }
  }

  /// Returns when the connection is gone, or the task is cancelled. One caller.
  public func waitUntilClosed() async {
    for await _ in closed {}
  }

  private func enqueue(_ message: WebSocketMessage) -> Bool {
    switch outbox.withLock({ $0.append(message) }) {
    case .queued:
      wake(.flush)
      return true
    case .overflowed:
      wake(.overflow)
      return false
    case .closed: return false
    }
  }

  /// What is to be written next. Called by the network loop.
  func nextStep() -> Outbox.Step { outbox.withLock { $0.next() } }

  /// The connection is gone. Called by the network loop.
  func finish() {
    outbox.withLock { $0.end() }
    messages.finish()
    closedContinuation.finish()
  }
}
