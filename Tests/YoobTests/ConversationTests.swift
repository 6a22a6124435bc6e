import Foundation
import Testing
import VoiceIO
import YoobNet
import YoobWire

@testable import Yoob

@MainActor @Suite("A conversation")
struct ConversationTests {
  @Test("opens with the app's secret, says what is asked for, and goes through its states")
  func states() async throws {
    let bench = ConversationBench()
    var options = YoobConversation.Options()
    options.voice = "marin"
    options.instructions = "Be kind."
    let idle = YoobConversation(avatar: bench.avatar, clientSecret: { "" })
    #expect(idle.state == .idle)
    await idle.close()
    #expect(idle.state == .idle)
    let (conversation, socket) = try await bench.open(options)
    #expect(conversation.state == .listening)
    #expect(bench.avatar.attention == .listening)
    #expect(bench.avatar.microphone.state == .live)
    #expect(socket.request.url == "wss://api.openai.com/v1/realtime?model=gpt-realtime")
    #expect(socket.request.headers.contains { $0.name == "Authorization" && $0.value == "Bearer ek_1" })
    let session = try #require(socket.sent("session.update").first?["session"])
    #expect(session["instructions"]?.string == "Be kind.")
    #expect(session["audio"]?["output"]?["voice"]?.string == "marin")
    #expect(session["audio"]?["output"]?["speed"]?.double == 1.08)
    socket.tell(["type": "response.created", "response": ["id": "r1"]])
    await bench.pass(0.02)
    #expect(conversation.state == .thinking)
    #expect(bench.avatar.attention == .thinking)
    socket.speak(1, text: "Good morning")
    await bench.pass(0.5)
    #expect(conversation.state == .speaking)
    #expect(bench.avatar.attention == .speaking)
    await bench.pass(1)
    #expect(conversation.state == .listening)
    #expect(conversation.assistantTranscript == "Good morning")
    #expect(bench.speaker.playedSamples == 24_000)
    await conversation.stopNow(bench)
    #expect(conversation.state == .ended)
    #expect(bench.avatar.attention == .idle)
    #expect(bench.avatar.microphone.state == .off)
    #expect(socket.closeCode == 1000)
    #expect(conversation.lastError == nil)
  }

  @Test("greets once the microphone is live")
  func greets() async throws {
    let bench = ConversationBench()
    var options = YoobConversation.Options()
    options.greet = true
    let (conversation, socket) = try await bench.open(options)
    await bench.pass(0.05)
    #expect(socket.sent("response.create").count == 1)
    await conversation.stopNow(bench)
  }

