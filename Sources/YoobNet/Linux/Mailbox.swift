#if os(Linux)
  import CLWS

  /// What other threads want of the network loop.
  final class Mailbox: Sendable {
    enum Command: Sendable {
      /// The answer to the request number `request` of the connection.
      case respond(HTTPResponse, request: Int)
      case socket(WebSocketConnection.Signal)
    }

    private struct State {
      var isStarted = false
      /// Seconds for the requests at work, once it stops.
      var patience: Double?
      var isEnded = false
      var commands: [(connection: Int, command: Command)] = []
      /// The loop's context while it runs; the address of a C object.
      var context: UInt?
      var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// True for the first caller.
    func claimStart() -> Bool {
      state.withLock { state in
        defer { state.isStarted = true }
        return !state.isStarted
      }
    }

    /// Hands a command to the loop; dropped when the loop has ended.
    func post(_ command: Command, to connection: Int) {
      state.withLock { state in
        guard !state.isEnded else { return }
        state.commands.append((connection, command))
        if state.commands.count == 1 { Self.wake(state) }
      }
    }

    private static func wake(_ state: State) {
      if let context = state.context { lws_cancel_service(OpaquePointer(bitPattern: context)) }
    }

    func opened(_ context: OpaquePointer) {
      state.withLock { state in
        state.context = UInt(bitPattern: context)
        if state.patience != nil || !state.commands.isEmpty { Self.wake(state) }
      }
    }

    /// Takes what was posted; and the seconds for requests at work when the loop is to stop.
    func take() -> (commands: [(connection: Int, command: Command)], stop: Double?) {
      state.withLock { state in
        defer { state.commands = [] }
        return (state.commands, state.patience)
      }
    }

    /// Lets the loop look at the time.
    func wake() { state.withLock { Self.wake($0) } }

    /// The context is about to go: nobody may wake it any more.
    func closing() { state.withLock { $0.context = nil } }

    func ended() {
      let waiters = state.withLock { state in
        state.isEnded = true
        state.commands = []
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }

    /// Stops the loop, which gives requests at work so many seconds; the first call decides.
    func stop(patience: Double) async {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.patience == nil { state.patience = patience }
          guard state.isStarted, !state.isEnded else { return true }
          state.waiters.append(continuation)
          Self.wake(state)
          return false
        }
        if isOver { continuation.resume() }
      }
    }
  }
#endif
