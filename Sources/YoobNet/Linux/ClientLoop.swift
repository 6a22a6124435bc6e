#if os(Linux)
  import CLWS
  import Dispatch
  import Foundation

  /// The network thread of WebSocket clients: begins with the first connection, ends with the last
  /// reference.
  final class ClientLoop: Sendable {
    /// For clients that trust the system's certificates alone.
    static let shared = ClientLoop(authorityFile: nil)

    enum Command: Sendable {
      /// Connects to the first of the addresses.
      case connect(ClientSocket, addresses: [String])
      /// Something to send, or to close.
      case flush
      case resume
      /// The connection ends now.
      case kill
    }

    private let mailbox = Mailbox<Command>()
    private let authorityFile: String?
    private let lastID = Locked(0)

    init(authorityFile: String?) { self.authorityFile = authorityFile }

    deinit { mailbox.requestStop() }

    func connect(_ plan: LinkPlan) async throws(NetError) -> any WebSocketLink {
      if mailbox.claimStart() {
        let thread = Thread { [mailbox, authorityFile] in
          ClientRunner(mailbox: mailbox, authorityFile: authorityFile).run()
        }
        thread.name = "yoob.link"
        thread.stackSize = 1 << 20
        thread.start()
      }
      let id = lastID.withLock { last in
        last += 1
        return last
      }
      let socket = ClientSocket(id: id, plan: plan) { [mailbox] in mailbox.post($0, to: id) }
      Self.lookUp(plan.url) { [mailbox] addresses in
        if addresses.isEmpty {
          socket.fail(.nameNotFound(host: plan.url.place))
        } else {
          mailbox.post(.connect(socket, addresses: addresses), to: id)
        }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + plan.connectTimeout) { [weak socket] in
        socket?.fail(.timedOut(host: plan.url.place, .connecting, seconds: plan.connectTimeout))
      }
      try await socket.waitUntilOpen()
      return ClientLink(socket, loop: self)
    }

    /// The host's addresses as numbers, found on a thread of its own: looking a name up may take as
    /// long as it likes.
    private static func lookUp(_ url: ClientURL, _ answer: @escaping @Sendable ([String]) -> Void) {
      Thread.detachNewThread {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(url.host, String(url.port), &hints, &found) == 0 else { return answer([]) }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let entry = next, addresses.count < 8 {
          var name = [CChar](repeating: 0, count: 1025)
          let isRead = getnameinfo(
            entry.pointee.ai_addr, entry.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0,
            NI_NUMERICHOST)
          if isRead == 0 {
            addresses.append(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
          }
          next = entry.pointee.ai_next
        }
        answer(addresses)
      }
    }
  }

  /// What the caller holds; the loop holds the socket.
  private final class ClientLink: WebSocketLink {
    private let socket: ClientSocket
    private let loop: ClientLoop

    init(_ socket: ClientSocket, loop: ClientLoop) {
      self.socket = socket
      self.loop = loop
    }

    deinit { socket.close(code: 1000, reason: "") }

    var messages: AsyncStream<WebSocketLinkEvent> {
      AsyncStream { [self] in await socket.inbox.next() }
    }

    var subprotocol: String? { socket.subprotocol }

    func send(_ message: WebSocketMessage) async throws(NetError) { try await socket.send(message) }

    func close(code: Int, reason: String) { socket.close(code: code, reason: reason) }
  }
#endif
