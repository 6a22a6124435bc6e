#if os(Linux)
  import CLWS
  import Foundation

  /// The C side's settings of one server.
  struct ContextSettings {
    private let configuration: HTTPServerConfiguration
    private let user: UnsafeMutableRawPointer

    /// What libwebsockets complained about last.
    private static let complaints = Locked([String]())

    init(_ configuration: HTTPServerConfiguration, user: UnsafeMutableRawPointer) {
      self.configuration = configuration
      self.user = user
    }

    /// A context that listens, and its port.
    ///
    /// The C strings and tables live as long as the process: a server is made once or twice in it,
    /// and libwebsockets reads them until its context is gone.
    func makeContext() throws(NetError) -> (OpaquePointer, port: Int) {
      try checkAddress()
      lws_set_log_level(1 | 2) { _, line in
        guard let line else { return }
        let text = String(cString: line).trimmingCharacters(in: .whitespacesAndNewlines)
        ContextSettings.complaints.withLock { $0 = $0.suffix(4) + [text] }
      }
      Self.complaints.withLock { $0 = [] }
      var info = lws_context_creation_info()
      info.port = Int32(configuration.port)
      info.iface = Self.string(configuration.host == "localhost" ? "127.0.0.1" : configuration.host)
      info.protocols = protocols()
      info.user = user
      info.options = UInt64(
        LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_ADOPT_APPLY_LISTEN_ACCEPT_CONFIG)
      // Bytes as they come: see `ServerLoop`.
      info.listen_accept_role = Self.string("raw-skt")
      info.listen_accept_protocol = Self.string(Self.name)
      info.pt_serv_buf_size = UInt32(ServerLoop.readSize)
      if !configuration.host.contains(":") { info.options |= UInt64(LWS_SERVER_OPTION_DISABLE_IPV6) }
      info.timeout_secs = UInt32(max(1, configuration.handshakeSeconds))
      if let tls = configuration.tls {
        info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
        info.ssl_cert_filepath = Self.string(tls.certificate)
        info.ssl_private_key_filepath = Self.string(tls.key)
        // HTTP/2 gains nothing here.
        info.alpn = Self.string("http/1.1")
      }
      guard let context = lws_create_context(&info) else {
        let reason = Self.complaints.withLock { $0.last ?? "libwebsockets gave no reason" }
        if configuration.tls != nil { throw .invalidTLS(reason: reason) }
        throw .cannotListen(host: configuration.host, port: configuration.port, reason: reason)
      }
      let host = lws_get_vhost_by_name(context, "default")
      let port = host.map { Int(lws_get_vhost_listen_port($0)) } ?? configuration.port
      return (context, port)
    }

    private static func string(_ text: String) -> UnsafePointer<CChar>? { UnsafePointer(strdup(text)) }

    private static let name = "yoob"

    private func protocols() -> UnsafePointer<lws_protocols> {
      let table = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
      var entry = lws_protocols()
      entry.name = Self.string(Self.name)
      entry.callback = { wsi, reason, _, input, length in
        guard let wsi, let context = lws_get_context(wsi), let user = lws_context_user(context)
        else { return 0 }
        let loop = Unmanaged<ServerLoop>.fromOpaque(user).takeUnretainedValue()
        return loop.handle(reason, wsi, input, length)
      }
      entry.rx_buffer_size = ServerLoop.readSize
      entry.tx_packet_size = ServerLoop.chunk
      table.initialize(to: entry)
      (table + 1).initialize(to: lws_protocols())
      return UnsafePointer(table)
    }

    /// Binds once for the reason of a failure: libwebsockets gives none.
    private func checkAddress() throws(NetError) {
      let (host, port) = (configuration.host, configuration.port)
      guard (0...65_535).contains(port) else {
        throw .cannotListen(host: host, port: port, reason: "a port is a number from 0 to 65535")
      }
      var hints = addrinfo()
      hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var found: UnsafeMutablePointer<addrinfo>?
      let name = host == "localhost" ? "127.0.0.1" : host
      guard getaddrinfo(name, String(port), &hints, &found) == 0, let address = found else {
        throw .cannotListen(host: host, port: port, reason: "\"\(host)\" is not an IP address")
      }
      defer { freeaddrinfo(found) }
      let descriptor = socket(address.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
      guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) != 0 else { return }
      let code = errno
      if code == EADDRINUSE { throw .portInUse(host: host, port: port) }
      throw .cannotListen(host: host, port: port, reason: String(cString: strerror(code)))
    }
  }
#endif
