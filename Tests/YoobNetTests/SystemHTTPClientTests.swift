#if os(Linux)
  import Foundation
  import Testing

  @testable import YoobNet

  @Suite("HTTP client")
  struct SystemHTTPClientTests {
    private let client = SystemHTTPClient()

    /// A server of ours that answers with what it was asked.
    private func echo(_ body: @escaping @Sendable (HTTPServer, Int) async throws -> Void) async throws {
      let server = HTTPServer(
        HTTPServerConfiguration(port: 0),
        handlers: HTTPServerHandlers(respond: { request in
          var response = HTTPResponse.text("\(request.method) \(request.path)?\(request.query)")
          if !request.body.isEmpty { response.body = .bytes(request.body) }
          response.headers["x-authorization"] = request.headers["authorization"]
          response.headers["x-type"] = request.headers["content-type"]
          return response
        }))
      let port = try await server.start()
      do {
        try await body(server, port)
        await server.stop()
      } catch {
        await server.stop()
        throw error
      }
    }

    private func text(_ response: HTTPClientResponse) -> String {
      String(decoding: response.body, as: UTF8.self)
    }

    @Test("method, path, query, fields and body arrive as they are")
    func roundTrip() async throws {
      try await echo { [client] _, port in
        let get = try await client.send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/a%20b?c=d"))
        #expect(get.status == 200)
        #expect(get.headers["content-type"] == "text/plain; charset=utf-8")
        #expect(String(decoding: get.body, as: UTF8.self) == "GET /a b?c=d")
        let body = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let post = try await client.send(
          HTTPClientRequest(
            method: "POST", url: "http://localhost:\(port)/",
            headers: [("Authorization", "Bearer k"), ("Content-Type", "application/x-y")], body: body))
        #expect(post.body == body)
        #expect(post.headers["x-authorization"] == "Bearer k")
        #expect(post.headers["x-type"] == "application/x-y")
        let empty = try await client.send(
          HTTPClientRequest(method: "POST", url: "http://127.0.0.1:\(port)/", body: []))
        #expect(String(decoding: empty.body, as: UTF8.self) == "POST /?")
        #expect(empty.headers["x-type"] == nil)
        let put = try await client.send(
          HTTPClientRequest(method: "DELETE", url: "http://127.0.0.1:\(port)/x"))
        #expect(String(decoding: put.body, as: UTF8.self) == "DELETE /x?")
        let head = try await client.send(HTTPClientRequest(method: "HEAD", url: "http://127.0.0.1:\(port)/x"))
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
      }
    }

    @Test("nothing is sent that was not asked for")
    func plainHead() async throws {
      let head = Locked("")
      let server = RawServer { peer in
        let text = peer.readHead()
        head.withLock { $0 = text }
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
      defer { server.stop() }
      _ = try await client.send(
        HTTPClientRequest(method: "POST", url: server.http, headers: [("X-Empty", "")], body: []))
      #expect(
        head.withLock { $0 }
          == "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX-Empty:\r\nContent-Length: 0\r\n\r\n")
    }

    @Test("a method that may have a body says when it has none", arguments: ["POST", "PUT", "PATCH"])
    func emptyBody(method: String) async throws {
      let head = Locked("")
      let server = RawServer { peer in
        let text = peer.readHead()
        head.withLock { $0 = text }
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
      defer { server.stop() }
      _ = try await client.send(HTTPClientRequest(method: method, url: server.http))
      #expect(head.withLock { $0 }.contains("\r\nContent-Length: 0\r\n"))
    }

    @Test("a request of no bytes is handled once", arguments: [nil, [UInt8]()])
    func handledOnce(body: [UInt8]?) async throws {
      let count = Locked(0)
      let server = HTTPServer(
        HTTPServerConfiguration(port: 0),
        handlers: HTTPServerHandlers(respond: { _ in
          count.withLock { $0 += 1 }
          try? await Task.sleep(for: .milliseconds(20))
          return .text("ok")
        }))
      let url = "http://127.0.0.1:\(try await server.start())/"
      for _ in 0..<3 {
        #expect(try await client.send(HTTPClientRequest(method: "POST", url: url, body: body)).status == 200)
      }
      #expect(count.withLock { $0 } == 3)
      await server.stop()
    }

    @Test("a connection is used again, and many requests run at once")
    func connections() async throws {
      let server = RawServer { peer in
        while !peer.readHead().isEmpty {
          peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
      }
      defer { server.stop() }
      for _ in 0..<5 { #expect(try await text(client.send(HTTPClientRequest(url: server.http))) == "ok") }
      #expect(server.connections == 1)
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<200 {
          group.addTask { [client] in
            String(decoding: try await client.send(HTTPClientRequest(url: server.http)).body, as: UTF8.self)
          }
        }
        for try await answer in group { #expect(answer == "ok") }
      }
      #expect(server.connections <= 64)
    }

    @Test("pieces are handed over as they arrive")
    func streaming() async throws {
      let seen = Latch()
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
        let waits = DispatchSemaphore(value: 0)
        Task {
          await seen.wait()
          waits.signal()
        }
        waits.wait()
        peer.write("3\r\ntwo\r\n0\r\n\r\n")
      }
      defer { server.stop() }
      let pieces = Locked([String]())
      try await client.stream(
        HTTPClientRequest(url: server.http), onHead: { status, _ in status == 200 },
        receive: { bytes in
          pieces.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
          seen.open()
          return true
        })
      #expect(pieces.withLock { $0 } == ["one", "two"])
    }

    enum Stop: CaseIterable { case head, piece, cancelled, cancelledBeforeHead }

    @Test("whoever has enough ends the connection", arguments: Stop.allCases)
    func stops(by stop: Stop) async throws {
      let gone = Latch()
      let asked = Latch()
      let server = RawServer { peer in
        _ = peer.readHead()
        asked.open()
        if stop != .cancelledBeforeHead {
          peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\none")
        }
        peer.waitForClose()
        gone.open()
      }
      defer { server.stop() }
      let seen = Latch()
      let task = Task { [client] () -> NetError? in
        do throws(NetError) {
          try await client.stream(
            HTTPClientRequest(url: server.http), onHead: { _, _ in stop != .head },
            receive: { _ in
              seen.open()
              return stop != .piece
            })
          return nil
        } catch { return error }
      }
      switch stop {
      case .head, .piece: #expect(await task.value == nil)
      case .cancelled, .cancelledBeforeHead:
        await (stop == .cancelled ? seen : asked).wait()
        task.cancel()
        #expect(await task.value == .cancelled)
      }
      await gone.wait()
    }

    @Test("a task that is cancelled before it starts sends nothing")
    func cancelledBefore() async {
      let server = RawServer { _ in }
      defer { server.stop() }
      let task = Task { [client] () -> NetError? in
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(NetError) {
          _ = try await client.send(HTTPClientRequest(url: server.http))
          return nil
        } catch { return error }
      }
      #expect(await task.value == .cancelled)
      #expect(server.connections == 0)
    }

    @Test(
      "addresses that cannot be used are refused before anything is sent",
      arguments: [
        "", "example.org", "ftp://example.org/", "http://", "https://u:p@example.org/", "http://a b/",
        "https://exämple.org/", "https://example.org:0/", "https://example.org:70000/", "file:///etc/passwd",
        "https://a\\b/", "https://[::g]/", "https://a%00b/",
      ])
    func badAddress(url: String) async {
      await #expect {
        try await client.send(HTTPClientRequest(url: url))
      } throws: { error in
        if case NetError.invalidURL = error { true } else { false }
      }
    }

    @Test("plain http goes to this machine only, unless it is permitted")
    func plainHTTP() async {
      for url in ["http://example.org/", "http://127.0.0.1.example.org/", "http://128.0.0.1/"] {
        await #expect {
          try await client.send(HTTPClientRequest(url: url))
        } throws: { error in
          if case NetError.unprotected = error { true } else { false }
        }
      }
      let permitting = SystemHTTPClient(allowsPlainHTTP: true)
      await #expect(throws: NetError.nameNotFound(host: "nowhere.invalid:80")) {
        try await permitting.send(HTTPClientRequest(url: "http://nowhere.invalid/"))
      }
    }

    @Test(
      "fields that would break the head are refused",
      arguments: [
        ("A B", "c"), ("A", "b\r\nC: d"), ("A", "b\0"), ("", "a"), ("Content-Length", "1"), ("a:", "b"),
      ])
    func badField(name: String, value: String) async {
      await #expect {
        try await client.send(HTTPClientRequest(url: "http://127.0.0.1:9/", headers: [(name, value)]))
      } throws: { error in
        if case NetError.invalidRequest = error { true } else { false }
      }
    }

    @Test("a port at which nobody listens is named")
    func nobodyThere() async throws {
      let server = RawServer { _ in }
      server.stop()
      await #expect(throws: NetError.refused(host: "127.0.0.1:\(server.port)")) {
        try await client.send(HTTPClientRequest(url: server.http))
      }
    }
  }
#endif
