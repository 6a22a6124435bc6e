#if os(Linux)
  import CLWS
  import Foundation

  /// The WebSockets of one context. Made, run and dropped on one thread.
  final class ClientRunner {
    static let localName = "yoob.client"
    /// Largest head of a handshake in either direction, in bytes.
    private static let maximumHead = 16 << 10

    private let mailbox: Mailbox<ClientLoop.Command>
    private let authorityFile: String?
    private var context: OpaquePointer?
    private var links: [Int: ClientLinkState] = [:]
    private var buffer = [UInt8](repeating: 0, count: LibraryBuffer.pre + (64 << 10))
    private var isStopping = false

    init(mailbox: Mailbox<ClientLoop.Command>, authorityFile: String?) {
      self.mailbox = mailbox
      self.authorityFile = authorityFile
    }

    /// Runs until the mailbox says stop.
    func run() {
      signal(SIGPIPE, SIG_IGN)
      context = makeContext()
      guard let context else { return refuseEverything() }
      mailbox.opened(context)
      while !isStopping, lws_service(context, 0) >= 0 {}
      mailbox.closing()
      lws_context_destroy(context)
      mailbox.ended()
    }

    /// The C strings and tables live as long as the process: few loops are made in it.
    private func makeContext() -> OpaquePointer? {
      LibraryLog.install()
      let table = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
      var entry = lws_protocols()
      entry.name = Self.string(Self.localName)
      entry.rx_buffer_size = 64 << 10
      entry.callback = { wsi, reason, _, input, length in
        guard let wsi, let context = lws_get_context(wsi), let user = lws_context_user(context)
        else { return 0 }
        let runner = Unmanaged<ClientRunner>.fromOpaque(user).takeUnretainedValue()
        return runner.handle(reason, wsi, input, length)
      }
      table.initialize(to: entry)
      (table + 1).initialize(to: lws_protocols())
      var info = lws_context_creation_info()
      info.port = CONTEXT_PORT_NO_LISTEN
      info.protocols = UnsafePointer(table)
      info.user = Unmanaged.passUnretained(self).toOpaque()
      info.options = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
      info.max_http_header_data = UInt16(Self.maximumHead)
      info.max_http_header_pool = 64
      info.pt_serv_buf_size = UInt32(Self.maximumHead)
      // Each connection has a timer of its own; this is only the end of all waiting.
      info.timeout_secs = 600
      info.connect_timeout_secs = 600
      // An address without a port: the environment's proxy is left aside.
      info.http_proxy_address = Self.string("")
      if let authorityFile { info.client_ssl_ca_filepath = Self.string(authorityFile) }
      return lws_create_context(&info)
    }

    private static func string(_ text: String) -> UnsafePointer<CChar>? { UnsafePointer(strdup(text)) }

    private func refuseEverything() {
      for (_, command) in mailbox.take().commands {
        if case .connect(let socket, _) = command {
          socket.fail(.failed(host: socket.plan.url.place, reason: LibraryLog.last ?? "no context"))
        }
      }
      mailbox.ended()
    }

    // MARK: What the library calls

    private func handle(
      _ reason: lws_callback_reasons, _ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?,
      _ length: Int
    ) -> Int32 {
      if reason == LWS_CALLBACK_EVENT_WAIT_CANCELLED {
        takeCommands()
        return 0
      }
      guard let link = links[Int(bitPattern: lws_get_opaque_user_data(wsi))] else { return 0 }
      switch reason {
      case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: return addFields(link, wsi, input, length)
      case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
        link.subprotocol = Self.header(wsi, WSI_TOKEN_PROTOCOL)
        return 0
      case LWS_CALLBACK_CLIENT_ESTABLISHED:
        link.wsi = wsi
        guard link.socket.opened(subprotocol: link.subprotocol) else { return -1 }
        link.isOpen = true
        link.schedulePing(wsi)
        lws_callback_on_writable(wsi)
        return 0
      case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        lost(link, wsi, reason: link.text(input, length))
        return 0
      case LWS_CALLBACK_CLIENT_RECEIVE: return link.receive(wsi, input, length)
      case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        link.hasHeard = true
        return 0
      case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        link.peerCloses(input, length)
        return 0
      case LWS_CALLBACK_CLIENT_WRITEABLE: return link.write(wsi, through: &buffer)
      case LWS_CALLBACK_TIMER: return link.tick(wsi)
      case LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_WSI_DESTROY:
        drop(link)
        return 0
      default: return 0
      }
    }

    private func addFields(
      _ link: ClientLinkState, _ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ length: Int
    ) -> Int32 {
      guard let place = input?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self),
        let start = place.pointee
      else { return -1 }
      for (name, value) in link.socket.plan.fields {
        let isAdded = lws_add_http_header_by_name(
          wsi, name + ":", value, Int32(value.utf8.count), place, start + length)
        guard isAdded == 0 else {
          link.failure = .tooLarge(.header, limit: Self.maximumHead)
          return -1
        }
      }
      return 0
    }

    static func header(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
      let length = Int(lws_hdr_total_length(wsi, token))
      guard length > 0 else { return nil }
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
        guard let start = buffer.baseAddress, lws_hdr_copy(wsi, start, Int32(length + 1), token) >= 0
        else { return nil }
        return String(cString: start)
      }
    }

    // MARK: Links

    private func takeCommands() {
      let (commands, stops) = mailbox.take()
      for (id, command) in commands {
        switch command {
        case .connect(let socket, let addresses):
          // A request that was given up meanwhile finds nobody.
          guard socket.isPending else { continue }
          let link = ClientLinkState(socket, addresses: addresses)
          links[id] = link
          begin(link)
        case .flush: links[id]?.wsi.map { _ = lws_callback_on_writable($0) }
        case .resume: links[id]?.wsi.map { _ = lws_rx_flow_control($0, 1) }
        case .kill:
          links[id]?.wsi.map { lws_set_timeout($0, PENDING_TIMEOUT_CLOSE_SEND, Int32(LWS_TO_KILL_ASYNC)) }
        }
      }
      if stops { isStopping = true }
    }

    /// Connects to the next address.
    private func begin(_ link: ClientLinkState) {
      guard !link.addresses.isEmpty else { return drop(link) }
      let url = link.socket.plan.url
      let address = link.addresses.removeFirst()
      link.wsi = nil
      var info = lws_client_connect_info()
      info.context = context
      info.port = Int32(url.port)
      info.ssl_connection = Int32(LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue)
      if url.isEncrypted { info.ssl_connection |= Int32(LCCSCF_USE_SSL.rawValue) }
      info.opaque_user_data = UnsafeMutableRawPointer(bitPattern: link.socket.id)
      let names = link.socket.plan.subprotocols.joined(separator: ",")
      let wsi = address.withCString { address in
        url.authority.withCString { host in
          url.target.withCString { path in
            names.withCString { names in
              Self.localName.withCString { local in
                "http/1.1".withCString { alpn -> OpaquePointer? in
                  info.address = address
                  info.host = host
                  info.path = path
                  if !link.socket.plan.subprotocols.isEmpty { info.protocol = names }
                  info.local_protocol_name = local
                  info.alpn = alpn
                  return lws_client_connect_via_info(&info)
                }
              }
            }
          }
        }
      }
      if let wsi {
        if links[link.socket.id] === link { link.wsi = wsi }
      } else if links[link.socket.id] === link, link.wsi == nil {
        lost(link, nil, reason: "connect failed")
      }
    }

    /// The attempt has failed; another address may do.
    private func lost(_ link: ClientLinkState, _ wsi: OpaquePointer?, reason: String) {
      let error = link.error(reason, status: wsi.flatMap { Self.header($0, WSI_TOKEN_HTTP) })
      if case .refused = error, !link.addresses.isEmpty, link.socket.isPending {
        links[link.socket.id] = nil
        mailbox.post(.connect(link.socket, addresses: link.addresses), to: link.socket.id)
        return
      }
      // The first failure counts.
      link.socket.fail(error)
      drop(link)
    }

    private func drop(_ link: ClientLinkState) {
      guard links[link.socket.id] === link else { return }
      links[link.socket.id] = nil
      link.wsi = nil
      if link.isOpen {
        link.socket.ended(code: link.peerClose?.code, reason: link.peerClose?.reason ?? link.lossReason)
      } else {
        link.socket.fail(.closedEarly(host: link.socket.plan.url.place))
      }
    }
  }
#endif
