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
        // The library only complains, and closes the connection without an answer.
        if text.contains("Ran out of header data space") || text.contains("More hdr frags") {
          ServerLoop.current?.refuseLongHeader()
        }
      }
      Self.complaints.withLock { $0 = [] }
      var info = lws_context_creation_info()
      info.port = Int32(configuration.port)
      info.iface = Self.string(configuration.host == "localhost" ? "127.0.0.1" : configuration.host)
      info.protocols = protocols()
      info.user = user
      info.options = UInt64(LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND)
      if !configuration.host.contains(":") { info.options |= UInt64(LWS_SERVER_OPTION_DISABLE_IPV6) }
      info.max_http_header_data = UInt16(ServerLoop.maximumHeader)
      // One for each connection, made when it is used: none waits until another's header is complete.
      info.max_http_header_pool = UInt16(
        clamping: configuration.maximumConnections + ServerLoop.spareConnections)
      info.keepalive_timeout = 30
      info.timeout_secs = 15
      info.retry_and_idle_policy = idlePolicy()
      info.server_string = Self.string("yoob")
      if let tls = configuration.tls {
        info.options |= UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
        info.ssl_cert_filepath = Self.string(tls.certificate)
        info.ssl_private_key_filepath = Self.string(tls.key)
        // WebSockets over HTTP/2 gain nothing here.
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

    /// The first entry takes HTTP, and WebSockets whose client offers no subprotocol.
    private func protocols() -> UnsafePointer<lws_protocols> {
      let names = [ServerLoop.plainProtocol] + configuration.subprotocols
      let table = UnsafeMutablePointer<lws_protocols>.allocate(capacity: names.count + 1)
      for (index, name) in names.enumerated() {
        var entry = lws_protocols()
        entry.name = Self.string(name)
        entry.callback = { wsi, reason, _, input, length in
          guard let wsi, let context = lws_get_context(wsi), let user = lws_context_user(context)
          else { return 0 }
          let loop = Unmanaged<ServerLoop>.fromOpaque(user).takeUnretainedValue()
          return loop.handle(reason, wsi, input, length)
        }
        entry.rx_buffer_size = 16 << 10
        (table + index).initialize(to: entry)
      }
      (table + names.count).initialize(to: lws_protocols())
      return UnsafePointer(table)
    }

    private func idlePolicy() -> UnsafePointer<lws_retry_bo_t> {
      let policy = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
      var values = lws_retry_bo_t()
      values.secs_since_valid_ping = UInt16(clamping: configuration.pingAfter)
      values.secs_since_valid_hangup = UInt16(clamping: configuration.hangUpAfter)
      policy.initialize(to: values)
      return UnsafePointer(policy)
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
