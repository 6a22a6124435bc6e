/// Messages on their way to a peer, with a bound, and the close that follows them.
struct Outbox {
  enum Outcome: Equatable { case queued, overflowed, closed }
  enum Step: Equatable {
    case send(WebSocketMessage)
    case close(code: Int, reason: String)
    case nothing
  }

  /// Bytes that may wait.
  let limit: Int
  private var queue: [WebSocketMessage] = []
  private var head = 0
  private(set) var bytes = 0
  private var closing: (code: Int, reason: String)?
  private var isEnded = false

  init(limit: Int) { self.limit = limit }

  /// Whether it takes no more.
  var isClosing: Bool { isEnded || closing != nil }

  mutating func append(_ message: WebSocketMessage) -> Outcome {
    guard !isEnded, closing == nil else { return .closed }
    guard bytes + message.count <= limit else {
      drop()
      closing = (1008, "The connection reads too slowly.")
      return .overflowed
    }
    bytes += message.count
    queue.append(message)
    return .queued
  }

  /// False when it was closed before.
  mutating func close(code: Int, reason: String) -> Bool {
    guard !isEnded, closing == nil else { return false }
    closing = (code, reason)
    return true
  }

  mutating func next() -> Step {
    guard !isEnded else { return .nothing }
    if head < queue.count {
      let message = queue[head]
      head += 1
      bytes -= message.count
      if head == queue.count {
        queue.removeAll(keepingCapacity: true)
        head = 0
      } else if head > 64 {
        queue.removeFirst(head)
        head = 0
      }
      return .send(message)
    }
    if let closing {
      isEnded = true
      return .close(code: closing.code, reason: closing.reason)
    }
    return .nothing
  }

  mutating func end() {
    isEnded = true
    drop()
  }

  private mutating func drop() {
    queue = []
    head = 0
    bytes = 0
  }
}
