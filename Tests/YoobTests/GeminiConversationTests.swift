import Foundation
import Testing
import VoiceAudio
import VoiceIO
import YoobWire

@testable import Yoob

@MainActor @Suite("A conversation over Gemini Live")
struct GeminiConversationTests {
  private func open(
    _ bench: ConversationBench, _ options: YoobGeminiConversation.Options = .init()
  ) async throws -> (YoobGeminiConversation, ScriptedSocket) {
    let tokens = Guarded(0)
    let conversation = YoobGeminiConversation(
      avatar: bench.avatar, options: options,
      token: {
        tokens.withLock { count in
          count += 1
          return "auth_tokens/\(count)"
        }
      })
    bench.sockets.onOpen { $0.tell(["setupComplete": [:]]) }
    try await bench.finish { try await conversation.start() }
    return (conversation, try #require(bench.sockets.all.last))
  }

  private func stop(_ bench: ConversationBench, _ conversation: YoobGeminiConversation) async {
    try? await bench.finish { await conversation.close() }
    #expect(bench.running.withLock { $0 } == 0)
  }

  private func speech(_ seconds: Double, rate: Int = 24_000) -> JSONObject {
    let pcm = PCM16.encode((0..<Int(seconds * Double(rate))).map { Float($0 % 100) / 400 })
    return [
      "serverContent": [
        "modelTurn": [
          "parts": [
            [
              "inlineData": [
                "mimeType": .string("audio/pcm;rate=\(rate)"), "data": .string(Base64.encode(pcm)),
              ]
            ]
          ]
        ]
      ]
    ]
  }

  @Test("it hears 16 kHz, speaks at the rate that the provider names, and is told what was heard")
  func talks() async throws {
    let bench = ConversationBench()
    var options = YoobGeminiConversation.Options()
    options.systemInstruction = "Be kind."
    let (conversation, socket) = try await open(bench, options)
    #expect(conversation.state == .listening)
    #expect(socket.request.headers.contains { $0.value == "Token auth_tokens/1" })
    #expect(socket.sent.first?["setup"]?["model"]?.string == "models/gemini-3.8-live")
    bench.microphone.hear(0.5)
    await bench.pass(0.05)
    let bytes = socket.sent.compactMap { $0["realtimeInput"]?["audio"]?["data"]?.string }
      .reduce(0) { $0 + (Base64.decode($1)?.count ?? 0) }
    #expect(abs(bytes - 16_000) <= 1600)
    socket.tell(["serverContent": ["outputTranscription": ["text": "one two three four"]]])
    socket.tell(speech(2, rate: 16_000))
    await bench.pass(0.5)
    #expect(conversation.state == .speaking)
    #expect(bench.speaker.segments.first?.clip.sampleRate == 16_000)
    socket.tell(["serverContent": ["interrupted": true]])
    await bench.pass(0.05)
    #expect(socket.sent.contains { $0["clientContent"] != nil })
    #expect(conversation.state == .listening)
    bench.avatar.microphone.setMuted(true)
    await bench.pass(0.05)
    #expect(socket.sent.contains { $0["realtimeInput"]?["audioStreamEnd"]?.bool == true })
    await stop(bench, conversation)
  }

  @Test("an announced end is shown and passed over, with a fresh token")
  func goesAway() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await open(bench)
    socket.tell(["sessionResumptionUpdate": ["newHandle": "h1", "resumable": true]])
    socket.tell(speech(1))
    await bench.pass(0.1)
    socket.tell(["goAway": ["timeLeft": "10s"]])
    await bench.pass(0.1)
    #expect(conversation.goAwayTimeLeft == "10s")
    await bench.pass(10)
    #expect(bench.sockets.all.count == 2)
    let second = try #require(bench.sockets.all.last)
    #expect(second.request.headers.contains { $0.value == "Token auth_tokens/2" })
    #expect(second.sent.first?["setup"]?["sessionResumption"]?["handle"]?.string == "h1")
    #expect(conversation.state == .listening)
    #expect(conversation.goAwayTimeLeft == nil)
    #expect(bench.speaker.segments.map(\.clip.samples.count) == [24_000])
    await stop(bench, conversation)
  }

  @Test(
    "an announced end is not shown any longer once the next connection is open, also while a reply sounds")
  func goesAwayWhileSounding() async throws {
    let bench = ConversationBench()
    let (conversation, socket) = try await open(bench)
    socket.tell(["sessionResumptionUpdate": ["newHandle": "h1", "resumable": true]])
    socket.tell(speech(2))
    await bench.pass(0.3)
    socket.tell(["goAway": ["timeLeft": "10s"]])
    await bench.pass(0.1)
    #expect(conversation.goAwayTimeLeft == "10s")
    socket.tell(["serverContent": ["turnComplete": true]])
    await bench.pass(1)
    #expect(bench.sockets.all.count == 2)
    #expect(conversation.state == .speaking)
    #expect(conversation.goAwayTimeLeft == nil)
    await stop(bench, conversation)
  }

  @Test("the defaults are the contract's")
  func defaults() {
    let options = YoobGeminiConversation.Options()
    #expect(options.model == "gemini-3.8-live")
    #expect(
      options.activityDetection
        == .init(startSensitivity: .high, endSensitivity: .high, prefixPaddingMS: 100, silenceMS: 450))
    #expect(options.inputTranscription && options.outputTranscription && !options.greet)
  }
}
