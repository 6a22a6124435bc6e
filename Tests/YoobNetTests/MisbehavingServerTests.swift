#if os(Linux)
  import Foundation
  import Testing

  @testable import YoobNet

  @Suite("HTTP client and servers that misbehave")
  struct MisbehavingServerTests {
    private let client = SystemHTTPClient()

    /// What `send` brings from a server that writes `answer` and closes.
    private func answer(
      _ answer: String, change: (inout HTTPClientRequest) -> Void = { _ in }
    ) async throws(NetError) -> HTTPClientResponse {
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write(answer)
      }
      defer { server.stop() }
      var request = HTTPClientRequest(url: server.http)
      request.totalTimeout = 60
      change(&request)
      return try await client.send(request)
    }

    private func error(
      _ script: @escaping @Sendable (RawPeer) -> Void, change: (inout HTTPClientRequest) -> Void = { _ in }
    ) async -> NetError? {
      let server = RawServer { peer in
        _ = peer.readHead()
        script(peer)
      }
      defer { server.stop() }
      var request = HTTPClientRequest(url: server.http)
      request.totalTimeout = 60
      change(&request)
      do throws(NetError) {
        _ = try await client.send(request)
        return nil
      } catch { return error.withoutPort(server.port) }
    }

    @Test("silence before the head ends at the idle timeout")
    func stall() async {
      let found = await error({ $0.waitForClose() }) { $0.idleTimeout = 0.1 }
      #expect(found == .timedOut(host: "server", .waiting, seconds: 0.1))
    }

    @Test("silence in the middle of a body ends at the idle timeout")
    func stallInBody() async {
      let found = await error({ peer in
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
        peer.waitForClose()
      }) { $0.idleTimeout = 0.1 }
      #expect(found == .timedOut(host: "server", .waiting, seconds: 0.1))
    }

    @Test("a drip of bytes ends at the total timeout")
    func drip() async {
      let found = await error({ peer in
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while peer.write("a") { usleep(10_000) }
      }) {
        $0.idleTimeout = 30
        $0.totalTimeout = 0.3
      }
      #expect(found == .timedOut(host: "server", .finishing, seconds: 0.3))
    }

    @Test("a drip of bytes ends when a window brings less than the least rate")
    func dripBelowRate() async {
      let found = await error({ peer in
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while peer.write("a") { usleep(10_000) }
      }) { $0.leastRate = LeastRate(bytes: 10_000, in: 0.3) }
      guard case .tooSlow("server", let bytes, 0.3)? = found else {
        Issue.record("\(String(describing: found))")
        return
      }
      #expect((1..<10_000).contains(bytes))
      #expect(
        "\(NetError.tooSlow(host: "h:1", bytes: 4, seconds: 15))".contains(
          "h:1 sends too slowly (4 bytes in 15 s)"))
    }

    @Test("silence before the head, and a head that drips, are below any rate", arguments: ["", "a: b\r\n"])
    func headBelowRate(piece: String) async {
      let found = await error({ peer in
        if piece.isEmpty { return peer.waitForClose() }
        peer.write("HTTP/1.1 200 OK\r\n")
        while peer.write(piece) { usleep(10_000) }
      }) { $0.leastRate = LeastRate(bytes: 10_000, in: 0.2) }
      guard case .tooSlow? = found else {
        Issue.record("\(String(describing: found))")
        return
      }
    }

    @Test("a slow answer above the least rate comes whole, and so does a short one")
    func slowButHonest() async throws {
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        for _ in 0..<100 where peer.write("a") { usleep(10_000) }
      }
      defer { server.stop() }
      var request = HTTPClientRequest(url: server.http)
      request.leastRate = LeastRate(bytes: 1, in: 0.5)
      #expect(try await client.send(request).body.count == 100)
      request.leastRate = LeastRate(bytes: 1000, in: 60)
      #expect(try await client.send(request).body.count == 100)
    }

    @Test("a server that never finishes the TLS handshake ends at the connect timeout")
    func stalledHandshake() async throws {
      let server = RawServer { $0.waitForClose() }
      defer { server.stop() }
      var request = HTTPClientRequest(url: "https://127.0.0.1:\(server.port)/")
      request.connectTimeout = 0.2
      let final = request
      await #expect(
        throws: NetError.timedOut(host: "127.0.0.1:\(server.port)", .connecting, seconds: 0.2)
      ) {
        try await client.send(final)
      }
    }

    @Test("a body shorter than its length is no answer")
    func shorter() async {
      let found = await error { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc") }
      #expect(found == .closedEarly(host: "server"))
    }

    @Test("of a body longer than its length only so much is taken, and the connection is not used again")
    func longer() async throws {
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write(
          "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        peer.waitForClose()
      }
      defer { server.stop() }
      for _ in 0..<2 {
        let response = try await client.send(HTTPClientRequest(url: server.http))
        #expect(response.body == Array("abc".utf8))
      }
      #expect(server.connections == 2)
    }

    @Test("HTML with a status of its own is the caller's business")
    func html() async throws {
      let page = "<html>Bad Gateway</html>"
      let response = try await answer(
        "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: \(page.count)\r\n\r\n\(page)")
      #expect(response.status == 502)
      #expect(response.headers["content-type"] == "text/html")
      #expect(response.body == Array(page.utf8))
    }

    @Test("a body of HTTP/1.0 ends with its connection")
    func oldHTTP() async throws {
      let response = try await answer("HTTP/1.0 200 OK\r\n\r\nuntil the end")
      #expect(response.body == Array("until the end".utf8))
    }

    @Test("an interim answer is no answer")
    func interim() async throws {
      let response = try await answer(
        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\nA: c\r\nContent-Length: 0\r\n\r\n"
      )
      #expect(response.status == 200)
      #expect(response.headers.fields.map(\.name) == ["a", "a", "content-length"])
      #expect(response.headers.fields.map(\.value) == ["b", "c", "0"])
    }

    @Test(
      "what is no HTTP is told apart from a lost connection",
      arguments: [
        ("", true), ("HTTP/1.1 200 OK\r\nContent-Le", true), ("SSH-2.0-OpenSSH\r\n", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\nabc", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: a lot\r\n\r\nabc", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc", false),
        ("HTTP/9.9 200 OK\r\n\r\n", false),
      ])
    func broken(answer: String, isLost: Bool) async {
      let found = await error { $0.write(answer) }
      switch found {
      case .closedEarly: #expect(isLost)
      case .invalidAnswer: #expect(!isLost)
      default: Issue.record("\(String(describing: found))")
      }
    }

    @Test("a head without end is cut off", arguments: ["a: b\r\n", "a"])
    func endlessHead(piece: String) async {
      let found = await error { peer in
        let piece = String(repeating: piece, count: 1000)
        peer.write("HTTP/1.1 200 OK\r\n")
        while peer.write(piece) {}
      }
      #expect(found == .tooLarge(.header, limit: 65_536))
    }

    @Test("trailers without end are cut off")
    func endlessTrailers() async {
      let found = await error { peer in
        let piece = String(repeating: "a: b\r\n", count: 1000)
        peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
        while peer.write(piece) {}
      }
      #expect(found == .tooLarge(.header, limit: 65_536))
    }

    @Test("interim answers without end are cut off")
    func endlessInterim() async {
      let found = await error { peer in
        let piece = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100)
        while peer.write(piece) {}
      }
      #expect(found == .tooLarge(.header, limit: 65_536))
    }

    @Test("a body above the limit is refused by its length, and by its bytes", arguments: [true, false])
    func tooLarge(isTold: Bool) async {
      let found = await error({ peer in
        let piece = [UInt8](repeating: 1, count: 1 << 20)
        let field = isTold ? "Content-Length: \(100 << 20)" : "Connection: close"
        peer.write("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n")
        for _ in 0..<100 where !peer.write(piece) { return }
      }) { $0.maxBodyBytes = 1 << 20 }
      #expect(found == .tooLarge(.body, limit: 1 << 20))
    }

    @Test("the answer to HEAD may tell any length")
    func headOfLargeBody() async throws {
      let response = try await answer("HTTP/1.1 200 OK\r\nContent-Length: \(100 << 20)\r\n\r\n") {
        $0.method = "HEAD"
        $0.maxBodyBytes = 10
      }
      #expect(response.status == 200)
    }

    @Test("a packed body is handed over as it is, and a bomb stays small")
    func contentCoding() async throws {
      let packed = [UInt8](repeating: 0x1F, count: 50)
      let response = try await answer(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 50\r\n\r\n"
          + String(decoding: packed, as: UTF8.self))
      #expect(response.body == packed)
      #expect(response.headers["content-encoding"] == "gzip")
    }

    @Test("a receiver that takes its time does not run into the idle timeout, and holds up the server")
    func slowReceiver() async throws {
      let written = Locked(0)
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: \(32 << 20)\r\n\r\n")
        let piece = [UInt8](repeating: 1, count: 64 << 10)
        while peer.write(piece) {
          if written.withLock({
            $0 += piece.count; return $0
          }) == 32 << 20 {
            return
          }
        }
      }
      defer { server.stop() }
      var request = HTTPClientRequest(url: server.http)
      request.idleTimeout = 1
      request.leastRate = LeastRate(bytes: 1, in: 1)
      request.maxBodyBytes = 64 << 20
      let taken = Locked((bytes: 0, ahead: 0))
      try await client.stream(
        request, onHead: { _, _ in true },
        receive: { bytes in
          let isFirst = taken.withLock { taken in
            defer { taken.bytes += bytes.count }
            return taken.bytes == 0
          }
          if isFirst {
            // Longer than the idle timeout; the sockets' own buffers fill meanwhile.
            usleep(1_500_000)
            taken.withLock { $0.ahead = written.withLock { $0 } }
          }
          return true
        })
      #expect(taken.withLock { $0.bytes } == 32 << 20)
      #expect(taken.withLock { $0.ahead } < 16 << 20)
    }

    @Test("a body of 200 MB passes in bounded memory")
    func memory() async throws {
      let total = 200 << 20
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        for _ in 0..<total >> 20 where !peer.write(piece) { return }
      }
      defer { server.stop() }
      var request = HTTPClientRequest(url: server.http)
      request.maxBodyBytes = total
      let before = Self.residentBytes()
      let seen = Locked((bytes: 0, pieces: 0, most: 0))
      try await client.stream(
        request, onHead: { _, _ in true },
        receive: { bytes in
          seen.withLock { seen in
            seen.bytes += bytes.count
            seen.pieces += 1
            if seen.pieces % 50 == 0 { seen.most = max(seen.most, Self.residentBytes()) }
          }
          return bytes.count <= HTTPTransfer.window && bytes.first == 7 && bytes.last == 7
        })
      #expect(seen.withLock { $0.bytes } == total)
      #expect(seen.withLock { $0.most } > 0)
      // Other tests of this process take memory meanwhile: half of the body would still be too much.
      #expect(seen.withLock { $0.most } - before < total / 2)
    }

    private static func residentBytes() -> Int {
      let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
      return (fields?.dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
  }

  extension NetError {
    /// The same error with "server" in place of the address on this machine.
    fileprivate func withoutPort(_ port: Int) -> NetError {
      switch self {
      case .timedOut("127.0.0.1:\(port)", let phase, let seconds):
        .timedOut(host: "server", phase, seconds: seconds)
      case .tooSlow("127.0.0.1:\(port)", let bytes, let seconds):
        .tooSlow(host: "server", bytes: bytes, seconds: seconds)
      case .closedEarly("127.0.0.1:\(port)"): .closedEarly(host: "server")
      default: self
      }
    }
  }
#endif
