extension WebSocketConnection {
  /// The messages of a peer, in their order.
  public struct Messages: AsyncSequence, Sendable {
    public typealias Element = WebSocketMessage

    /// Bytes that may wait for the reader before the network is no longer read.
    static let limit = 1 << 20

    /// What a message takes up besides its bytes.
    private static let overhead = 64

    private let stream: AsyncStream<WebSocketMessage>
    private let continuation: AsyncStream<WebSocketMessage>.Continuation
    private let waiting = Locked((bytes: 0, isPaused: false))
    private let resume: @Sendable () -> Void

    init(resume: @escaping @Sendable () -> Void) {
      self.resume = resume
      (stream, continuation) = AsyncStream.makeStream()
    }

    /// Adds a message; true when reading from the network should pause.
    func deliver(_ message: WebSocketMessage) -> Bool {
      let pauses = waiting.withLock { state in
        state.bytes += message.count + Self.overhead
        state.isPaused = state.bytes > Self.limit
        return state.isPaused
      }
      continuation.yield(message)
      return pauses
    }

    /// Whether the network waits for the reader.
    var isPaused: Bool { waiting.withLock { $0.isPaused } }

    func finish() { continuation.finish() }

    private func took(_ message: WebSocketMessage) {
      let resumes = waiting.withLock { state in
        state.bytes -= message.count + Self.overhead
        guard state.isPaused, state.bytes <= Self.limit / 2 else { return false }
        state.isPaused = false
        return true
      }
      if resumes { resume() }
    }

    public func makeAsyncIterator() -> Iterator {
      Iterator(base: stream.makeAsyncIterator(), messages: self)
    }

    /// Takes one message after the other.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<WebSocketMessage>.Iterator
      let messages: Messages

      public mutating func next() async -> WebSocketMessage? {
        guard let message = await base.next() else { return nil }
        messages.took(message)
        return message
      }
    }
  }
}
