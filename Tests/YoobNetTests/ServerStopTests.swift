#if os(Linux)
  import Testing

  @testable import YoobNet

  @Suite("Stopping an HTTP server", .serialized)
  struct ServerStopTests {
    /// A server whose handler waits for a latch, but not longer than its task lives.
    private func start(_ gate: Latch, begun: Latch, refused: Locked<[String]>) async throws -> (
      HTTPServer, Int
    ) {
      let server = HTTPServer(
        HTTPServerConfiguration(port: 0),
        handlers: HTTPServerHandlers(
          respond: { _ in
            begun.open()
            await gate.wait()
            return .text("done")
          },
          refuse: { refusal, request in
            refused.withLock { $0.append("\(refusal.code) \(request?.path ?? "-")") }
            return refusal.response
          }))
      return (server, try await server.start())
    }

    @Test("who is refused when the server stops, and still sends, can read why")
    func stillSending() async throws {
      let (gate, begun, refused) = (Latch(), Latch(), Locked([String]()))
      let (server, port) = try await start(gate, begun: begun, refused: refused)
      let client = RawClient(port)
      client.write("POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
      #expect(await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
      async let stop: Void = server.stop(patience: 600)
      #expect(await client.readAll().hasPrefix("HTTP/1.1 503 "))
      // A server that is gone would answer the first of these with a reset, which takes what was not read yet.
      for _ in 0..<3 {
        #expect(client.write("a"))
        try await Task.sleep(for: .milliseconds(50))
      }
      client.breaksOff()
      client.end()
      await stop
    }

    @Test("a server that was stopped before it starts ends at once", .timeLimit(.minutes(1)))
    func stoppedBefore() async throws {
      let (server, port) = try await { () async throws -> (HTTPServer, Int) in
        let server = HTTPServer(
          HTTPServerConfiguration(port: 0), handlers: HTTPServerHandlers(respond: { _ in .text("ok") }))
        await server.stop()
        return (server, try await server.start())
      }()
      let client = RawClient(port)
      client.write(Self.request)
      #expect(await client.readAll().isEmpty)
      await server.stop()
    }

    @Test(
      "a request whose client has left is cancelled", .timeLimit(.minutes(1)), arguments: [false, true])
    func left(breaksOff: Bool) async throws {
      let (begun, cancelled) = (Latch(), Latch())
      var configuration = HTTPServerConfiguration(port: 0)
      // A broken connection is noticed without that.
      configuration.idleSeconds = breaksOff ? 600 : 1
      let server = HTTPServer(
        configuration,
        handlers: HTTPServerHandlers(respond: { _ in
          begun.open()
          await Latch().wait()
          cancelled.open()
          return .text("late")
        }))
      let client = RawClient(try await server.start())
      client.write(Self.request)
      await begun.wait()
      if breaksOff { client.breaksOff() }
      client.end()
      await cancelled.wait()
      await server.stop()
    }

    @Test("a client that says that it asks no more gets its answer")
    func halfClosed() async throws {
      let (gate, begun, refused) = (Latch(), Latch(), Locked([String]()))
      let (server, port) = try await start(gate, begun: begun, refused: refused)
      let client = RawClient(port)
      client.write(Self.request)
      client.endWriting()
      await begun.wait()
      // Long enough for the server to see it.
      try await Task.sleep(for: .seconds(1.5))
      gate.open()
      #expect(await client.readAll().hasSuffix("done"))
      await server.stop()
    }

    private static let request = "POST /work HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"

    @Test("a request at work is answered within the patience, and its connection closed")
    func patient() async throws {
      let (gate, begun, refused) = (Latch(), Latch(), Locked([String]()))
      let (server, port) = try await start(gate, begun: begun, refused: refused)
      let (busy, idle) = (RawClient(port), RawClient(port))
      busy.write(Self.request)
      await begun.wait()
      async let stop: Void = server.stop(patience: 600)
      // Who asks for nothing is sent away at once, and nobody new is served.
      #expect(await idle.readAll().isEmpty)
      let late = RawClient(port)
      late.write(Self.request)
      #expect(await late.readAll().isEmpty)
      gate.open()
      let answer = await busy.readAll()
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("done"))
      #expect(answer.contains("\r\nconnection: close\r\n"))
      await stop
      #expect(refused.withLock { $0.isEmpty })
    }

    @Test("a request that is at work when the patience is over is refused, and its task cancelled")
    func impatient() async throws {
      let (gate, begun, refused) = (Latch(), Latch(), Locked([String]()))
      let (server, port) = try await start(gate, begun: begun, refused: refused)
      let client = RawClient(port)
      client.write(Self.request)
      await begun.wait()
      // The gate opens for nobody: only the end of its task ends the wait.
      async let answer = client.readAll()
      await server.stop(patience: 0)
      #expect(await answer.hasPrefix("HTTP/1.1 503 "))
      #expect(await answer.contains("The server is stopping."))
      #expect(refused.withLock { $0 } == ["stopping /work"])
    }

    @Test("a request that is not complete when the server stops is refused")
    func incomplete() async throws {
      let (gate, begun, refused) = (Latch(), Latch(), Locked([String]()))
      let (server, port) = try await start(gate, begun: begun, refused: refused)
      let (busy, half) = (RawClient(port), RawClient(port))
      half.write("POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
      // The server has read it: it asks for the body.
      #expect(await half.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
      busy.write(Self.request)
      await begun.wait()
      async let stop: Void = server.stop(patience: 600)
      #expect(await half.readAll().hasPrefix("HTTP/1.1 503 "))
      gate.open()
      #expect(await busy.readAll().hasPrefix("HTTP/1.1 200 "))
      await stop
      #expect(refused.withLock { $0 } == ["stopping /half"])
    }
  }
#endif
