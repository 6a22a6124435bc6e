#if os(Linux)
  import Testing

  @testable import YoobNet

  @Suite("Hostile requests", .serialized)
  struct HostileRequestTests {
    /// A server that answers "ok", and what it was asked.
    private func start(
      _ change: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) async throws -> (server: HTTPServer, port: Int, asked: Locked<[HTTPRequest]>) {
      var configuration = HTTPServerConfiguration(port: 0)
      change(&configuration)
      let asked = Locked([HTTPRequest]())
      let server = HTTPServer(
        configuration,
        handlers: HTTPServerHandlers(
          respond: { request in
            asked.withLock { $0.append(request) }
            return .text("ok")
          }, refuse: { refusal, _ in .json("{\"code\":\"\(refusal.code)\"}", status: refusal.status) }))
      return (server, try await server.start(), asked)
    }

    private static let get = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"

    /// What no two readers may understand differently, with the status that it gets.
    private static let requests: [(String, Int)] = [
      // Two lengths of a body.
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2, 2\r\n\r\nab", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n", 400),
      // Lengths that are none.
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\na", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\nhello", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1 0\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551617\r\n\r\na", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9223372036854775808\r\n\r\na", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ١\r\n\r\na", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n", 413),
      // Encodings that are not read.
      ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
      ("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n", 411),
      // White space and lines.
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nhello", 400),
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length\t: 5\r\n\r\nhello", 400),
      ("GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n folded\r\n\r\n", 400),
      ("GET / HTTP/1.1\nHost: x\n\n", 400), ("GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\n\n", 400), ("GET / HTTP/1.1\r\nHost: x\rA: b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nA\0: b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nÄ: c\r\n\r\n", 400),
      // Whom it is for.
      ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: x\r\nOrigin: a\r\nOrigin: b\r\n\r\n", 400),
      // First lines.
      ("\r\n\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET / a HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET\t/\tHTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET / HTTP/1.1 \r\nHost: x\r\n\r\n", 400), ("GET / http/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET / HTTP/11\r\nHost: x\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
      ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("GET / HTTP/0.9\r\n\r\n", 505),
      ("get / HTTP/1.1\r\nHost: x\r\n\r\n", 501), ("BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501),
      ("CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 501), ("TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", 501),
      ("GET x HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET /% HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /ä HTTP/1.1\r\nHost: x\r\n\r\n", 400),
      ("\u{16}\u{3}\u{1}\u{2}\0", 400), ("\0", 400), ("{\"json\":1}", 400),
      // Expectations.
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: gold\r\n\r\n", 417),
    ]

    @Test("what can be understood in two ways is refused, and nothing behind it is read", arguments: requests)
    func refused(text: String, status: Int) async throws {
      let (server, port, asked) = try await start()
      // Alone, and behind a good request on the same connection.
      for earlier in ["", Self.get] {
        let client = RawClient(port)
        if !earlier.isEmpty {
          client.write(earlier)
          #expect(await client.read(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 "))
        }
        client.write(text + Self.get)
        let answer = await client.readAll()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(80))")
        #expect(answer.contains("\r\nconnection: close\r\n"))
        #expect(answer.contains("\r\n\r\n{\"code\":\""))
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
      }
      #expect(asked.withLock { $0.map(\.path) } == ["/next"])
      await server.stop()
    }

    @Test("requests that come at once are answered one after the other")
    func pipelined() async throws {
      let (server, port, asked) = try await start()
      let client = RawClient(port)
      let post = "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n"
      // A body that looks like a request is a body.
      let body = "GET /inner HTTP/1.1\r\nHost: x\r\n\r\n" + String(repeating: " ", count: 8)
      client.write(
        Self.get + post + body + Self.get + "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let answer = await client.readAll()
      #expect(answer.components(separatedBy: "HTTP/1.1 200 ").count == 5)
      #expect(asked.withLock { $0.map(\.path) } == ["/next", "/body", "/next", "/last"])
      #expect(asked.withLock { $0[1].body } == Array(body.utf8))
      await server.stop()
    }

    @Test("a client that waits to be told so is told to send its body, and one that does not wait is not")
    func expectation() async throws {
      let (server, port, asked) = try await start()
      let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-Continue\r\n\r\n"
      let waiting = RawClient(port)
      waiting.write(head)
      #expect(await waiting.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      waiting.write("hello")
      #expect(await waiting.read(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 "))
      // The same connection serves on.
      waiting.write(head + "hello")
      #expect(await waiting.read(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 "))
      #expect(asked.withLock { $0.map { String(decoding: $0.body, as: UTF8.self) } } == ["hello", "hello"])
      await server.stop()
    }

    @Test("a body that is too large is refused before it is sent, and also while it is")
    func largeBody() async throws {
      let (server, port, asked) = try await start { $0.maximumBody = 100 }
      let fields = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n"
      let waiting = RawClient(port)
      waiting.write(fields + "Expect: 100-continue\r\n\r\n")
      #expect(await waiting.readAll().hasPrefix("HTTP/1.1 413 "))
      let sending = RawClient(port)
      sending.write(fields + "\r\n" + String(repeating: "x", count: 2_000_000))
      #expect(await sending.readAll().hasPrefix("HTTP/1.1 413 "))
      #expect(asked.withLock { $0.isEmpty })
      await server.stop()
    }

    @Test("a client that drips its request for ever is told that it is too slow, whatever it drips")
    func drips() async throws {
      let (server, port, asked) = try await start {
        $0.headerSeconds = 0.3
        $0.bodySeconds = 0.3
      }
      for (start, drop) in [
        ("GET /", "a"), ("GET / HTTP/1.1\r\nHost: x\r\n", "A: b\r\n"),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: ", "b"),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n", "b"),
      ] {
        let client = RawClient(port)
        client.write(start)
        client.drip(drop)
        let answer = await client.readAll()
        #expect(answer.hasPrefix("HTTP/1.1 408 "))
        #expect(answer.hasSuffix("{\"code\":\"request_timeout\"}"))
      }
      #expect(asked.withLock { $0.isEmpty })
      await server.stop()
    }

    @Test("a client that does not read its answer is cut off")
    func unread() async throws {
      let total = 64 << 20
      var configuration = HTTPServerConfiguration(port: 0)
      configuration.writeSeconds = 0.3
      let server = HTTPServer(
        configuration,
        handlers: HTTPServerHandlers(respond: { _ in
          HTTPResponse(status: 200, body: .bytes([UInt8](repeating: 7, count: total)))
        }))
      let client = RawClient(try await server.start())
      client.write(Self.get)
      // Ends with the connection.
      await client.drip(String(repeating: "x", count: 1000)).wait()
      #expect(await client.readAll().utf8.count < total)
      await server.stop()
    }

    @Test("clients that do not take their answers keep no honest one out")
    func slowReaders() async throws {
      var configuration = HTTPServerConfiguration(port: 0)
      configuration.maximumConnections = 2
      let server = HTTPServer(
        configuration,
        handlers: HTTPServerHandlers(respond: { request in
          request.path == "/next"
            ? HTTPResponse(status: 200, body: .bytes([UInt8](repeating: 7, count: 64 << 20))) : .text("ok")
        }))
      let port = try await server.start()
      let slow = [RawClient(port), RawClient(port)]
      for client in slow {
        client.write(Self.get)
        #expect(await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
      }
      let honest = RawClient(port)
      honest.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(await honest.readAll().hasPrefix("HTTP/1.1 200 "))
      await server.stop()
    }

    @Test("an empty line behind a request begins no other")
    func blankLine() async throws {
      let (server, port, _) = try await start {
        $0.headerSeconds = 0.2
        $0.idleSeconds = 1
      }
      let client = RawClient(port)
      client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab\r\n")
      #expect(await client.read(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 "))
      #expect(await client.readAll().isEmpty)
      await server.stop()
    }

    @Test("a connection over which nothing comes is closed", arguments: [false, true])
    func idle(hasAsked: Bool) async throws {
      let (server, port, _) = try await start { $0.idleSeconds = 0.3 }
      let client = RawClient(port)
      if hasAsked {
        client.write(Self.get)
        #expect(await client.read(until: "\r\n\r\nok").hasPrefix("HTTP/1.1 200 "))
      }
      #expect(await client.readAll().isEmpty)
      await server.stop()
    }

    @Test(
      "many clients that drip keep no honest one out",
      arguments: ["GET /", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"])
    func crowd(start text: String) async throws {
      let (server, port, _) = try await start { $0.maximumConnections = 4 }
      var slow: [RawClient] = []
      for _ in 0..<12 {
        let client = RawClient(port)
        client.write(text)
        client.drip("a")
        slow.append(client)
        let honest = RawClient(port)
        honest.write("GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(await honest.readAll().hasPrefix("HTTP/1.1 200 "))
      }
      // The first that dripped had to go for the others, and was told why.
      let answer = await slow[0].readAll()
      #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
      await server.stop()
    }
  }
#endif
