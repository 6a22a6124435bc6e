#if os(Linux)
  import Foundation
  import Testing

  @testable import YoobNet

  @Suite("WebSocket server", .serialized)
  struct WebSocketServerTests {
    /// A server that sends back what it gets, with messages of at most 1000 bytes.
    private func start(
      _ change: (inout HTTPServerConfiguration) -> Void = { _ in },
      serve: @escaping @Sendable (WebSocketConnection) async -> Void = { socket in
        for await message in socket.messages {
          switch message {
          case .text(let text): socket.send(text)
          case .binary(let bytes): socket.send(bytes)
          }
        }
      }
    ) async throws -> (HTTPServer, Int) {
      var configuration = HTTPServerConfiguration(port: 0)
      configuration.maximumMessage = 1000
      configuration.subprotocols = ["one", "two"]
      change(&configuration)
      let server = HTTPServer(
        configuration,
        handlers: HTTPServerHandlers(
          respond: { _ in .text("ok") },
          refuseWebSocket: { $0.path == "/ws" ? nil : .text("Not here.\n", status: 404) },
          serveWebSocket: serve))
      return (server, try await server.start())
    }

    private static func opening(
      path: String = "/ws", key: String = "dGhlIHNhbXBsZSBub25jZQ==", version: String = "13",
      more: String = ""
    ) -> String {
      "GET \(path) HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: \(key)\r\n"
        + "Sec-WebSocket-Version: \(version)\r\n\(more)\r\n"
    }

    /// A client whose WebSocket is open.
    private func open(_ port: Int) async -> RawClient {
      let client = RawClient(port)
      client.write(Self.opening())
      #expect(await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
      return client
    }

    /// The events up to the end of the connection, or up to as many.
    private func events(_ client: RawClient, count: Int = .max) async -> [FrameReader.Event] {
      var reader = FrameReader(limit: 1 << 20)
      var events: [FrameReader.Event] = []
      while events.count < count, case let bytes = await client.read(), !bytes.isEmpty {
        events += bytes.withUnsafeBytes { reader.take($0) }
      }
      return events
    }

    @Test("the key is proven as in the standard's example, and the first subprotocol that both know is taken")
    func handshake() async throws {
      let (server, port) = try await start()
      for (offer, taken) in [
        ("", nil), ("Sec-WebSocket-Protocol: other, two, one\r\n", "two"),
        ("Sec-WebSocket-Protocol: two\r\nSec-WebSocket-Protocol: one\r\n", "two"),
        ("Sec-WebSocket-Protocol: other\r\n", nil), ("Sec-WebSocket-Protocol: ONE\r\n", nil),
      ] {
        let client = RawClient(port)
        client.write(Self.opening(more: offer))
        let answer = await client.read(until: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 101 "))
        #expect(answer.contains("\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(answer.contains("sec-websocket-protocol") == (taken != nil))
        if let taken { #expect(answer.contains("\r\nsec-websocket-protocol: \(taken)\r\n")) }
      }
      await server.stop()
    }

    @Test(
      "a request that cannot open a WebSocket is refused",
      arguments: [
        (opening(path: "/other"), 404), (opening(version: "8"), 426), (opening(key: "short"), 400),
        (opening(key: ""), 400), (opening(more: "Content-Length: 1\r\n"), 400),
        (opening(more: "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"), 400),
        (opening().replacing("GET", with: "POST"), 400), (opening().replacing("websocket", with: "h2c"), 200),
      ])
    func refused(text: String, status: Int) async throws {
      let (server, port) = try await start { $0.idleSeconds = 0.5 }
      let client = RawClient(port)
      client.write(text)
      #expect(await client.readAll().hasPrefix("HTTP/1.1 \(status) "))
      await server.stop()
    }

    @Test(
      "messages come back however their bytes are cut, with a ping among their fragments answered",
      arguments: [1, 5, 5000])
    func echo(piece: Int) async throws {
      let (server, port) = try await start()
      let client = await open(port)
      var bytes = FrameWriter.frame(.text("")) + FrameWriter.frame(.text("grüß"))
      bytes += FrameWriter.frame(.binary([UInt8](repeating: 7, count: 1000)))
      // "ab" in two fragments around a ping; the masks are all zero.
      bytes += [0x01, 0x81, 0, 0, 0, 0, 0x61] + FrameWriter.ping() + [0x80, 0x81, 0, 0, 0, 0, 0x62]
      bytes += FrameWriter.close(code: 4001, reason: "bye")
      for start in stride(from: 0, to: bytes.count, by: piece) {
        client.write(Array(bytes[start..<min(start + piece, bytes.count)]))
      }
      let events = await events(client)
      #expect(events.last == .close(code: 4001, reason: ""))
      #expect(events.contains(.pong))
      // What the handler sends after the farewell is not sent: it may have come too late for some.
      let messages = events.dropLast().filter { $0 != .pong }
      let expected: [FrameReader.Event] = [
        .text(""), .text("grüß"), .binary([UInt8](repeating: 7, count: 1000)), .text("ab"),
      ]
      #expect(expected.starts(with: messages))
      await server.stop()
    }

    @Test(
      "frames that break the protocol close with a code",
      arguments: [
        // Without a mask; a reserved bit; a kind that is none; a long ping; a message in another; nothing to continue.
        ([0x81, 0x01, 0x61], 1002), ([0xC1, 0x80, 0, 0, 0, 0], 1002), ([0x83, 0x80, 0, 0, 0, 0], 1002),
        ([0x89, 0xFE, 0, 126], 1002), ([0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80, 0, 0, 0, 0], 1002),
        ([0x80, 0x80, 0, 0, 0, 0], 1002), ([0x88, 0x81, 0, 0, 0, 0, 3], 1002),
        ([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xED], 1002),
        // Text that is none, and a message that is too large, as soon as its length is known.
        ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007), ([0x82, 0xFE, 0x03, 0xE9], 1009),
        ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1009),
      ] as [([UInt8], Int)])
    func broken(bytes: [UInt8], code: Int) async throws {
      let (server, port) = try await start()
      let client = await open(port)
      client.write(bytes)
      let events = await events(client)
      guard case .close(code, _) = events.last else {
        Issue.record("\(events)")
        return
      }
      await server.stop()
    }

    @Test("a peer that has gone silent is pinged, and given up")
    func silence() async throws {
      let (server, port) = try await start {
        $0.pingAfter = 1
        $0.hangUpAfter = 2
      }
      #expect(await events(await open(port)) == [.ping([])])
      await server.stop()
    }

    @Test("a peer whose messages wait for their reader is pinged and kept", .timeLimit(.minutes(1)))
    func paused() async throws {
      let (server, port) = try await start {
        $0.pingAfter = 2
        $0.hangUpAfter = 3
      } serve: {
        await $0.waitUntilClosed()
      }
      let client = await open(port)
      Thread.detachNewThread {
        let frame = FrameWriter.frame(.binary([UInt8](repeating: 1, count: 1000)))
        for _ in 0..<1200 where !client.write(frame) { break }
      }
      #expect(await events(client, count: 2) == [.ping([]), .ping([])])
      await server.stop()
    }

    @Test("messages without bytes count as well: their peer is paused")
    func empty() async {
      let socket = WebSocketConnection(
        request: HTTPRequest(path: "/ws"), subprotocol: nil, outboxLimit: 1000
      ) { _ in }
      let limit = WebSocketConnection.Messages.limit / 64
      for _ in 0..<limit { #expect(!socket.messages.deliver(.text(""))) }
      #expect(socket.messages.deliver(.text("")))
      var reader = socket.messages.makeAsyncIterator()
      for _ in 0..<limit / 2 + 1 { _ = await reader.next() }
      #expect(!socket.messages.isPaused)
    }

    @Test("a peer that does not answer the farewell is cut off")
    func farewell() async throws {
      let (server, port) = try await start(serve: { $0.close(code: 4002, reason: "enough") })
      #expect(await events(await open(port)) == [.close(code: 4002, reason: "enough")])
      await server.stop()
    }

    @Test(
      "a peer that goes on talking after the farewell is cut off", .timeLimit(.minutes(1)),
      arguments: [false, true])
    func deafToFarewell(floods: Bool) async throws {
      // Nobody reads the flood: the network is paused before the farewell.
      let (server, port) = try await start(serve: { socket in
        while floods, !socket.messages.isPaused { try? await Task.sleep(for: .milliseconds(5)) }
        socket.close(code: 4002, reason: "enough")
      })
      let client = await open(port)
      let frame = FrameWriter.frame(.binary([UInt8](repeating: 1, count: 1000)))
      let pong: [UInt8] = [0x8A, 0x80, 0, 0, 0, 0]
      let end = Latch()
      Thread.detachNewThread {
        if floods { for _ in 0..<3000 where !client.write(frame) { break } }
        while client.write(pong) { usleep(50_000) }
        end.open()
      }
      #expect(await events(client) == [.close(code: 4002, reason: "enough")])
      await end.wait()
      await server.stop()
    }

    @Test("what waits for a peer is sent before the farewell, in order")
    func order() async throws {
      let (server, port) = try await start(serve: { socket in
        for number in 0..<500 { socket.send("\(number) " + String(repeating: "x", count: 2000)) }
        socket.close(code: 1000)
      })
      let events = await events(await open(port))
      #expect(events.count == 501)
      #expect(events.last == .close(code: 1000, reason: ""))
      for (number, event) in events.dropLast().enumerated() {
        guard case .text(let text) = event, text.hasPrefix("\(number) ") else {
          Issue.record("\(number)")
          break
        }
      }
      await server.stop()
    }
  }
#endif
