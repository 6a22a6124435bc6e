#if os(Linux)
  import Foundation
  import Testing

  @testable import YoobNet

  @Suite("WebSocket client")
  struct WebSocketClientTests {
    private let client = SystemWebSocketClient()

    private func events(_ link: any WebSocketLink) async -> [WebSocketLinkEvent] {
      var all: [WebSocketLinkEvent] = []
      for await event in link.messages { all.append(event) }
      return all
    }

    @Test("what is sent to our server comes back, however large")
    func echo() async throws {
      var configuration = HTTPServerConfiguration(port: 0)
      configuration.subprotocols = ["realtime", "other"]
      configuration.maximumMessage = 4 << 20
      let server = HTTPServer(
        configuration,
        handlers: HTTPServerHandlers(
          respond: { _ in .text("ok") },
          refuseWebSocket: { request in
            request.headers["authorization"] == "Bearer k" && request.path == "/live"
              && request.query == "a=b"
              ? nil : .text("No.\n", status: 401)
          },
          serveWebSocket: { socket in
            for await message in socket.messages {
              switch message {
              case .text(let text): socket.send(text)
              case .binary(let bytes): socket.send(bytes)
              }
            }
          }))
      let port = try await server.start()
      let request = WebSocketRequest(
        url: "ws://127.0.0.1:\(port)/live?a=b", headers: [("Authorization", "Bearer k")],
        subprotocols: ["none", "realtime"])
      let link = try await client.connect(request)
      #expect(link.subprotocol == "realtime")
      var messages = link.messages.makeAsyncIterator()
      for size in [0, 1, 125, 126, 65_535, 65_536, 3 << 20] {
        let text = String(repeating: "é", count: size / 2)
        try await link.send(text)
        #expect(await messages.next() == .text(text))
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await link.send(bytes)
        let isSame = await messages.next() == .binary(bytes)
        #expect(isSame)
      }
      link.close(code: 3000, reason: "done")
      link.close(code: 1000, reason: "again")
      #expect(await messages.next() == .closed(code: 3000, reason: "done"))
      #expect(await messages.next() == nil)
      await #expect(throws: NetError.closedEarly(host: "127.0.0.1:\(port)")) { try await link.send("late") }
      await #expect(throws: NetError.noWebSocket(host: "127.0.0.1:\(port)", status: 401)) {
        try await client.connect(WebSocketRequest(url: "ws://127.0.0.1:\(port)/live?a=b"))
      }
      await server.stop()
    }

    @Test("many WebSockets live at once")
    func many() async throws {
      let server = HTTPServer(
        HTTPServerConfiguration(port: 0),
        handlers: HTTPServerHandlers(
          respond: { _ in .text("ok") }, refuseWebSocket: { _ in nil },
          serveWebSocket: { socket in
            for await case .text(let text) in socket.messages { socket.send(text) }
          }))
      let port = try await server.start()
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<100 {
          group.addTask { [client] in
            let link = try await client.connect(WebSocketRequest(url: "ws://127.0.0.1:\(port)/"))
            try await link.send("\(number)")
            for await event in link.messages { return event == .text("\(number)") }
            return false
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
      await server.stop()
    }

    @Test("certificates count as they do for HTTP")
    func certificates() async throws {
      let certificate = try Certificate(names: "DNS:localhost")
      let server = certificate.server()
      let port = try await server.start()
      let request = WebSocketRequest(url: "wss://localhost:\(port)/")
      await #expect {
        try await client.connect(request)
      } throws: { error in
        if case NetError.tls("localhost:\(port)", _) = error { true } else { false }
      }
      let trusting = try SystemWebSocketClient(authorityFile: certificate.certificate)
      let link = try await trusting.connect(request)
      try await link.send("hello")
      var messages = link.messages.makeAsyncIterator()
      #expect(await messages.next() == .text("hello"))
      await #expect {
        try await trusting.connect(WebSocketRequest(url: "wss://127.0.0.1:\(port)/"))
      } throws: { error in
        if case NetError.tls = error { true } else { false }
      }
      await server.stop()
      #expect(await messages.next() == .closed(code: 1001, reason: "The server is stopping."))
    }

    @Test("only the fields that were asked for are sent")
    func head() async throws {
      let head = Locked("")
      let server = RawServer { peer in
        let text = peer.acceptWebSocket(protocol: "b")
        head.withLock { $0 = text }
        peer.waitForClose()
      }
      defer { server.stop() }
      let link = try await client.connect(
        WebSocketRequest(
          url: server.ws + "/p?q",
          headers: [("Authorization", "Token t"), ("X-Long", String(repeating: "a", count: 3000))],
          subprotocols: ["a", "b"]))
      #expect(link.subprotocol == "b")
      let lines = Set(head.withLock { $0 }.split(whereSeparator: \.isNewline).map { $0.lowercased() })
      #expect(lines.contains("get /p?q http/1.1"))
      #expect(lines.contains("host: 127.0.0.1:\(server.port)"))
      #expect(lines.contains("authorization: token t"))
      #expect(
        lines.contains {
          $0.hasPrefix("sec-websocket-protocol:") && $0.filter { $0 != " " }.hasSuffix(":a,b")
        })
      #expect(!lines.contains { $0.hasPrefix("origin") || $0.hasPrefix("sec-websocket-extensions") })
    }

    @Test(
      "what is no WebSocket is refused with what it is",
      arguments: [
        ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", 401 as Int?),
        ("HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n", 302),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>", 200),
        ("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", 503),
      ])
    func noWebSocket(answer: String, status: Int?) async {
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write(answer)
        peer.waitForClose()
      }
      defer { server.stop() }
      await #expect(throws: NetError.noWebSocket(host: "127.0.0.1:\(server.port)", status: status)) {
        try await client.connect(WebSocketRequest(url: server.ws))
      }
      #expect(server.connections == 1)
    }

    @Test("an answer that does not prove that the request was read is refused")
    func wrongKey() async {
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write(RawPeer.answer(accept: "AAAAAAAAAAAAAAAAAAAAAAAAAAA="))
        peer.waitForClose()
      }
      defer { server.stop() }
      await #expect {
        try await client.connect(WebSocketRequest(url: server.ws))
      } throws: { error in
        if case NetError.invalidAnswer = error { true } else { false }
      }
    }

    @Test("a subprotocol that was not offered is refused")
    func wrongProtocol() async {
      let server = RawServer { peer in
        peer.acceptWebSocket(protocol: "c")
        peer.waitForClose()
      }
      defer { server.stop() }
      await #expect {
        try await client.connect(WebSocketRequest(url: server.ws, subprotocols: ["a", "b"]))
      } throws: { error in
        if case NetError.invalidAnswer = error { true } else { false }
      }
    }

    @Test("a handshake that never ends, ends at the connect timeout", arguments: [true, false])
    func stalledHandshake(isEncrypted: Bool) async {
      let server = RawServer { $0.waitForClose() }
      defer { server.stop() }
      var request = WebSocketRequest(url: isEncrypted ? "wss://127.0.0.1:\(server.port)/" : server.ws)
      request.connectTimeout = 0.2
      let final = request
      await #expect(
        throws: NetError.timedOut(host: "127.0.0.1:\(server.port)", .connecting, seconds: 0.2)
      ) {
        try await client.connect(final)
      }
    }

    @Test("an attempt that is cancelled ends at once")
    func cancelledAttempt() async {
      let (asked, gone) = (Latch(), Latch())
      let server = RawServer { peer in
        _ = peer.readHead()
        asked.open()
        peer.waitForClose()
        gone.open()
      }
      defer { server.stop() }
      let task = Task { [client] () -> NetError? in
        do throws(NetError) {
          _ = try await client.connect(WebSocketRequest(url: server.ws))
          return nil
        } catch { return error }
      }
      await asked.wait()
      task.cancel()
      #expect(await task.value == .cancelled)
      await gone.wait()
    }

    @Test("a handshake that breaks off, or has no end, is no WebSocket", arguments: [true, false])
    func brokenHandshake(isEndless: Bool) async {
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write("HTTP/1.1 101 Switching Protocols\r\n")
        while isEndless, peer.write(String(repeating: "X-A: b\r\n", count: 100)) {}
      }
      defer { server.stop() }
      await #expect(throws: NetError.self) { try await client.connect(WebSocketRequest(url: server.ws)) }
    }

    @Test(
      "addresses that cannot be used are refused before anything is sent",
      arguments: ["http://127.0.0.1/", "ws://", "ws://u@127.0.0.1/", ""])
    func badAddress(url: String) async {
      await #expect {
        try await client.connect(WebSocketRequest(url: url))
      } throws: { error in
        if case NetError.invalidURL = error { true } else { false }
      }
    }

    @Test("a plain WebSocket goes to this machine only")
    func plain() async {
      await #expect(throws: NetError.unprotected(host: "example.org")) {
        try await client.connect(WebSocketRequest(url: "ws://example.org/"))
      }
    }

    @Test("who is not there is told")
    func nobodyThere() async {
      await #expect(throws: NetError.nameNotFound(host: "nowhere.invalid:443")) {
        try await client.connect(WebSocketRequest(url: "wss://nowhere.invalid/"))
      }
      let server = RawServer { _ in }
      server.stop()
      await #expect(throws: NetError.refused(host: "127.0.0.1:\(server.port)")) {
        try await client.connect(WebSocketRequest(url: server.ws))
      }
      // Whatever "localhost" has for addresses, all of them were tried.
      await #expect(throws: NetError.refused(host: "localhost:\(server.port)")) {
        try await client.connect(WebSocketRequest(url: "ws://localhost:\(server.port)/"))
      }
    }
  }
#endif
