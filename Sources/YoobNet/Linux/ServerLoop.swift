#if os(Linux)
  import CLWS
  import Dispatch
  import Foundation

  /// The network loop: made, run and dropped on one thread.
  final class ServerLoop {
    /// Space that libwebsockets needs before everything that it writes: its macro LWS_PRE.
    static let pre = 16
    static let fileChunk = 64 << 10
    /// Largest header of a request, in bytes.
    static let maximumHeader = 16 << 10
    /// Time for the farewells at the end; a peer that says none by then is cut off.
    private static let farewellSeconds = 0.5
    /// Connections above the limit for the moment in which others give way to them.
    static let spareConnections = 64

    let configuration: HTTPServerConfiguration
    let handlers: HTTPServerHandlers
    let mailbox: Mailbox
    var links: [Int: Link] = [:]
    /// Addresses of the library's connections, those that have sent nothing yet among them.
    private var connections: Set<UInt> = []
    var waiting = WaitingConnections()
    private var lastLinkID = 0
    private var isStopping = false
    private var buffer: [UInt8]

    init(_ configuration: HTTPServerConfiguration, handlers: HTTPServerHandlers, mailbox: Mailbox) {
      self.configuration = configuration
      self.handlers = handlers
      self.mailbox = mailbox
      buffer = [UInt8](repeating: 0, count: Self.pre + Self.fileChunk)
    }

    /// Serves until the mailbox says stop. `started` gets the port, or why there is none.
    func run(_ started: (Result<Int, any Error>) -> Void) {
      signal(SIGPIPE, SIG_IGN)
      Self.current = self
      defer { Self.current = nil }
      let settings = ContextSettings(configuration, user: Unmanaged.passUnretained(self).toOpaque())
      let context: OpaquePointer
      let port: Int
      do {
        (context, port) = try settings.makeContext()
      } catch {
        mailbox.ended()
        return started(.failure(error))
      }
      mailbox.opened(context)
      started(.success(port))
      var deadline: Double?
      while deadline.map({ ProcessInfo.processInfo.systemUptime < $0 }) ?? true {
        if lws_service(context, 0) < 0 { break }
        if isStopping {
          if deadline == nil {
            deadline = ProcessInfo.processInfo.systemUptime + Self.farewellSeconds
            // Without an event the library waits for longer than that.
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.farewellSeconds) { [mailbox] in
              mailbox.wake()
            }
          }
          if !links.values.contains(where: { $0.socket != nil || $0.request != nil }) { break }
        }
      }
      mailbox.closing()
      lws_context_destroy(context)
      mailbox.ended()
    }

    /// One callback of libwebsockets; what it returns follows that library's rules.
    func handle(
      _ reason: lws_callback_reasons, _ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?,
      _ length: Int
    ) -> Int32 {
      switch reason {
      case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        return isStopping || !makeRoom() ? 1 : 0
      case LWS_CALLBACK_WSI_CREATE:
        connections.insert(UInt(bitPattern: wsi))
        waiting.add(UInt(bitPattern: wsi))
        return 0
      case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        takeCommands()
        return 0
      case LWS_CALLBACK_HTTP: return beginRequest(wsi, path: input, length)
      case LWS_CALLBACK_HTTP_BODY: return takeBody(wsi, input, length)
      case LWS_CALLBACK_HTTP_BODY_COMPLETION: return endBody(wsi)
      case LWS_CALLBACK_HTTP_WRITEABLE: return writeResponse(wsi)
      case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirmUpgrade(wsi, to: input)
      case LWS_CALLBACK_ESTABLISHED: return openSocket(wsi)
      case LWS_CALLBACK_RECEIVE: return receive(wsi, input, length)
      case LWS_CALLBACK_SERVER_WRITEABLE: return writeSocket(wsi)
      case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLOSED_HTTP:
        drop(wsi)
        return 0
      case LWS_CALLBACK_WSI_DESTROY:
        connections.remove(UInt(bitPattern: wsi))
        waiting.forget(UInt(bitPattern: wsi))
        drop(wsi)
        return 0
      default: return 0
      }
    }

    /// The loop of this thread, for callbacks that name none.
    static var current: ServerLoop? {
      get { Thread.current.threadDictionary["yoob.net.loop"] as? ServerLoop }
      set { Thread.current.threadDictionary["yoob.net.loop"] = newValue }
    }

    /// Whether another connection may come; at the limit the one that has waited longest for its
    /// request gives way.
    private func makeRoom() -> Bool {
      let excess = connections.count - configuration.maximumConnections
      guard excess >= 0 else { return true }
      guard excess < Self.spareConnections, let oldest = waiting.takeOldest(),
        let wsi = OpaquePointer(bitPattern: oldest)
      else { return false }
      lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, Int32(LWS_TO_KILL_ASYNC))
      return true
    }

    // MARK: Links

    /// The state of a connection; its number is what libwebsockets keeps for us.
    func link(_ wsi: OpaquePointer) -> Link? {
      links[Int(bitPattern: lws_get_opaque_user_data(wsi))]
    }

    func openLink(_ wsi: OpaquePointer) -> Link {
      if let link = link(wsi) { return link }
      lastLinkID += 1
      let link = Link(id: lastLinkID, wsi: wsi)
      links[link.id] = link
      lws_set_opaque_user_data(wsi, UnsafeMutableRawPointer(bitPattern: link.id))
      return link
    }

    private func drop(_ wsi: OpaquePointer) {
      guard let link = link(wsi) else { return }
      links[link.id] = nil
      lws_set_opaque_user_data(wsi, nil)
      link.socket?.finish()
    }

    private func takeCommands() {
      let (commands, stops) = mailbox.take()
      for (id, command) in commands {
        guard let link = links[id] else { continue }
        switch command {
        case .respond(let response, let request):
          guard request == link.requestNumber else { continue }
          link.response = response
          lws_callback_on_writable(link.wsi)
        case .socket(.flush): lws_callback_on_writable(link.wsi)
        case .socket(.overflow):
          // The peer may never read again: do not wait for it.
          lws_set_timeout(link.wsi, PENDING_TIMEOUT_CLOSE_SEND, 3)
          lws_callback_on_writable(link.wsi)
        case .socket(.resume): lws_rx_flow_control(link.wsi, 1)
        }
      }
      guard stops, !isStopping else { return }
      isStopping = true
      for link in links.values {
        link.socket?.close(code: 1001, reason: "The server is stopping.")
        lws_callback_on_writable(link.wsi)
      }
    }

    /// Writes bytes to a peer; false when the connection is lost.
    func write(
      _ bytes: some Collection<UInt8>, to wsi: OpaquePointer, as kind: lws_write_protocol
    ) -> Bool {
      let count = bytes.count
      if buffer.count < Self.pre + count {
        buffer = [UInt8](repeating: 0, count: Self.pre + count)
      }
      return buffer.withUnsafeMutableBufferPointer { buffer in
        let place = UnsafeMutableBufferPointer(rebasing: buffer[Self.pre..<Self.pre + count])
        _ = place.update(fromContentsOf: bytes)
        guard let start = buffer.baseAddress else { return false }
        return lws_write(wsi, start + Self.pre, count, kind) >= count
      }
    }

    /// Writes a part of a file; false when the connection or the file is lost.
    func write(
      _ file: OpenFile, offset: Int, count: Int, to wsi: OpaquePointer, as kind: lws_write_protocol
    ) -> Bool {
      buffer.withUnsafeMutableBytes { buffer in
        let place = UnsafeMutableRawBufferPointer(rebasing: buffer[Self.pre..<Self.pre + count])
        guard file.read(into: place, offset: offset) == count,
          let start = place.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        return lws_write(wsi, start, count, kind) >= count
      }
    }
  }

  /// A connection as the loop knows it.
  final class Link {
    let id: Int
    let wsi: OpaquePointer
    /// Counts the requests of the connection, so that a late answer meets no later request.
    var requestNumber = 0
    var request: HTTPRequest?
    var response: HTTPResponse?
    /// Bytes of the response's body that were written; nil before the header.
    var written: Int?
    /// Whether the connection ends after this response.
    var closesAfterResponse = false
    /// Whether the request was handed to the handler.
    var isDispatched = false
    var socket: WebSocketConnection?
    /// The message that is being received.
    var partial: [UInt8] = []

    init(id: Int, wsi: OpaquePointer) {
      self.id = id
      self.wsi = wsi
    }
  }
#endif
