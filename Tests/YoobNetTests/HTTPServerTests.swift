#if os(Linux)
  import Foundation
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

    @Test("a request that is at work is answered though the server stops")
    func answersBeforeTheEnd() async throws {
      let begun = AsyncStream<Void>.makeStream()
      let gate = AsyncStream<Void>.makeStream()
      let server = HTTPServer(
        HTTPServerConfiguration(port: 0),
        handlers: HTTPServerHandlers(respond: { _ in
          begun.continuation.yield()
          for await _ in gate.stream { break }
          return .text("late")
        }))
      let port = try await server.start()
      async let answer = SystemHTTPClient().send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"))
      for await _ in begun.stream { break }
      async let stop: Void = server.stop()
      gate.continuation.finish()
      await stop
      #expect(try await answer.body == Array("late".utf8))
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

    private func write(_ text: String, to descriptor: Int32) {
      let bytes = Array(text.utf8)
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// What the server says next; empty when it has closed the connection.
    private func read(_ descriptor: Int32) async -> String {
      // On a thread of its own: the server's answers are made on those that tasks share.
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          var answer = [UInt8](repeating: 0, count: 4096)
          let count = recv(descriptor, &answer, answer.count, 0)
          continuation.resume(returning: String(decoding: answer.prefix(max(0, count)), as: UTF8.self))
        }
      }
    }

    /// Whether the server has neither said anything nor closed the connection.
    private func isQuiet(_ descriptor: Int32) -> Bool {
      var byte: UInt8 = 0
      return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    private static let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Whether a request on the connection is answered; false when the server has closed it.
    private func isAnswered(_ descriptor: Int32) async -> Bool {
      write(Self.request, to: descriptor)
      var answer = ""
      while !answer.hasSuffix("\r\n\r\nok") {
        let piece = await read(descriptor)
        if piece.isEmpty { return false }
        answer += piece
      }
      return answer.hasPrefix("HTTP/1.1 200")
    }

    @Test(
      "a request that says no length of a body is answered, and its connection closed",
      arguments: ["POST", "PUT", "PATCH"])
    func noLength(method: String) async throws {
      let server = server(port: 0)
      let descriptor = connect(try await server.start())
      write("\(method) / HTTP/1.1\r\nHost: localhost\r\n\r\n", to: descriptor)
      var answer = ""
      while case let piece = await read(descriptor), !piece.isEmpty { answer += piece }
      #expect(answer.hasPrefix("HTTP/1.1 200"))
      #expect(answer.lowercased().contains("connection: close"))
      #expect(answer.hasSuffix("\r\n\r\nok"))
      close(descriptor)
      await server.stop()
    }

    @Test("a request without a body leaves its connection to the next", arguments: ["DELETE", "OPTIONS"])
    func noBody(method: String) async throws {
      let server = server(port: 0)
      let descriptor = connect(try await server.start())
      write("\(method) / HTTP/1.1\r\nHost: localhost\r\n\r\n", to: descriptor)
      var answer = ""
      while !answer.hasSuffix("\r\n\r\nok") {
        let piece = await read(descriptor)
        guard !piece.isEmpty else { break }
        answer += piece
      }
      #expect(await isAnswered(descriptor))
      close(descriptor)
      await server.stop()
    }

    @Test("requests that never end keep nobody waiting", arguments: [100, 500])
    func halfOpen(count: Int) async throws {
      let server = server(port: 0)
      let port = try await server.start()
      let slow = (0..<count).map { _ in connect(port) }
      for (index, descriptor) in slow.enumerated() {
        let upgrade = index % 2 == 0 ? "" : "Upgrade: websocket\r\n"
        write("GET / HTTP/1.1\r\nHost: localhost\r\n\(upgrade)X-Slow: ", to: descriptor)
      }
      let other = connect(port)
      #expect(await isAnswered(other))
      // Nobody had to go for it.
      #expect(slow.allSatisfy(isQuiet))
      for descriptor in slow + [other] { close(descriptor) }
      await server.stop()
    }

    @Test("at the limit the connection that has waited longest for its request gives way")
    func idleConnections() async throws {
      var configuration = HTTPServerConfiguration(port: 0)
      configuration.maximumConnections = 2
      let server = HTTPServer(configuration, handlers: HTTPServerHandlers(respond: { _ in .text("ok") }))
      let port = try await server.start()
      let idle = [connect(port), connect(port)]
      let extra = connect(port)
      #expect(await isAnswered(extra))
      #expect(await read(idle[0]).isEmpty)
      #expect(isQuiet(idle[1]))
      for descriptor in idle + [extra] { close(descriptor) }
      await server.stop()
    }

    @Test("a connection whose request is being answered gives way to none")
    func busyConnections() async throws {
      var configuration = HTTPServerConfiguration(port: 0)
      configuration.maximumConnections = 1
      let (asked, askedInlet) = AsyncStream<Void>.makeStream()
      let (gate, gateInlet) = AsyncStream<Void>.makeStream()
      let server = HTTPServer(
        configuration,
        handlers: HTTPServerHandlers(respond: { _ in
          askedInlet.yield()
          for await _ in gate { break }
          return .text("ok")
        }))
      let port = try await server.start()
      let busy = connect(port)
      write(Self.request, to: busy)
      for await _ in asked { break }
      let refused = connect(port)
      #expect(await read(refused).isEmpty)
      gateInlet.finish()
      #expect(await read(busy).hasPrefix("HTTP/1.1 200"))
      let next = connect(port)
      #expect(await isAnswered(next))
      for descriptor in [busy, refused, next] { close(descriptor) }
      await server.stop()
    }

    enum LongHeader: CaseIterable {
      case path, endlessPath, query, field, largeField, upgrade, manyFields, manyKnownFields

      var status: Int { [.path, .endlessPath, .query].contains(self) ? 414 : 431 }

      var text: String {
        let long = String(repeating: "a", count: 20_000)
        switch self {
        case .path: return "GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n"
        case .endlessPath: return "GET /\(long)\(long)\(long)\(long)"
        case .query: return "GET /?a=\(long) HTTP/1.1\r\nHost: a\r\n\r\n"
        case .field: return "GET / HTTP/1.1\r\nX-A: \(long)\r\n\r\n"
        case .largeField: return "GET / HTTP/1.1\r\nCookie: \(long)\(long)\(long)\(long)\r\n\r\n"
        case .upgrade: return "GET / HTTP/1.1\r\nUpgrade: websocket\r\nX-A: \(long)\r\n\r\n"
        case .manyFields: return "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 5000) + "\r\n"
        case .manyKnownFields:
          return "GET / HTTP/1.1\r\n" + String(repeating: "Cookie: b\r\n", count: 5000) + "\r\n"
        }
      }
    }

    @Test("a header that is too long is answered", arguments: LongHeader.allCases)
    func longHeaders(header: LongHeader) async throws {
      let server = server(port: 0)
      let port = try await server.start()
      let others = [connect(port), connect(port)]
      let begun = ContinuousClock.now
      for descriptor in others { write("GET / HTTP/1.1\r\nX-Slow: ", to: descriptor) }
      for isFirst in [true, false] {
        let descriptor = connect(port)
        if !isFirst { #expect(await isAnswered(descriptor)) }
        write(header.text, to: descriptor)
        let answer = await read(descriptor)
        #expect(answer.hasPrefix("HTTP/1.1 \(header.status) "))
        #expect(answer.hasSuffix("a request's header may have 16384 bytes.\n"))
        close(descriptor)
      }
      // The server itself ends a header that has taken 10 s, which a busy machine may need for the above.
      #expect(others.allSatisfy(isQuiet) || ContinuousClock.now - begun > .seconds(8))
      for descriptor in others { close(descriptor) }
      await server.stop()
    }
  }
#endif
