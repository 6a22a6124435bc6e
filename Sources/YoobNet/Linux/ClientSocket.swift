#if canImport(CCurl)
  import Dispatch

  /// One WebSocket of a client, between the loop and who holds it.
  final class ClientSocket: Sendable {
    let id: Int
    let plan: LinkPlan
    let inbox: LinkInbox
    let outbox: LinkOutbox
    private let post: @Sendable (ClientLoop.Command) -> Void

    private enum Opening {
      case pending(CheckedContinuation<NetError?, Never>?)
      case open(subprotocol: String?)
      case failed(NetError)
    }
    private let opening = Locked(Opening.pending(nil))
    /// The close that this side has begun.
    private let ownClose = Locked<(code: Int, reason: String)?>(nil)

    init(id: Int, plan: LinkPlan, post: @escaping @Sendable (ClientLoop.Command) -> Void) {
      self.id = id
      self.plan = plan
      self.post = post
      inbox = LinkInbox { post(.resume) }
      outbox = LinkOutbox(host: plan.url.place) { post(.flush) }
    }

    // MARK: The holder's side

    /// Returns when the WebSocket is open. Cancelling the task gives the connection up.
    func waitUntilOpen() async throws(NetError) {
      let error: NetError? = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let answer: NetError?? = opening.withLock { opening in
            switch opening {
            case .pending:
              opening = .pending(continuation)
              return nil
            case .open: return .some(nil)
            case .failed(let error): return .some(error)
            }
          }
          if let answer { continuation.resume(returning: answer) }
        }
      } onCancel: {
        fail(.cancelled)
      }
      if let error { throw error }
    }

    var subprotocol: String? {
      opening.withLock { if case .open(let name) = $0 { name } else { nil } }
    }

    func send(_ message: WebSocketMessage) async throws(NetError) {
      guard message.count <= plan.maxMessageBytes else {
        throw .tooLarge(.message, limit: plan.maxMessageBytes)
      }
      try await outbox.send(message)
    }

    func close(code: Int, reason: String) {
      let code = FrameReader.isCode(code) ? code : 1000
      ownClose.withLock { if $0 == nil { $0 = (code, reason) } }
      guard outbox.close(code: code, reason: reason) else { return }
      // A peer that is not read cannot say its farewell.
      post(.resume)
      endSoon()
    }

    // MARK: The loop's side

    /// Ends the attempt to connect, unless it has come to an end.
    func fail(_ error: NetError) {
      guard settle(.failed(error)) else { return }
      post(.kill)
    }

    /// False when nobody waits for it any more.
    func opened(subprotocol: String?) -> Bool { settle(.open(subprotocol: subprotocol)) }

    private func settle(_ result: Opening) -> Bool {
      let (isFirst, waiter): (Bool, CheckedContinuation<NetError?, Never>?) = opening.withLock { opening in
        guard case .pending(let waiter) = opening else { return (false, nil) }
        opening = result
        return (true, waiter)
      }
      if case .failed(let error) = result {
        waiter?.resume(returning: error)
      } else {
        waiter?.resume(returning: nil)
      }
      return isFirst
    }

    /// Whether somebody still waits for it to open.
    var isPending: Bool { opening.withLock { if case .pending = $0 { true } else { false } } }

    /// Whether this side has begun to close.
    var isClosing: Bool { ownClose.withLock { $0 != nil } }

    /// The peer has closed: nothing more is sent, and the connection ends soon.
    func peerClosed() {
      outbox.end()
      endSoon()
    }

    private func endSoon() {
      DispatchQueue.global().asyncAfter(deadline: .now() + plan.farewellSeconds) { [weak self] in
        self?.post(.kill)
      }
    }

    /// The connection is gone; `code` is the peer's, if it closed first.
    func ended(code: Int?, reason: String) {
      outbox.end()
      if code == nil, let own = ownClose.withLock({ $0 }) {
        _ = inbox.put(.closed(code: own.code, reason: own.reason))
      } else {
        _ = inbox.put(.closed(code: code, reason: reason))
      }
    }
  }
#endif
