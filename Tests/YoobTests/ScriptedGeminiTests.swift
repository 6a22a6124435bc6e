#if os(Linux)
  import Foundation
  import ScriptedGemini
  import Testing
  import VoiceIO
  import YoobTesting
  import YoobNet
  import YoobWire

  @testable import Yoob

  /// An avatar that talks to the service that google-genai talks to (`Tests/wire/gemini_tests.py`).
  @MainActor private final class ServiceBench {
    let service: ScriptedGemini
    let port: Int
    let speaker = RecordingSink()
    let microphone = ScriptedMicrophone()
    let avatar: YoobAvatar
    let tokens = Guarded(0)

    init() async throws {
      service = ScriptedGemini()
      port = try await service.start()
      var devices = AvatarDevices(sink: speaker, clock: MonotonicClock())
      devices.microphone = microphone
      avatar = YoobAvatar(.local(URL(fileURLWithPath: "/nowhere")), devices: devices)
    }

    /// A conversation that is not started; every connection has a token of its own.
    func conversation(
      _ change: (inout YoobGeminiConversation.Options) -> Void = { _ in }
    ) -> YoobGeminiConversation {
      var options = YoobGeminiConversation.Options()
      options.baseURL = "ws://127.0.0.1:\(port)"
      options.systemInstruction = "Be kind."
      options.voice = "Kore"
      change(&options)
      let tokens = tokens
      return YoobGeminiConversation(avatar: avatar, options: options) {
        tokens.withLock { count in
          count += 1
          return "auth_tokens/\(count)"
        }
      }
    }

    /// Samples that were heard, of all replies.
    var heard: Int { speaker.segments.reduce(0) { $0 + $1.clip.samples.count } }

    /// Asks, and returns the reply once it was heard to its end.
    func ask(_ text: String, of conversation: YoobGeminiConversation) async -> String {
      let before = conversation.assistantTranscript
      conversation.send(text: text)
      _ = await eventually { conversation.state == .speaking }
      _ = await eventually { conversation.state == .listening && conversation.assistantTranscript != before }
      return conversation.assistantTranscript
    }

    /// Messages of all connections with this member, as JSON text.
    func sent(_ name: String) -> [String] {
      service.connections.flatMap(\.messages).compactMap { $0[name]?.text }
    }

    /// What the model was told in `clientContent`.
    var told: String { sent("clientContent").joined(separator: "\n") }

    func end(_ conversation: YoobGeminiConversation) async {
      await conversation.close()
      #expect(conversation.state == .ended)
      await service.stop()
    }
  }

  @MainActor @Suite("A conversation with the Gemini service that google-genai accepts")
  struct ScriptedGeminiTests {
    @Test("typed and spoken, heard and said, through all states")
    func talks() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      #expect(conversation.state == .idle)
      async let start: Void = conversation.start()
      #expect(await eventually { conversation.state == .connecting })
      try await start
      #expect(conversation.state == .listening)
      let connection = try #require(bench.service.connections.first)
      #expect(connection.token == "auth_tokens/1")
      #expect(connection.path.hasSuffix("v1beta.GenerativeService.BidiGenerateContentConstrained"))

      conversation.send(text: "good morning")
      #expect(await eventually { conversation.state == .thinking || conversation.state == .speaking })
      #expect(await eventually { conversation.state == .speaking })
      #expect(await eventually { conversation.state == .listening })
      #expect(conversation.userTranscript == "good morning")
      #expect(conversation.assistantTranscript == "You said: good morning")
      #expect(bench.speaker.playedSamples == 12_000)
      #expect(bench.speaker.segments.first?.clip.sampleRate == 24_000)

      bench.microphone.hear(1.1)
      #expect(await eventually { conversation.userTranscript == "what time is it" })
      #expect(await eventually { conversation.assistantTranscript == "You said: what time is it" })
      #expect(await eventually { conversation.state == .listening })
      #expect(bench.heard == 24_000)
      // Nobody interrupted: there is nothing to tell.
      #expect(bench.told.isEmpty)
      #expect(conversation.lastError == nil)
      await bench.end(conversation)
    }

    @Test("it greets when it is asked to")
    func greets() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation {
        $0.greet = true
        $0.greeting = "Say hello."
      }
      try await conversation.start()
      #expect(await eventually { conversation.assistantTranscript == "You said: Say hello." })
      #expect(await eventually { conversation.state == .listening })
      await bench.end(conversation)
    }

    @Test("whom the user's voice interrupts learns what was heard, and the session knows it")
    func interruptedByVoice() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      conversation.send(text: "long")
      #expect(await eventually { bench.speaker.playedSamples >= 14_000 })
      #expect(conversation.state == .speaking)
      bench.microphone.hear(1.1)
      #expect(await eventually { bench.told.contains("I interrupted you") })
      // A word a tenth of a second: what is told is what was heard, not what was sent.
      let heard = try #require(bench.told.firstMatch(of: /I heard only: \\"([0-9 ]+)\\"/)).1
      let words = heard.split(separator: " ").map { Int($0) }
      #expect(words == (1...max(1, words.count)).map { $0 })
      let first = bench.speaker.segments.filter { $0.utterance == 1 }
      let played = first.reduce(0) { $0 + $1.clip.samples.count }
      #expect(abs(words.count - played / 2400) <= 2, "\(words.count) words in \(played) samples")
      #expect(await eventually { conversation.assistantTranscript == "You said: what time is it" })
      #expect(await eventually { conversation.state == .listening })
      let recalled = await bench.ask("recall", of: conversation)
      #expect(recalled.contains("I heard only: \"\(heard)\""))
      await bench.end(conversation)
    }

    @Test("the app's own interruption is told too, and the rest of the reply is not heard")
    func interruptedByApp() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      conversation.send(text: "long")
      #expect(await eventually { bench.speaker.playedSamples >= 12_000 })
      let heard = bench.avatar.interrupt()
      #expect(heard >= 12_000)
      #expect(await eventually { bench.told.contains("I heard only") })
      #expect(await eventually { conversation.state == .listening })
      let reply = await bench.ask("and now", of: conversation)
      #expect(reply == "You said: and now")
      #expect(bench.heard == heard + 12_000)
      await bench.end(conversation)
    }

    @Test("a typed message interrupts a reply")
    func interruptedByText() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      conversation.send(text: "long")
      #expect(await eventually { bench.speaker.playedSamples >= 12_000 })
      conversation.send(text: "stop")
      #expect(await eventually { conversation.assistantTranscript == "You said: stop" })
      #expect(await eventually { conversation.state == .listening })
      #expect(bench.told.contains("I heard only"))
      await bench.end(conversation)
    }

    @Test("after an announced end the session goes on by its handle with a fresh token")
    func goesAway() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      #expect(await bench.ask("my name is Ada", of: conversation) == "You said: my name is Ada")
      conversation.send(text: "go away")
      #expect(await eventually { bench.service.connections.count == 2 })
      #expect(await eventually { conversation.state == .listening })
      #expect(conversation.assistantTranscript == "I have to go.")
      #expect(bench.heard == 24_000)
      #expect(conversation.goAwayTimeLeft == nil)
      let second = try #require(bench.service.connections.last)
      #expect(second.token == "auth_tokens/2")
      #expect(second.messages.first?["setup"]?["sessionResumption"]?["handle"]?.string == "handle-1")
      let recalled = await bench.ask("recall", of: conversation)
      for text in ["user: my name is Ada", "user: go away", "model: I have to go."] {
        #expect(recalled.components(separatedBy: text).count == 2, "\(text) in \(recalled)")
      }
      #expect(conversation.lastError == nil)
      await bench.end(conversation)
    }

    @Test(
      "an announced end is shown; in mid-reply what arrived is heard to its end, and told to the next session"
    )
    func goesAwayInMidReply() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      #expect(await bench.ask("my name is Ada", of: conversation) == "You said: my name is Ada")
      conversation.send(text: "long")
      #expect(await eventually { bench.heard >= 12_000 + 7200 })
      await bench.service.connections.first?.leave(after: 6)
      #expect(await eventually { conversation.goAwayTimeLeft == "6s" })
      #expect(await eventually { bench.service.connections.count == 2 })
      #expect(await eventually { conversation.state == .listening })
      let said = conversation.assistantTranscript
      #expect(said.hasPrefix("1 2 3"))
      // A word a tenth of a second: each that arrived was heard.
      #expect(abs((bench.heard - 12_000) / 2400 - said.split(separator: " ").count) <= 1)
      let recalled = await bench.ask("recall", of: conversation)
      for text in ["user: my name is Ada", "user: long", "model: \(said)"] {
        #expect(recalled.components(separatedBy: text).count == 2, "\(text) in \(recalled)")
      }
      #expect(conversation.lastError == nil)
      await bench.end(conversation)
    }

    @Test("a connection that breaks in mid-reply: what arrived is heard, and the session goes on")
    func drops() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      #expect(await bench.ask("my name is Ada", of: conversation) == "You said: my name is Ada")
      conversation.send(text: "drop")
      #expect(await eventually { bench.service.connections.count == 2 })
      #expect(await eventually { bench.heard == 24_000 })
      #expect(await eventually { conversation.state == .listening })
      #expect(conversation.assistantTranscript == "Half a reply that breaks off")
      let recalled = await bench.ask("recall", of: conversation)
      for text in ["user: my name is Ada", "user: drop", "model: Half a reply that breaks off"] {
        #expect(recalled.components(separatedBy: text).count == 2, "\(text) in \(recalled)")
      }
      await bench.end(conversation)
    }

    @Test("a service that has forgotten the session is told what was said")
    func forgets() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      #expect(await bench.ask("my name is Ada", of: conversation) == "You said: my name is Ada")
      bench.service.forgetSessions()
      bench.service.connections.last?.close(code: 1011)
      #expect(await eventually { bench.service.connections.count == 3 })
      #expect(await eventually { conversation.state == .listening })
      let recalled = await bench.ask("recall", of: conversation)
      #expect(recalled == "I know: user: my name is Ada | model: You said: my name is Ada")
      await bench.end(conversation)
    }

    @Test("a service that is gone for a while is found again")
    func comesBack() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      #expect(await bench.ask("hello", of: conversation) == "You said: hello")
      await bench.service.stop()
      #expect(await eventually { conversation.state == .connecting })
      let again = ScriptedGemini(port: bench.port)
      #expect(try await again.start() == bench.port)
      #expect(await eventually { conversation.state == .listening })
      #expect(await bench.ask("recall", of: conversation) == "I know: user: hello | model: You said: hello")
      await conversation.close()
      await again.stop()
    }

    @Test(
      "a close that is no accident ends the conversation, in words",
      arguments: [
        (
          "1007 Request contains an invalid argument.",
          YoobError.network(
            "The voice service disconnected (1007): Request contains an invalid argument. "
              + "Start the conversation again")
        ), ("1008 You exceeded your current quota, please check your plan.", .outOfCredit),
        ("1007 API key not valid. Please pass a valid API key.", .unauthorized),
        ("1008 The token has been used too many times.", .unauthorized),
      ])
    func closes(code: String, error: YoobError) async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      conversation.send(text: "close \(code)")
      #expect(await eventually { conversation.state == .ended })
      #expect(conversation.lastError == error)
      #expect(await eventually { bench.avatar.microphone.state == .off })
      #expect(bench.service.connections.count == 1)
      await bench.end(conversation)
    }

    @Test(
      "a token that has expired, one that was used, and a model that is not there are refused at the start")
    func refusals() async throws {
      let bench = try await ServiceBench()
      func start(_ token: String, model: String = "gemini-3.8-live") async -> YoobError? {
        var options = YoobGeminiConversation.Options()
        options.baseURL = "ws://127.0.0.1:\(bench.port)"
        options.model = model
        let conversation = YoobGeminiConversation(avatar: bench.avatar, options: options) { token }
        do { try await conversation.start() } catch { return error as? YoobError }
        await conversation.close()
        return nil
      }
      #expect(await start("auth_tokens/expired") == .unauthorized)
      #expect(await start("auth_tokens/once") == nil)
      #expect(await start("auth_tokens/once") == .unauthorized)
      let missing = await start("auth_tokens/other", model: "no-such-model")
      #expect("\(missing?.localizedDescription ?? "")".contains("models/no-such-model is not found"))
      await bench.service.stop()
    }

    @Test("a tool is called and its answer spoken; a call that is taken back is cancelled")
    func tools() async throws {
      let bench = try await ServiceBench()
      let asked = Guarded<[String]>([])
      let cancelled = Guarded(false)
      let isCancelling = Guarded(false)
      let conversation = bench.conversation {
        $0.tools = [
          YoobTool(
            name: "time", description: "Tells the time.",
            parameters: #"{"type": "object", "properties": {"zone": {"type": "string"}}}"#
          ) { arguments in
            asked.withLock { $0.append(arguments) }
            guard isCancelling.withLock({ $0 }) else { return #"{"output": "noon"}"# }
            do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.withLock { $0 = true } }
            return "{}"
          }
        ]
      }
      try await conversation.start()
      conversation.send(text: "tool")
      #expect(await eventually { conversation.state == .thinking || conversation.state == .speaking })
      #expect(await eventually { conversation.assistantTranscript == "The answer is noon" })
      #expect(asked.withLock { $0 } == [#"{"zone":"UTC"}"#])
      #expect(await eventually { conversation.state == .listening })
      isCancelling.withLock { $0 = true }
      #expect(await bench.ask("tool cancelled", of: conversation) == "Never mind.")
      #expect(bench.sent("toolResponse").count == 1)
      #expect(cancelled.withLock { $0 } || asked.withLock { $0.count } == 1)
      await bench.end(conversation)
    }

    @Test("muting ends the user's turn")
    func mutes() async throws {
      let bench = try await ServiceBench()
      let conversation = bench.conversation()
      try await conversation.start()
      bench.microphone.hear(0.5)
      #expect(await eventually { !bench.sent("realtimeInput").isEmpty })
      bench.avatar.microphone.setMuted(true)
      #expect(await eventually { conversation.assistantTranscript == "You said: what time is it" })
      await bench.end(conversation)
    }
  }
#endif
