#if os(Linux)
  import Foundation
  import ScriptedAgent
  import Testing
  import VoiceIO
  import YoobTesting
  import YoobServer
  import YoobWire

  @testable import Yoob

  /// An avatar that talks to the voice server that the openai client talks to (`Tests/wire/openai_tests.py`).
  @MainActor private final class VoiceBench {
    let speaker = RecordingSink()
    let microphone = ScriptedMicrophone()
    let avatar: YoobAvatar
    let sessions = Guarded(0)
    private(set) var server: VoiceServer
    private(set) var port: Int

    init(_ change: (inout VoiceServerConfiguration) -> Void = { _ in }) async throws {
      var devices = AvatarDevices(sink: speaker, clock: MonotonicClock())
      devices.microphone = microphone
      avatar = YoobAvatar(.local(URL(fileURLWithPath: "/nowhere")), devices: devices)
      (server, port) = try await Self.serve(0, change)
    }

    private static func serve(
      _ port: Int, _ change: (inout VoiceServerConfiguration) -> Void
    ) async throws -> (VoiceServer, Int) {
      var configuration = VoiceServerConfiguration()
      configuration.port = port
      configuration.accepts = { $0 == "secret" }
      configuration.voice = "heart"
      change(&configuration)
      let server = try VoiceServer(configuration) { _ in ScriptedAgent() }
      let address = try await server.start()
      await server.markReady()
      return (server, try #require(URL(string: address)?.port))
    }

    /// The server, gone and there again at the same port.
    func restart() async throws {
      await server.stop()
      (server, _) = try await Self.serve(port) { _ in }
    }

    /// A conversation in voice sessions, which is not started.
    func hosted() -> YoobConversation {
      var options = YoobConversation.Options()
      options.voiceHosts = ["127.0.0.1"]
      let (sessions, port) = (sessions, port)
      return YoobConversation(avatar: avatar, options: options) {
        sessions.withLock { $0 += 1 }
        return try YoobVoiceSession(
          json: Data(#"{"voice_token": "secret", "url": "ws://127.0.0.1:\#(port)/v1/realtime"}"#.utf8))
      }
    }

    /// A conversation with a provider's client secret, which is not started.
    func direct(_ change: (inout YoobConversation.Options) -> Void = { _ in }) -> YoobConversation {
      var options = YoobConversation.Options()
      options.baseURL = "ws://127.0.0.1:\(port)/v1"
      change(&options)
      return YoobConversation(avatar: avatar, options: options, clientSecret: { "secret" })
    }

    /// Samples that were heard, of all replies.
    var heard: Int { speaker.segments.reduce(0) { $0 + $1.clip.samples.count } }

    func end(_ conversation: YoobConversation) async {
      await conversation.close()
      #expect(conversation.state == .ended)
      await server.stop()
    }
  }

  @MainActor @Suite("A conversation with the voice server that the openai client accepts")
  struct ScriptedVoiceTests {
    @Test("typed and spoken, heard and said, through all states", arguments: [true, false])
    func talks(isHosted: Bool) async throws {
      let bench = try await VoiceBench()
      let conversation = isHosted ? bench.hosted() : bench.direct()
      #expect(conversation.state == .idle)
      async let start: Void = conversation.start()
      #expect(await eventually { conversation.state == .connecting })
      try await start
      #expect(conversation.state == .listening)
      conversation.send(text: "good morning")
      #expect(await eventually { conversation.state == .thinking || conversation.state == .speaking })
      #expect(await eventually { conversation.state == .speaking })
      #expect(await eventually { conversation.state == .listening })
      #expect(conversation.userTranscript == "good morning")
      #expect(conversation.assistantTranscript == "You said: good morning")
      #expect(bench.speaker.playedSamples == 24_000)
      bench.microphone.hear(1.1)
      #expect(await eventually { conversation.userTranscript == "what time is it" })
      #expect(await eventually { conversation.assistantTranscript == "You said: what time is it" })
      #expect(await eventually { conversation.state == .listening })
      #expect(bench.heard == 48_000)
      #expect(conversation.lastError == nil)
      await bench.end(conversation)
    }

    @Test("a reply that is interrupted ends, what was heard of it stays, and the next one is heard")
    func interrupted() async throws {
      let bench = try await VoiceBench()
      let conversation = bench.hosted()
      try await conversation.start()
      conversation.send(text: "long")
      #expect(await eventually { bench.speaker.playedSamples >= 12_000 })
      let heard = bench.avatar.interrupt()
      #expect(heard >= 12_000)
      #expect(await eventually { conversation.state == .listening })
      conversation.send(text: "again")
      #expect(await eventually { conversation.assistantTranscript == "You said: again" })
      #expect(await eventually { conversation.state == .listening })
      #expect(bench.heard == heard + 24_000)
      #expect(conversation.lastError == nil)
      await bench.end(conversation)
    }

    @Test("a server that is gone in mid-reply: what arrived is heard, and a new session goes on")
    func comesBack() async throws {
      let bench = try await VoiceBench()
      let conversation = bench.hosted()
      try await conversation.start()
      conversation.send(text: "long")
      #expect(await eventually { bench.speaker.playedSamples >= 12_000 })
      try await bench.restart()
      #expect(
        await eventually { bench.sessions.withLock { $0 } >= 2 && conversation.state == .listening })
      conversation.send(text: "again")
      #expect(await eventually { conversation.assistantTranscript == "You said: again" })
      await bench.end(conversation)
    }

    @Test("the server's limits end the conversation, in words", arguments: [4009, 4010])
    func limits(code: Int) async throws {
      let bench = try await VoiceBench {
        if code == 4009 { $0.timeLimit = 1 } else { $0.idleLimit = 1 }
      }
      let conversation = bench.hosted()
      try await conversation.start()
      #expect(await eventually { conversation.state == .ended })
      #expect(
        conversation.lastError == .voiceSession(code: code, message: VoiceRelayClose(code: code).message))
      #expect(await eventually { bench.avatar.microphone.state == .off })
      #expect(bench.sessions.withLock { $0 } == 1)
      await bench.end(conversation)
    }

    @Test("a busy server is told as such, and a wrong key is refused")
    func refusals() async throws {
      let bench = try await VoiceBench()
      let first = bench.hosted()
      try await first.start()
      let other = try await VoiceBench()
      await other.server.stop()
      var options = YoobConversation.Options()
      options.voiceHosts = ["127.0.0.1"]
      let token = Guarded("secret")
      let port = bench.port
      let second = YoobConversation(avatar: other.avatar, options: options) {
        let token = token.withLock { $0 }
        return try YoobVoiceSession(
          json: Data(#"{"voice_token": "\#(token)", "url": "ws://127.0.0.1:\#(port)/v1/realtime"}"#.utf8))
      }
      await #expect(throws: YoobError.voiceSession(code: 1013, message: VoiceRelayClose(code: 1013).message))
      {
        try await second.start()
      }
      token.withLock { $0 = "wrong" }
      await #expect(throws: YoobError.unauthorized) { try await second.start() }
      #expect(first.state == .listening)
      await bench.end(first)
    }
  }
#endif
