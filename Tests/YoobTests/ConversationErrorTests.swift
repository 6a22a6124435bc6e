import Foundation
import Testing
import VoiceIO
import YoobNet
import YoobWire

@testable import Yoob

@MainActor @Suite("What goes wrong in a conversation")
struct ConversationErrorTests {
  private static let grant =
    #"{"voice_token": "yv1", "url": "wss://voice.example.org/v1/realtime", "model": "m 1"}"#

  private func hosted(
    _ bench: ConversationBench, hosts: [String] = ["voice.example.org"],
    _ voiceSession: @escaping @Sendable () async throws -> YoobVoiceSession = {
      try YoobVoiceSession(json: Data(ConversationErrorTests.grant.utf8))
    }
  ) -> YoobConversation {
    var options = YoobConversation.Options()
    options.voiceHosts = hosts
    return YoobConversation(avatar: bench.avatar, options: options, voiceSession: voiceSession)
  }

  /// What `start` throws.
  private func refusal(_ bench: ConversationBench, _ conversation: YoobConversation) async -> YoobError? {
    do {
      try await bench.finish { try await conversation.start() }
      return nil
    } catch {
      return error as? YoobError
    }
  }

  @Test(
    "each close code of a voice server that ends the call is told with its number",
    arguments: [4000, 4001, 4002, 4003, 4008, 4009, 4010, 4029])
  func closeCodes(code: Int) async throws {
    let bench = ConversationBench()
    let conversation = hosted(bench)
    bench.sockets.onOpen { $0.tell(["type": "session.updated"]) }
    try await bench.finish { try await conversation.start() }
    let socket = try #require(bench.sockets.all.first)
    #expect(socket.request.url == "wss://voice.example.org/v1/realtime?model=m%201")
    #expect(socket.request.headers.contains { $0.value == "Bearer yv1" })
    socket.drop(code: code)
    await bench.pass(0.1)
    #expect(conversation.state == .ended)
    guard case .voiceSession(code, let message)? = conversation.lastError else {
      Issue.record("\(String(describing: conversation.lastError))")
      return
    }
    #expect(!message.isEmpty)
    #expect(bench.sockets.all.count == 1)
    #expect(bench.avatar.microphone.state == .off)
    await conversation.stopNow(bench)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test(
    "a busy server is asked again, and after the last try the call is over", arguments: [1011, 1013, 1006])
  func temporary(code: Int) async throws {
    let bench = ConversationBench()
    let conversation = hosted(bench)
    bench.sockets.onOpen { $0.tell(["type": "session.updated"]) }
    try await bench.finish { try await conversation.start() }
    bench.sockets.refuse(Array(repeating: .noWebSocket(host: "voice", status: 503), count: 5))
    bench.sockets.all[0].drop(code: code)
    await bench.pass(0.2)
    #expect(conversation.state == .connecting)
    for _ in 0..<60 where conversation.state != .ended {
      bench.clock.advance(by: 0.5)
      await bench.settle()
    }
    #expect(conversation.state == .ended)
    #expect(bench.sockets.tries == 6)
    if case .network? = conversation.lastError {
    } else {
      Issue.record("\(String(describing: conversation.lastError))")
    }
    await conversation.stopNow(bench)
  }

  @Test("a refusal at the start is thrown, in the words of who refused")
  func refused() async throws {
    for (status, expected) in [(401, YoobError.unauthorized), (402, .outOfCredit)] {
      let bench = ConversationBench()
      let conversation = hosted(bench)
      bench.sockets.refuse([.noWebSocket(host: "voice", status: status)])
      #expect(await refusal(bench, conversation) == expected)
      #expect(conversation.state == .ended)
      #expect(conversation.lastError == expected)
      #expect(bench.avatar.microphone.state == .off)
    }
    let bench = ConversationBench()
    bench.sockets.refuse([.refused(host: "voice.example.org")])
    guard case .network(let text)? = await refusal(bench, hosted(bench)) else {
      Issue.record("not refused")
      return
    }
    #expect(text.contains("nothing answers at voice.example.org"))
    #expect(await refusal(bench, hosted(bench) { throw YoobError.outOfCredit }) == .outOfCredit)
    struct Offline: LocalizedError { var errorDescription: String? { "offline" } }
    #expect(await refusal(bench, hosted(bench) { throw Offline() }) == .network("offline"))
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test(
    "an address that is not allowed is never opened",
    arguments: [
      "wss://evil.example.org/v1", "ws://voice.example.org/v1", "wss://voice.example.org@evil.org/",
      "https://voice.example.org/",
    ])
  func hosts(url: String) async throws {
    let bench = ConversationBench()
    let conversation = hosted(bench) {
      try YoobVoiceSession(json: Data(#"{"voice_token": "t", "url": "\#(url)"}"#.utf8))
    }
    guard case .voiceSession(code: 0, _)? = await refusal(bench, conversation) else {
      Issue.record("\(String(describing: conversation.lastError))")
      return
    }
    #expect(bench.sockets.tries == 0)
  }

  @Test("the default host of voice sessions is the configured server's")
  func defaultHosts() {
    #expect(YoobConversation.defaultVoiceHosts == ["127.0.0.1"])
    let options = YoobConversation.Options()
    #expect(options.voiceHosts == ["127.0.0.1"])
    #expect(options.model == "gpt-realtime")
    #expect(options.speed == 1.08)
    #expect(options.turnDetection == .serverVAD(silenceMS: 450, threshold: 0.5, prefixPaddingMS: 300))
    #expect(options.noiseReduction == .farField)
    #expect(options.transcriptionModel == "gpt-4o-mini-transcribe")
    #expect(!options.greet)
  }

  @Test("a server that never answers is given up after fifteen seconds")
  func silence() async throws {
    let bench = ConversationBench()
    let conversation = hosted(bench)
    let starting = Task { try await conversation.start() }
    await bench.pass(1)
    #expect(conversation.state == .connecting)
    bench.clock.advance(by: 13.5)
    await bench.settle()
    #expect(conversation.state == .connecting)
    bench.clock.advance(by: 1)
    await bench.settle()
    #expect(conversation.state == .ended)
    await #expect(throws: YoobError.self) { try await starting.value }
    #expect(bench.sockets.all.first?.closeCode == 1000)
  }

  @Test("a microphone that may not be used ends the start")
  func noMicrophone() async throws {
    let bench = ConversationBench()
    bench.microphone.failure.withLock { $0 = AudioDeviceError.failed("Permission denied") }
    let conversation = hosted(bench)
    guard case .permissionDenied? = await refusal(bench, conversation) else {
      Issue.record("\(String(describing: conversation.lastError))")
      return
    }
    #expect(conversation.state == .ended)
    if case .failed(.permissionDenied) = bench.avatar.microphone.state {
    } else {
      Issue.record("\(bench.avatar.microphone.state)")
    }
    bench.microphone.failure.withLock { $0 = nil }
    bench.sockets.onOpen { $0.tell(["type": "session.updated"]) }
    try await bench.finish { try await conversation.start() }
    #expect(conversation.state == .listening)
    #expect(conversation.lastError == nil)
    await conversation.stopNow(bench)
  }

  @Test("an error of the provider is told, and the conversation goes on; harmless ones are not")
  func providerErrors() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    socket.tell(["type": "error", "error": ["code": "response_cancel_not_active", "message": "no"]])
    await bench.pass(0.02)
    #expect(conversation.lastError == nil)
    socket.tell(["type": "error", "error": ["code": "yoob_invalid_audio", "message": "bad sound"]])
    await bench.pass(0.02)
    #expect(conversation.lastError == .network("The voice service says: bad sound"))
    #expect(conversation.state == .listening)
    await conversation.stopNow(bench)
  }

  @Test("a voice session is decoded in both cases, and refusals throw what they mean")
  func voiceSession() throws {
    let snake = """
      {"voice_session_id": "v", "voice_token": "t", "url": "wss://x/", "model": "m", "max_seconds": 1800,
       "credits_per_minute": 0.5, "expires_at": 1800000000}
      """
    let session = try JSONDecoder().decode(YoobVoiceSession.self, from: Data(snake.utf8))
    #expect(
      session.id == "v" && session.voiceToken == "t" && session.url == "wss://x/" && session.model == "m")
    #expect(session.maxSeconds == 1800 && session.creditsPerMinute == 0.5)
    #expect(session.expiresAt == Date(timeIntervalSince1970: 1_800_000_000))
    let camel = #"{"voiceToken": "t", "url": "wss://x/"}"#
    #expect(try JSONDecoder().decode(YoobVoiceSession.self, from: Data(camel.utf8)).voiceToken == "t")
    for (body, expected) in [
      (#"{"error": "no credit", "code": "quota_exceeded"}"#, YoobError.outOfCredit),
      (#"{"error": "bad key"}"#, .unauthorized), (#"{"error": "x", "code": "key_revoked"}"#, .unauthorized),
    ] {
      #expect(throws: expected) { try JSONDecoder().decode(YoobVoiceSession.self, from: Data(body.utf8)) }
    }
    do {
      _ = try JSONDecoder().decode(YoobVoiceSession.self, from: Data("{}".utf8))
      Issue.record("decoded")
    } catch {
      guard case YoobError.voiceSession(code: 0, _) = error else {
        Issue.record(error)
        return
      }
    }
  }
}