  @Test("an interruption after 730 ms is told as 730 ms")
  func interrupted() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    socket.speak(3, ends: false)
    await bench.pass(0)
    let start = bench.clock.now
    while bench.speaker.playedSamples < 17_520, bench.clock.now - start < 2 { await bench.pass(0.01) }
    #expect(bench.speaker.playedSamples == 17_520)
    socket.tell(["type": "input_audio_buffer.speech_started", "item_id": "u1"])
    await bench.settle()
    let truncate = try #require(socket.sent("conversation.item.truncate").first)
    #expect(truncate["audio_end_ms"]?.int == 730)
    #expect(truncate["item_id"]?.string == "i1")
    #expect(socket.sent("response.cancel").count == 1)
    #expect(conversation.state == .listening)
    await bench.pass(1)
    #expect(bench.speaker.playedSamples == 17_520)
    await conversation.stopNow(bench)
  }

  @Test("nothing is truncated where nothing was heard")
  func unheard() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    socket.speak(1, ends: false)
    socket.tell(["type": "input_audio_buffer.speech_started", "item_id": "u1"])
    await bench.pass(0.2)
    #expect(socket.sent("response.cancel").count == 1)
    #expect(socket.sent("conversation.item.truncate").isEmpty)
    #expect(bench.speaker.playedSamples == 0)
    await conversation.stopNow(bench)
  }

  @Test("the app's own interruption is told with what was heard")
  func appInterrupts() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    socket.speak(3, ends: false)
    await bench.pass(0.8)
    let heard = bench.avatar.interrupt()
    #expect(heard > 12_000)
    await bench.pass(0.05)
    #expect(socket.sent("conversation.item.truncate").first?["audio_end_ms"]?.int == heard * 1000 / 24_000)
    #expect(socket.sent("response.cancel").count == 1)
    #expect(conversation.state == .listening)
    // The rest of that reply is not spoken.
    socket.speak(1)
    await bench.pass(0.5)
    #expect(bench.avatar.phase != .speaking)
    #expect(bench.speaker.segments.count == 1)
    await conversation.stopNow(bench)
  }

  @Test("what was heard is reported as it is heard, and captions follow it")
  func captions() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    let captions = bench.avatar.captions
    socket.speak(2, text: "One two three four five six seven eight nine ten")
    await bench.pass(1)
    let middle = conversation.assistantTranscript
    #expect(!middle.isEmpty && middle.count < 40)
    await bench.pass(1.5)
    #expect(conversation.assistantTranscript.hasSuffix("ten"))
    socket.tell([
      "type": "conversation.item.input_audio_transcription.completed", "item_id": "u1", "transcript": "Hello",
    ])
    await bench.pass(0.02)
    #expect(conversation.userTranscript == "Hello")
    await conversation.stopNow(bench)
    await bench.avatar.close()
    var iterator = captions.makeAsyncIterator()
    var seen: [YoobCaption] = []
    while seen.last?.role != .user, let caption = await iterator.next() { seen.append(caption) }
    #expect(seen.contains { $0.role == .assistant && $0.isFinal && $0.text.hasSuffix("ten") })
    #expect(seen.last?.text == "Hello")
  }

  @Test("a connection that drops in mid-utterance is opened again with a fresh secret; the sound goes on")
  func drops() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    socket.speak(2, text: "One two three", ends: false)
    await bench.pass(0.4)
    socket.drop(code: nil)
    await bench.pass(0.1)
    #expect(conversation.state == .speaking)
    await bench.pass(2.5)
    #expect(bench.speaker.segments.map(\.clip.samples.count) == [48_000])
    #expect(bench.sockets.all.count == 2)
    let second = try #require(bench.sockets.all.last)
    #expect(second.request.headers.contains { $0.value == "Bearer ek_2" })
    #expect(second.sent.contains { $0["item"]?["content"]?.array?.first?["text"]?.string == "One two three" })
    #expect(conversation.state == .listening)
    #expect(conversation.lastError == nil)
    await conversation.stopNow(bench)
  }

  @Test("a tool is called, and what it throws, or does not answer in time, is told as an error")
  func tools() async throws {
    let bench = ConversationBench()
    var options = YoobConversation.Options()
    struct Sour: LocalizedError { var errorDescription: String? { "sour" } }
    options.tools = [
      YoobTool(name: "time", description: "Tells the time.") { #"{"noon": \#($0)}"# },
      YoobTool(name: "fail", description: "") { _ in throw Sour() },
      YoobTool(name: "slow", description: "", timeout: 1) { [clock = bench.clock] _ in
        await clock.sleep(for: 60)
        return "{}"
      },
    ]
    let (conversation, socket) = try await bench.open(options)
    #expect(socket.sent("session.update").first?["session"]?["tools"]?.array?.count == 3)
    socket.tell(["type": "response.created", "response": ["id": "r1"]])
    for name in ["time", "fail", "slow", "none"] {
      socket.tell([
        "type": "response.function_call_arguments.done", "response_id": "r1", "item_id": "f",
        "call_id": .string(name), "name": .string(name), "arguments": "{}",
      ])
    }
    socket.tell(["type": "response.done", "response": ["id": "r1", "status": "completed"]])
    await bench.pass(1.2)
    func output(_ id: String) -> String? {
      socket.sent.first { $0["item"]?["call_id"]?.string == id }?["item"]?["output"]?.string
    }
    #expect(output("time") == #"{"noon": {}}"#)
    #expect(output("fail") == #"{"error":"sour"}"#)
    #expect(output("slow")?.contains("longer than 1.0 s") == true)
    #expect(output("none")?.contains("no tool none") == true)
    #expect(socket.sent("response.create").count == 1)
    await conversation.stopNow(bench)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test("bad tools are refused before anything is opened")
  func badTools() async throws {
    let bench = ConversationBench()
    for tool in [
      YoobTool(name: "no spaces", description: "") { $0 },
      YoobTool(name: "t", description: "", parameters: "[]") { $0 },
    ] {
      var options = YoobConversation.Options()
      options.tools = [tool]
      let conversation = YoobConversation(avatar: bench.avatar, options: options, clientSecret: { "" })
      await #expect(throws: YoobError.self) { try await bench.finish { try await conversation.start() } }
      #expect(conversation.state == .idle)
    }
    #expect(bench.sockets.tries == 0)
  }

  @Test("typed text interrupts and is answered; typing into nothing does nothing")
  func typing() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    conversation.send(text: "first")
    conversation.send(text: "second")
    await bench.pass(0.05)
    let texts = socket.sent("conversation.item.create").map {
      $0["item"]?["content"]?.array?.first?["text"]?.string
    }
    #expect(texts == ["first", "second"])
    #expect(conversation.userTranscript == "second")
    #expect(conversation.state == .thinking)
    await conversation.stopNow(bench)
    conversation.send(text: "third")
    await bench.pass(0.05)
    #expect(socket.sent("conversation.item.create").count == 2)
  }

  @Test("the microphone's sound is sent, and muted sound is not")
  func microphone() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    func heardSeconds() -> Double {
      let bytes = socket.sent("input_audio_buffer.append").reduce(0) {
        $0 + (Base64.decode($1["audio"]?.string ?? "")?.count ?? 0)
      }
      return Double(bytes) / 48_000
    }
    bench.microphone.hear(0.5)
    await bench.pass(0.05)
    #expect(abs(heardSeconds() - 0.5) < 0.03)
    socket.tell(["type": "input_audio_buffer.speech_started", "item_id": "u1"])
    await bench.pass(0.02)
    bench.avatar.microphone.setMuted(true)
    await bench.pass(0.05)
    let silent = heardSeconds()
    // Silence ends the turn that had begun.
    #expect(abs(silent - 1.45) < 0.05)
    bench.microphone.hear(0.5)
    await bench.pass(0.05)
    #expect(heardSeconds() == silent)
    #expect(bench.avatar.microphone.state == .muted)
    bench.avatar.microphone.setMuted(false)
    bench.microphone.hear(0.2)
    await bench.pass(0.05)
    #expect(heardSeconds() > silent + 0.1)
    await conversation.stopNow(bench)
  }

  @Test("a sound that is held goes on with the next sample")
  func holds() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await bench.open()
    socket.speak(2, ends: true)
    await bench.pass(0.5)
    socket.tell(["type": "yoob.hold", "item_id": "i1", "held": true])
    await bench.pass(0.05)
    let held = bench.speaker.playedSamples
    await bench.pass(1)
    #expect(bench.speaker.playedSamples == held)
    socket.tell(["type": "yoob.hold", "item_id": "i1", "held": false])
    await bench.pass(2.5)
    #expect(bench.speaker.playedSamples == 48_000)
    #expect(conversation.state == .listening)
    await conversation.stopNow(bench)
  }
}

extension YoobConversation {
  /// Stops while a test's executor does the work.
  @MainActor func stopNow(_ bench: ConversationBench) async {
    try? await bench.finish { await self.close() }
  }
}
