#if os(Linux)
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

    @Test("an address that is none of this machine cannot be listened on", arguments: ["example", "203.0.113.7"])
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
  }
#endif
