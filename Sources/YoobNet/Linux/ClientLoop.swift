#if canImport(CCurl)
  import Dispatch

  /// The thread that runs every WebSocket of the process's clients.
  final class ClientLoop: Sendable {
    static let shared = ClientLoop()

    enum Command: Sendable {
      case connect(ClientSocket)
      /// Something to send, or to close.
      case flush
      /// The reader has room again.
      case resume
      /// The connection ends now.
      case kill
    }

    private let thread = CurlThread<(id: Int, command: Command)>(
      // The library counts these connections as kept, and would close the oldest at a limit.
      name: "yoob.link", kept: 1 << 20, perHost: 0,
      refuse: { entry in
        guard case .connect(let socket) = entry.command else { return }
        socket.fail(.failed(host: socket.plan.url.place, reason: "libcurl does not start"))
      },
      run: { thread, multi in
        let runner = ClientRunner(multi)
        while true {
          for (id, command) in thread.take() { runner.take(command, of: id) }
          runner.turn()
        }
      })
    private let lastID = Locked(0)

    func connect(_ plan: LinkPlan) async throws(NetError) -> any WebSocketLink {
      let id = lastID.withLock { last in
        last += 1
        return last
      }
      let socket = ClientSocket(id: id, plan: plan) { [thread] in thread.post((id, $0)) }
      thread.post((id, .connect(socket)))
      // Name, connection, TLS and handshake together.
      DispatchQueue.global().asyncAfter(deadline: .now() + plan.connectTimeout) { [weak socket] in
        socket?.fail(.timedOut(host: plan.url.place, .connecting, seconds: plan.connectTimeout))
      }
      try await socket.waitUntilOpen()
      return ClientLink(socket)
    }
  }

  /// What the caller holds; the loop holds the socket.
  private final class ClientLink: WebSocketLink {
    private let socket: ClientSocket

    init(_ socket: ClientSocket) { self.socket = socket }

    deinit { socket.close(code: 1000, reason: "") }

    var messages: AsyncStream<WebSocketLinkEvent> {
      AsyncStream { [self] in await socket.inbox.next() }
    }

    var subprotocol: String? { socket.subprotocol }

    func send(_ message: WebSocketMessage) async throws(NetError) { try await socket.send(message) }

    func close(code: Int, reason: String) { socket.close(code: code, reason: reason) }
  }
#endif
