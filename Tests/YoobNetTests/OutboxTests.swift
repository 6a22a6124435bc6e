import Testing

@testable import YoobNet

@Suite("Outbox")
struct OutboxTests {
  @Test("messages leave in their order, the close after the last")
  func order() {
    var outbox = Outbox(limit: 100)
    #expect(outbox.append(.text("a")) == .queued)
    #expect(outbox.append(.binary([1, 2])) == .queued)
    #expect(outbox.bytes == 3)
    let closes = outbox.close(code: 1000, reason: "bye")
    #expect(closes)
    #expect(outbox.append(.text("late")) == .closed)
    #expect(outbox.next() == .send(.text("a")))
    #expect(outbox.next() == .send(.binary([1, 2])))
    #expect(outbox.next() == .close(code: 1000, reason: "bye"))
    #expect(outbox.next() == .nothing)
  }

  @Test("more than the limit drops what waits and closes with 1008")
  func overflow() {
    var outbox = Outbox(limit: 10)
    #expect(outbox.append(.text("12345678")) == .queued)
    #expect(outbox.append(.text("123")) == .overflowed)
    #expect(outbox.bytes == 0)
    #expect(outbox.append(.text("1")) == .closed)
    guard case .close(let code, _) = outbox.next() else {
      Issue.record("the outbox does not close")
      return
    }
    #expect(code == 1008)
  }

  @Test("what was sent makes room again")
  func room() {
    var outbox = Outbox(limit: 10)
    for _ in 0..<1000 {
      #expect(outbox.append(.text("1234567")) == .queued)
      #expect(outbox.next() == .send(.text("1234567")))
    }
  }

  @Test("a connection that is gone takes nothing")
  func ended() {
    var outbox = Outbox(limit: 10)
    _ = outbox.append(.text("a"))
    outbox.end()
    #expect(outbox.append(.text("b")) == .closed)
    #expect(outbox.next() == .nothing)
    let closes = outbox.close(code: 1000, reason: "")
    #expect(!closes)
  }
}

@Suite("WebSocket messages")
struct MessagesTests {
  @Test("the network pauses while a megabyte waits, and resumes when half of it was read")
  func backPressure() async {
    let resumed = Locked(0)
    let messages = WebSocketConnection.Messages { resumed.withLock { $0 += 1 } }
    let quarter = WebSocketMessage.binary([UInt8](repeating: 0, count: (1 << 18) - 64))
    var paused: [Bool] = []
    for _ in 0..<5 { paused.append(messages.deliver(quarter)) }
    #expect(paused == [false, false, false, false, true])
    var reader = messages.makeAsyncIterator()
    for _ in 0..<2 { _ = await reader.next() }
    #expect(resumed.withLock { $0 } == 0)
    _ = await reader.next()
    #expect(resumed.withLock { $0 } == 1)
    messages.finish()
    for _ in 0..<2 { _ = await reader.next() }
    #expect(await reader.next() == nil)
    #expect(resumed.withLock { $0 } == 1)
  }
}
