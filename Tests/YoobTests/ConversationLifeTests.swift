import Foundation
import Testing
import VoiceIO
import YoobNet
import YoobWire

@testable import Yoob

@MainActor @Suite("A conversation's life")
struct ConversationLifeTests {
  @Test("two hundred conversations leave nothing that runs, and every socket closed")
  func cycles() async throws {
    let bench = ConversationBench()
    bench.sockets.onOpen { $0.tell(["type": "session.updated"]) }
    let conversation = YoobConversation(avatar: bench.avatar, clientSecret: { "ek" })
    for _ in 0..<200 {
      try await bench.finish { try await conversation.start() }
      #expect(conversation.state == .listening)
      bench.sockets.all.last?.speak(0.2)
      await bench.pass(0.03)
      await conversation.stopNow(bench)
      #expect(bench.running.withLock { $0 } == 0)
    }
    #expect(bench.sockets.all.count == 200)
    #expect(bench.sockets.all.allSatisfy { $0.closeCode == 1000 })
    #expect(!bench.microphone.isOpen.withLock { $0 })
    #expect(bench.clock.pendingCount <= 1)
  }

  @Test("stopping twice, at once or later, is stopping once; starting twice is starting once")
  func idempotent() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    try await bench.finish { try await conversation.start() }
    #expect(bench.sockets.all.count == 1)
    socket.speak(2)
    await bench.pass(0.3)
    try await bench.finish {
      async let first: Void = conversation.close()
      async let second: Void = conversation.close()
      _ = await (first, second)
    }
    await conversation.stopNow(bench)
    #expect(conversation.state == .ended)
    #expect(bench.running.withLock { $0 } == 0)
    let heard = bench.speaker.playedSamples
    await bench.pass(1)
    #expect(bench.speaker.playedSamples == heard)
  }

  @Test("a start that is stopped, or cancelled, before it is open throws and leaves nothing")
  func stoppedStart() async throws {
    let bench = ConversationBench()
    let conversation = YoobConversation(avatar: bench.avatar, clientSecret: { "ek" })
    let starting = Task { try await conversation.start() }
    await bench.pass(0.1)
    #expect(conversation.state == .connecting)
    await conversation.stopNow(bench)
    await #expect(throws: CancellationError.self) { try await starting.value }
    let cancelled = Task { try await conversation.start() }
    await bench.pass(0.1)
    cancelled.cancel()
    await bench.pass(0.1)
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(conversation.state == .ended)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test("the state is ended only when another conversation can begin")
  func restart() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    let restarted = Guarded(false)
    let watch = Task { @MainActor in
      while conversation.state != .ended { await Task.yield() }
      try await conversation.start()
      restarted.withLock { $0 = true }
    }
    socket.drop(code: 4001)
    for _ in 0..<200 where !restarted.withLock({ $0 }) { await bench.pass(0.05) }
    try await watch.value
    #expect(bench.sockets.all.count == 2)
    #expect(conversation.state == .listening)
    await conversation.stopNow(bench)
  }

  @Test("credentials that never come, and heed nothing, do not hold the end up")
  func stubbornCredentials() async throws {
    let bench = ConversationBench()
    let never = OneShot()
    let conversation = YoobConversation(
      avatar: bench.avatar,
      clientSecret: {
        await never.value()
        return "ek"
      })
    let starting = Task { try await conversation.start() }
    await bench.pass(0.1)
    let before = bench.clock.now
    try await bench.finish { await conversation.close() }
    #expect(bench.clock.now - before < 3)
    #expect(conversation.state == .ended)
    await #expect(throws: CancellationError.self) { try await starting.value }
    never.fire()
    await bench.pass(0.1)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test("a conversation that begins while the app opens the microphone hears why that fails")
  func pendingMicrophone() async throws {
    let bench = ConversationBench()
    bench.sockets.onOpen { $0.tell(["type": "session.updated"]) }
    bench.microphone.failure.withLock { $0 = AudioDeviceError.notPermitted }
    let conversation = YoobConversation(avatar: bench.avatar, clientSecret: { "ek" })
    let microphone = Task { try await bench.avatar.microphone.start() }
    let starting = Task { try await conversation.start() }
    await bench.pass(0.5)
    await #expect(throws: YoobError.self) { try await microphone.value }
    await #expect(throws: YoobError.permissionDenied("\(AudioDeviceError.notPermitted)")) {
      try await starting.value
    }
    #expect(conversation.state == .ended)
  }

  @Test("closing the avatar ends the conversation and its microphone")
  func avatarCloses() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    try await bench.finish { await bench.avatar.close() }
    await bench.pass(0.1)
    #expect(conversation.state == .ended)
    #expect(bench.avatar.microphone.state == .off)
    #expect(socket.closeCode == 1000)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test("stopping needs no waiting: the state and the microphone are given back at once")
  func stopsAtOnce() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    conversation.stop()
    #expect(conversation.state == .ended)
    #expect(bench.avatar.microphone.state == .off)
    conversation.stop()
    // The next one begins when the last one is gone.
    try await bench.finish { try await conversation.start() }
    #expect(socket.closeCode == 1000)
    #expect(conversation.state == .listening)
    await conversation.stopNow(bench)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test("a stop at any moment of a start leaves the microphone closed, and the start throws")
  func stopsWhileStarting() async throws {
    for yields in 0..<40 {
      let bench = ConversationBench()
      bench.sockets.onOpen { $0.tell(["type": "session.updated"]) }
      let conversation = YoobConversation(avatar: bench.avatar, clientSecret: { "ek" })
      let starting = Task { try await conversation.start() }
      for _ in 0..<10_000 where conversation.state != .connecting { await Task.yield() }
      for _ in 0..<yields { await Task.yield() }
      conversation.stop()
      #expect(conversation.state == .ended)
      await bench.pass(0.1)
      await #expect(throws: CancellationError.self) { try await starting.value }
      #expect(bench.avatar.microphone.state == .off, "after \(yields) turns")
      #expect(!bench.microphone.isOpen.withLock { $0 })
      #expect(bench.running.withLock { $0 } == 0)
    }
  }

  @Test("a stop ends the start that waits for the end of the last conversation")
  func stopsWaitingStart() async throws {
    let bench = ConversationBench()
    let (conversation, _) = try await bench.open()
    conversation.stop()
    let starting = Task { try await conversation.start() }
    for _ in 0..<20 { await Task.yield() }
    conversation.stop()
    await bench.pass(0.5)
    await #expect(throws: CancellationError.self) { try await starting.value }
    #expect(conversation.state == .ended)
    #expect(bench.avatar.microphone.state == .off)
    #expect(bench.sockets.all.count == 1)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test("a start prepares the character, and does not wait for it nor fail with it")
  func preparesCharacter() async throws {
    let bench = ConversationBench()
    #expect(bench.avatar.phase == .notPrepared)
    let (conversation, _) = try await bench.open()
    for _ in 0..<200 {
      if case .failed = bench.avatar.phase { break }
      await bench.pass(0.01)
    }
    guard case .failed(.invalidAssets) = bench.avatar.phase else {
      Issue.record("\(bench.avatar.phase)")
      return
    }
    #expect(conversation.state == .listening)
    #expect(conversation.lastError == nil)
    await conversation.stopNow(bench)
  }

  @Test("a tool may stop the conversation that calls it")
  func toolStops() async throws {
    let bench = ConversationBench()
    let box = Guarded<YoobConversation?>(nil)
    var options = YoobConversation.Options()
    options.tools = [
      YoobTool(name: "bye", description: "") { _ in
        await box.withLock { $0 }?.stop()
        return "{}"
      }
    ]
    let (conversation, socket) = try await bench.open(options)
    box.withLock { $0 = conversation }
    socket.tell(["type": "response.created", "response": ["id": "r1"]])
    socket.tell([
      "type": "response.function_call_arguments.done", "response_id": "r1", "call_id": "c", "name": "bye",
      "arguments": "{}",
    ])
    await bench.pass(0.2)
    #expect(conversation.state == .ended)
    await conversation.stopNow(bench)
    #expect(bench.running.withLock { $0 } == 0)
    box.withLock { $0 = nil }
  }

  @Test("a microphone that the app opened stays open")
  func sharedMicrophone() async throws {
    let bench = ConversationBench()
    try await bench.finish { try await bench.avatar.microphone.start() }
    let (conversation, _) = try await bench.open()
    await conversation.stopNow(bench)
    #expect(bench.avatar.microphone.state == .live)
  }

  @Test("one that is dropped without a stop leaves nothing that runs")
  func dropped() async throws {
    let bench = ConversationBench()
    var conversation: YoobConversation? = try await bench.open().0
    #expect(conversation?.state == .listening)
    conversation = nil
    await bench.pass(0.2)
    #expect(bench.running.withLock { $0 } == 0)
    #expect(bench.avatar.microphone.state == .off)
    #expect(bench.sockets.all.first?.closeCode == 1000)
  }

  @Test("a tool that never ends does not hold up the stop")
  func stubbornTool() async throws {
    let bench = ConversationBench()
    let gate = OneShot()
    var options = YoobConversation.Options()
    options.tools = [
      YoobTool(name: "stubborn", description: "") { _ in
        await gate.value()
        return "{}"
      }
    ]
    let (conversation, socket) = try await bench.open(options)
    socket.tell(["type": "response.created", "response": ["id": "r1"]])
    socket.tell([
      "type": "response.function_call_arguments.done", "response_id": "r1", "call_id": "c",
      "name": "stubborn", "arguments": "{}",
    ])
    await bench.pass(0.1)
    let before = bench.clock.now
    await conversation.stopNow(bench)
    #expect(bench.clock.now - before < 2.5)
    #expect(bench.running.withLock { $0 } == 1)
    gate.fire()
    await bench.pass(0.1)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test("a connection that takes nothing for long is given up for another one")
  func stalled() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    let gate = OneShot()
    socket.stall.withLock { $0 = gate }
    for _ in 0..<80 where bench.sockets.all.count == 1 {
      bench.microphone.hear(1)
      await bench.pass(0.05)
    }
    #expect(bench.sockets.all.count == 2)
    await bench.pass(0.1)
    #expect(conversation.state == .listening)
    gate.fire()
    await conversation.stopNow(bench)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test("stopping ends the wait for another connection, and the wait for the app's own server")
  func stopsWaiting() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    socket.drop(code: nil)
    await bench.pass(0.05)
    #expect(conversation.state == .connecting)
    let before = bench.clock.now
    await conversation.stopNow(bench)
    #expect(bench.clock.now - before < 0.2)
    #expect(bench.running.withLock { $0 } == 0)
    let slow = YoobConversation(avatar: bench.avatar) { [clock = bench.clock] () -> YoobVoiceSession in
      await clock.sleep(for: 10)
      throw CancellationError()
    }
    let starting = Task { try await slow.start() }
    await bench.pass(0.1)
    await slow.stopNow(bench)
    await #expect(throws: CancellationError.self) { try await starting.value }
    #expect(bench.clock.now - before < 0.5)
    #expect(bench.running.withLock { $0 } == 0)
  }
}
