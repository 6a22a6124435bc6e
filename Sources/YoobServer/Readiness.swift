/// Whether conversations can begin, and the clients that wait for it.
actor Readiness {
  enum State: Sendable, Equatable {
    case starting
    case ready
    case failed(String)
  }

  /// What the clients that waited are told.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var state = State.starting
  private var waiters: [AsyncStream<Never>.Continuation] = []

  func set(_ state: State) {
    self.state = state
    guard state != .starting else { return }
    for waiter in waiters { waiter.finish() }
    waiters = []
  }

  /// Returns when conversations can begin; throws when they cannot, or the task is cancelled.
  func wait() async throws {
    if state == .starting {
      let (stream, continuation) = AsyncStream<Never>.makeStream()
      waiters.append(continuation)
      for await _ in stream {}
    }
    try Task.checkCancellation()
    if case .failed(let message) = state { throw Failure(description: message) }
  }
}
