/// Messages on their way from the network to their reader, with a bound.
final class LinkInbox: Sendable {
  /// Bytes that may wait before the network is no longer read.
  static let limit = 1 << 20

  private struct State {
    var queue: [WebSocketLinkEvent] = []
    var head = 0
    var bytes = 0
    var isPaused = false
    var isEnded = false
    var reader: CheckedContinuation<WebSocketLinkEvent?, Never>?

    mutating func next() -> WebSocketLinkEvent? {
      guard head < queue.count else { return nil }
      defer {
        head += 1
        if head == queue.count || (head > 64 && head * 2 > queue.count) {
          queue.removeFirst(head)
          head = 0
        }
      }
      bytes -= queue[head].cost
      return queue[head]
    }
  }

  private let state = Locked(State())
  private let resume: @Sendable () -> Void

  /// `resume` is called when the network may be read again.
  init(resume: @escaping @Sendable () -> Void) { self.resume = resume }

  /// Whether the network waits for the reader.
  var isPaused: Bool { state.withLock { $0.isPaused } }

  /// Adds a message; true when reading from the network should pause. Nothing comes after an end.
  func put(_ event: WebSocketLinkEvent) -> Bool {
    let (reader, pauses): (CheckedContinuation<WebSocketLinkEvent?, Never>?, Bool) = state.withLock { state in
      guard !state.isEnded else { return (nil, false) }
      if case .closed = event { state.isEnded = true }
      if let reader = state.reader {
        state.reader = nil
        return (reader, false)
      }
      state.queue.append(event)
      state.bytes += event.cost
      state.isPaused = !state.isEnded && state.bytes > Self.limit
      return (nil, state.isPaused)
    }
    reader?.resume(returning: event)
    return pauses
  }

  /// The next message; nil after the end, and when the reader's task is cancelled.
  func next() async -> WebSocketLinkEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, resumes): (WebSocketLinkEvent??, Bool) = state.withLock { state in
          if let event = state.next() {
            let resumes = state.isPaused && state.bytes <= Self.limit / 2
            if resumes { state.isPaused = false }
            return (.some(event), resumes)
          }
          if state.isEnded || Task.isCancelled { return (.some(nil), false) }
          state.reader = continuation
          return (nil, false)
        }
        if resumes { resume() }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: nil)
    }
  }
}
