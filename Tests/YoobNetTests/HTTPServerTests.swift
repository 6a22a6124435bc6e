#if os(Linux)
  import Glibc
  import Testing

  @testable import YoobNet

  @Suite("HTTP server")
  struct HTTPServerTests {
    private func server(port: Int, host: String = "127.0.0.1") -> HTTPServer {
      HTTPServer(
        HTTPServerConfiguration(host: host, port: port),
        handlers: HTTPServerHandlers(respond: { _ in .text("ok") }))
    }

    @Test("a port in use is named, and free again after a stop")
    func portInUse() async throws {
      let first = server(port: 0)
      let port = try await first.start()
      await #expect(throws: NetError.portInUse(host: "127.0.0.1", port: port)) {
        try await server(port: port).start()
      }
      #expect("\(NetError.portInUse(host: "127.0.0.1", port: port))".contains("--port"))
      await first.stop()
      let second = server(port: port)
      #expect(try await second.start() == port)
      await second.stop()
    }

    @Test(
      "an address that is none of this machine cannot be listened on", arguments: ["example", "203.0.113.7"])
    func wrongAddress(host: String) async {
      await #expect {
        try await server(port: 0, host: host).start()
      } throws: { error in
        if case NetError.cannotListen(host, 0, _) = error { true } else { false }
      }
    }

    @Test("a certificate that is missing is told")
    func missingCertificate() async {
      var configuration = HTTPServerConfiguration(port: 0)
      configuration.tls = .init(certificate: "/nowhere/cert.pem", key: "/nowhere/key.pem")
      let server = HTTPServer(configuration, handlers: HTTPServerHandlers(respond: { _ in .text("ok") }))
      await #expect {
        try await server.start()
      } throws: { error in
        if case NetError.invalidTLS = error { true } else { false }
      }
    }

    @Test("a server starts once, and stops as often as one likes")
    func startsOnce() async throws {
      let server = server(port: 0)
      _ = try await server.start()
      await #expect(throws: NetError.alreadyStarted) { try await server.start() }
      await server.stop()
      await server.stop()
    }

    /// A connection to a port of this machine.
    private func connect(_ port: Int) -> Int32 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      return descriptor
    }

    /// Whether a request on the connection is answered; false when the server has closed it.
    private func isAnswered(_ descriptor: Int32) -> Bool {
      let text = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      _ = send(descriptor, text, text.count, Int32(MSG_NOSIGNAL))
      var answer = [UInt8](repeating: 0, count: 4096)
      return recv(descriptor, &answer, answer.count, 0) > 0
    }

    @Test("connections that say nothing count, until they are gone")
    func idleConnections() async throws {
      var configuration = HTTPServerConfiguration(port: 0)
      configuration.maximumConnections = 2
      let server = HTTPServer(configuration, handlers: HTTPServerHandlers(respond: { _ in .text("ok") }))
      let port = try await server.start()
      let idle = [connect(port), connect(port)]
      let extra = connect(port)
      #expect(!isAnswered(extra))
      close(extra)
      for descriptor in idle { close(descriptor) }
      // The server learns of the ends in its own time.
      var isServed = false
      for _ in 0..<1000 where !isServed {
        let next = connect(port)
        isServed = isAnswered(next)
        close(next)
      }
      #expect(isServed)
      await server.stop()
    }
  }
#endif
