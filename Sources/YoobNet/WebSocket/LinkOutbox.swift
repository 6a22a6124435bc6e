/// Messages on their way to a peer; who sends waits while it is full.
final class LinkOutbox: Sendable {
  /// Bytes that may wait; a larger message goes alone.
  static let limit = 1 << 20

  private typealias Waiter = (
    id: Int, message: WebSocketMessage, continuation: CheckedContinuation<NetError?, Never>
  )

  private struct State {
    var outbox = Outbox(limit: .max)
    var waiters: [Waiter] = []
    var lastID = 0

    /// Whether there is room for a message.
    func takes(_ message: WebSocketMessage) -> Bool {
      outbox.bytes == 0 || outbox.bytes + message.count <= LinkOutbox.limit
    }
  }

  private let state = Locked(State())
  private let host: String
  private let wake: @Sendable () -> Void

  /// `wake` is called when there is something to send, or to close.
  init(host: String, wake: @escaping @Sendable () -> Void) {
    self.host = host
    self.wake = wake
  }

  func send(_ message: WebSocketMessage) async throws(NetError) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: NetError?? = state.withLock { state in
          if Task.isCancelled { return .some(.cancelled) }
          guard state.waiters.isEmpty, state.takes(message) else {
            guard !state.outbox.isClosing else { return .some(.closedEarly(host: host)) }
            state.waiters.append((id, message, continuation))
            return nil
          }
          return state.outbox.append(message) == .queued ? .some(nil) : .some(.closedEarly(host: host))
        }
        guard let answer else { return }
        if answer == nil { wake() }
        continuation.resume(returning: answer)
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: .cancelled)
    }
    if let error { throw error }
  }

  /// False when it was closed before.
  func close(code: Int, reason: String) -> Bool {
    let isFirst = state.withLock { $0.outbox.close(code: code, reason: reason) }
    if isFirst {
      refuseWaiters()
      wake()
    }
    return isFirst
  }

  /// What is to be written next; whoever waits for the room moves up.
  func nextStep() -> Outbox.Step {
    let (step, served): (Outbox.Step, [Waiter]) = state.withLock { state in
      let step = state.outbox.next()
      var served: [Waiter] = []
      while let first = state.waiters.first, state.takes(first.message),
        state.outbox.append(first.message) == .queued
      {
        served.append(state.waiters.removeFirst())
      }
      return (step, served)
    }
    for waiter in served { waiter.continuation.resume(returning: nil) }
    return step
  }

  /// The connection is gone.
  func end() {
    state.withLock { $0.outbox.end() }
    refuseWaiters()
  }

  private func refuseWaiters() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: .closedEarly(host: host)) }
  }
}
