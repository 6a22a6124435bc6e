#if os(Linux)
  import Foundation
  import Testing
  import VoiceIO
  import YoobTesting
  import YoobServer
  import YoobWire

  @testable import Yoob

  @MainActor @Suite("A conversation over a real socket")
  struct ConversationSocketTests {
    @Test("with our own voice server: typed, heard, said, interrupted, and over")
    func talks() async throws {
      var configuration = VoiceServerConfiguration()
      configuration.port = 0
      configuration.accepts = { $0 == "secret" }
      configuration.voice = "heart"
      let agents = Guarded<[ScriptedSpeechAgent]>([])
      let server = try VoiceServer(configuration) { _ in
        let agent = ScriptedSpeechAgent(replies: true)
        agents.withLock { $0.append(agent) }
        return agent
      }
      let address = try await server.start()
      await server.markReady()
      let url =
        address.replacingOccurrences(of: "http://", with: "ws://")
        .trimmingCharacters(in: CharacterSet(charactersIn: "/")) + "/v1/realtime"

      let speaker = RecordingSink()
      let microphone = ScriptedMicrophone()
      var devices = AvatarDevices(sink: speaker, clock: MonotonicClock())
      devices.microphone = microphone
      let avatar = YoobAvatar(.local(URL(fileURLWithPath: "/nowhere")), devices: devices)
      var options = YoobConversation.Options()
      options.voiceHosts = ["127.0.0.1"]
      options.instructions = "Be Luna."
      let token = Guarded("wrong")
      let conversation = YoobConversation(avatar: avatar, options: options) {
        try YoobVoiceSession(
          json: Data(#"{"voice_token": "\#(token.withLock { $0 })", "url": "\#(url)", "model": "luna"}"#.utf8)
        )
      }
      await #expect(throws: YoobError.unauthorized) { try await conversation.start() }
      token.withLock { $0 = "secret" }
      try await conversation.start()
      #expect(conversation.state == .listening)
      let agent = try #require(agents.withLock { $0.first })
      #expect(await eventually { agent.configuration?.instructions == "Be Luna." })

      microphone.hear(0.5)
      #expect(await eventually { abs(agent.heardBytes - 24_000) <= 1920 })
      conversation.send(text: "hello")
      #expect(await eventually { conversation.state == .speaking })
      #expect(await eventually { conversation.state == .listening })
      #expect(conversation.assistantTranscript == "You said hello")
      #expect(speaker.playedSamples == 12_000)

      agent.speak(20, words: ["long"], id: "long")
      #expect(await eventually { speaker.playedSamples >= 6000 && conversation.state == .speaking })
      let heard = avatar.interrupt()
      #expect(heard >= 6000)
      #expect(
        await eventually {
          agent.calls.contains(.corrected(ms: heard * 1000 / 24_000))
            || agent.calls.contains(.interrupt(heardMs: heard * 1000 / 24_000))
        })
      #expect(await eventually { conversation.state == .listening })

      // The user's voice: the server cuts what it thinks was heard, and our client says what really was.
      let replies = speaker.segments.map(\.utterance).max() ?? 0
      agent.speak(20, words: (1...80).map(String.init), id: "numbers")
      #expect(
        await eventually {
          speaker.segments.contains { $0.utterance > replies && $0.clip.samples.count >= 6000 }
        })
      agent.tell(.speechStarted(audioMs: 0))
      #expect(await eventually { conversation.state == .listening })
      agent.tell(.responseFinished(responseID: "numbers", status: .cancelled(reason: "turn_detected")))
      let listened = speaker.segments.filter { $0.utterance > replies }.reduce(0) {
        $0 + $1.clip.samples.count
      }
      #expect(listened >= 6000 && listened < 20 * 24_000)
      let told = agent.calls.compactMap { call -> Int? in
        switch call {
        case .interrupt(let ms?), .corrected(let ms): ms
        default: nil
        }
      }
      #expect(told.contains { abs($0 - listened / 24) <= 150 }, "\(told) for \(listened) samples")
      #expect(await eventually { conversation.assistantTranscript.hasPrefix("1") })
      let words = conversation.assistantTranscript.split(separator: " ").count
      #expect(abs(words - listened / 6000) <= 1, "\(words) words in \(listened) samples")

      agent.tell(.error(code: "script", message: "It broke.", isFatal: true))
      #expect(await eventually { agents.withLock { $0.count } == 2 && conversation.state == .listening })
      await conversation.close()
      #expect(conversation.state == .ended)
      #expect(await eventually { agents.withLock { $0.allSatisfy { $0.calls.contains(.close) } } })
      await server.stop()
    }
  }
#endif
