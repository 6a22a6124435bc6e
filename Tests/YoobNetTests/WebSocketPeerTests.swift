#if os(Linux)
  import Foundation
  import Testing

  @testable import YoobNet

  @Suite("WebSocket client and its peer")
  struct WebSocketPeerTests {
    private let client = SystemWebSocketClient()

    /// A close frame's code as it travels.
    private func code(_ code: Int) -> [UInt8] { [UInt8(code >> 8), UInt8(code & 255)] }

    /// Everything that comes from a peer that follows `script` after the handshake.
    private func events(
      change: (inout WebSocketRequest) -> Void = { _ in }, _ script: @escaping @Sendable (RawPeer) -> Void
    ) async throws -> [WebSocketLinkEvent] {
      let server = RawServer { peer in
        peer.acceptWebSocket()
        script(peer)
      }
      defer { server.stop() }
      var request = WebSocketRequest(url: server.ws)
      change(&request)
      let link = try await client.connect(request)
      var all: [WebSocketLinkEvent] = []
      for await event in link.messages { all.append(event) }
      return all
    }

    @Test(
      "the peer's close comes with its code and reason",
      arguments: [(4008, "usage limit"), (1000, ""), (1013, "büsy"), (4009, "session_time_limit")])
    func peerCloses(code: Int, reason: String) async throws {
      let answer = Locked<[UInt8]>([])
      let answered = Latch()
      let found = try await events { peer in
        peer.writeFrame(1, Array("one".utf8))
        peer.writeClose(code, reason)
        let frame = peer.readFrame()
        answer.withLock { $0 = frame?.opcode == 8 ? frame?.payload ?? [] : [] }
        answered.open()
      }
      await answered.wait()
      #expect(found == [.text("one"), .closed(code: code, reason: reason)])
      #expect(answer.withLock { $0 } == self.code(code))
    }

    @Test("a close without a code is 1005")
    func closeWithoutCode() async throws {
      let found = try await events { peer in
        peer.writeFrame(8, [])
        peer.waitForClose()
      }
      #expect(found == [.closed(code: 1005, reason: "")])
    }

    @Test("a lost connection has no code, and half a message is dropped")
    func lost() async throws {
      let found = try await events { peer in
        peer.writeFrame(1, Array("whole".utf8))
        peer.writeFrame(1, Array("half".utf8), length: 100)
      }
      #expect(found == [.text("whole"), .closed(code: nil, reason: "")])
    }

    @Test("fragments make one message, with a ping among them answered")
    func fragments() async throws {
      let pong = Locked<[UInt8]>([])
      let found = try await events { peer in
        let text = Array("grüße".utf8)
        peer.writeFrame(1, Array(text[..<3]), isFinal: false)  // in the middle of a letter
        peer.writeFrame(9, Array("ping".utf8))
        let frame = peer.readFrame()
        pong.withLock { $0 = frame?.opcode == 10 ? frame?.payload ?? [] : [] }
        peer.writeFrame(0, [], isFinal: false)
        peer.writeFrame(0, Array(text[3...]))
        peer.writeFrame(2, [1, 2], isFinal: false)
        peer.writeFrame(0, [3])
        peer.writeClose(1000, "")
        peer.waitForClose()
      }
      #expect(found == [.text("grüße"), .binary([1, 2, 3]), .closed(code: 1000, reason: "")])
      #expect(pong.withLock { $0 } == Array("ping".utf8))
    }

    @Test("text that is not UTF-8 closes with 1007")
    func invalidText() async throws {
      let code = Locked<[UInt8]>([])
      let answered = Latch()
      let found = try await events { peer in
        peer.writeFrame(2, [0xFF])
        peer.writeFrame(1, [0xC3])
        let frame = peer.readFrame()
        code.withLock { $0 = Array(frame?.payload.prefix(2) ?? []) }
        answered.open()
      }
      await answered.wait()
      #expect(found == [.binary([0xFF]), .closed(code: 1007, reason: "The text is not UTF-8.")])
      #expect(code.withLock { $0 } == self.code(1007))
    }

    enum Oversize: CaseIterable { case frame, announced, fragments }

    @Test("a message above the limit closes with 1009", arguments: Oversize.allCases)
    func oversized(by way: Oversize) async throws {
      let found = try await events(change: { $0.maxMessageBytes = 1000 }) { peer in
        peer.writeFrame(2, [UInt8](repeating: 1, count: 1000))
        switch way {
        case .frame: peer.writeFrame(2, [UInt8](repeating: 2, count: 1001))
        case .announced: peer.writeFrame(2, [1], length: 1 << 40)
        case .fragments:
          for index in 0..<11 {
            peer.writeFrame(index == 0 ? 2 : 0, [UInt8](repeating: 2, count: 100), isFinal: false)
          }
        }
        peer.waitForClose()
      }
      #expect(
        found == [
          .binary([UInt8](repeating: 1, count: 1000)),
          .closed(code: 1009, reason: "A message may have 1000 bytes."),
        ])
    }

    @Test(
      "frames that break the protocol end the connection",
      arguments: [[0x83, 0], [0xC1, 1, 65], [0x80, 1, 65], [0x09, 0], [0x81, 0x81, 1, 2, 3, 4, 5]]
        as [[UInt8]])
    func brokenFrame(bytes: [UInt8]) async throws {
      let found = try await events(change: { $0.pingInterval = 0.1 }) { peer in
        peer.write(bytes)
        peer.waitForClose()
      }
      #expect(found.count == 1)
      if case .closed = found.first {} else { Issue.record("\(found)") }
    }

    @Test("a peer that has gone silent is pinged, and given up")
    func silence() async throws {
      let found = try await events(change: { $0.pingInterval = 0.05 }) { $0.waitForClose() }
      #expect(found == [.closed(code: nil, reason: "The peer has gone silent.")])
    }

    @Test("a peer that answers pings is kept")
    func answeredPings() async throws {
      let pings = Locked(0)
      let found = try await events(change: {
        $0.pingInterval = 0.02
        $0.pongTimeout = 60
      }) { peer in
        for _ in 0..<5 {
          guard let frame = peer.readFrame(), frame.opcode == 9 else { return }
          pings.withLock { $0 += 1 }
          peer.writeFrame(10, frame.payload)
        }
        peer.writeClose(1000, "enough")
        peer.waitForClose()
      }
      #expect(pings.withLock { $0 } == 5)
      #expect(found == [.closed(code: 1000, reason: "enough")])
    }

    @Test("a peer that says no farewell is cut off")
    func noFarewell() async throws {
      let (gone, seen) = (Latch(), Locked<(UInt8, [UInt8])?>(nil))
      let server = RawServer { peer in
        peer.acceptWebSocket()
        let frame = peer.readFrame()
        seen.withLock { $0 = frame.map { ($0.opcode, $0.payload) } }
        peer.waitForClose()
        gone.open()
      }
      defer { server.stop() }
      var request = WebSocketRequest(url: server.ws)
      request.farewellSeconds = 1
      let link = try await client.connect(request)
      link.close(code: 4000, reason: String(repeating: "é", count: 200))
      var messages = link.messages.makeAsyncIterator()
      guard case .closed(4000, _) = await messages.next() else {
        Issue.record("the link does not end")
        return
      }
      await gone.wait()
      #expect(seen.withLock { $0?.0 } == 8)
      #expect(seen.withLock { $0?.1 } == code(4000) + Array(String(repeating: "é", count: 60).utf8))
    }

    @Test("a link that nobody holds is closed")
    func dropped() async throws {
      let code = Locked<[UInt8]>([])
      let gone = Latch()
      let server = RawServer { peer in
        peer.acceptWebSocket()
        let frame = peer.readFrame()
        code.withLock { $0 = frame?.payload ?? [] }
        gone.open()
      }
      defer { server.stop() }
      _ = try await client.connect(WebSocketRequest(url: server.ws))
      await gone.wait()
      #expect(code.withLock { $0 } == self.code(1000))
    }

    @Test("who sends to a peer that does not read waits, and can be cancelled")
    func fullOutbox() async throws {
      let server = RawServer { peer in
        peer.acceptWebSocket()
        let stays = DispatchSemaphore(value: 0)
        _ = stays.wait(timeout: .now() + 30)
      }
      defer { server.stop() }
      let link = try await client.connect(WebSocketRequest(url: server.ws))
      let sent = Locked(0)
      let full = Latch()
      let task = Task { () -> NetError? in
        do throws(NetError) {
          while true {
            try await link.send([UInt8](repeating: 1, count: 1 << 20))
            let count = sent.withLock { count in
              count += 1
              return count
            }
            if count == 2 { full.open() }
          }
        } catch { return error }
      }
      await full.wait()
      // The sockets' own buffers take a few more; then the outbox is full.
      var last = -1
      while last != sent.withLock({ $0 }) {
        last = sent.withLock { $0 }
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(last < 32)
      task.cancel()
      #expect(await task.value == .cancelled)
      let other = Task { () -> NetError? in
        do throws(NetError) {
          while true { try await link.send([UInt8](repeating: 1, count: 1 << 20)) }
        } catch { return error }
      }
      link.close()
      #expect(await other.value == .closedEarly(host: "127.0.0.1:\(server.port)"))
    }

    @Test("while nobody reads, the network is not read")
    func fullInbox() async throws {
      let total = 64
      let written = Locked(0)
      let begun = Latch()
      let server = RawServer { peer in
        peer.acceptWebSocket()
        let piece = [UInt8](repeating: 3, count: 1 << 20)
        for _ in 0..<total {
          guard peer.writeFrame(2, piece) else { return begun.open() }
          written.withLock { $0 += 1 }
          begun.open()
        }
        peer.writeClose(1000, "all")
        peer.waitForClose()
      }
      defer { server.stop() }
      let link = try await client.connect(WebSocketRequest(url: server.ws))
      await begun.wait()
      var last = -1
      while last != written.withLock({ $0 }) {
        last = written.withLock { $0 }
        try await Task.sleep(for: .milliseconds(200))
      }
      #expect(last < total / 2)
      var messages = link.messages.makeAsyncIterator()
      var bytes = 0
      while case .binary(let piece) = await messages.next() { bytes += piece.count }
      #expect(bytes == total << 20)
    }
  }
#endif
