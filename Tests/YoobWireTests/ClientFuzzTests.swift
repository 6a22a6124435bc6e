import Testing
import VoiceAudio

@testable import YoobWire

@Suite("Client sessions: any message")
struct ClientFuzzTests {
  private static let realtimeTypes = [
    "session.created", "session.updated", "input_audio_buffer.speech_started",
    "input_audio_buffer.speech_stopped", "input_audio_buffer.committed",
    "conversation.item.input_audio_transcription.delta",
    "conversation.item.input_audio_transcription.completed",
    "conversation.item.input_audio_transcription.failed", "response.created", "response.output_item.added",
    "response.output_audio.delta", "response.output_audio.done", "response.output_item.done",
    "response.output_audio_transcript.delta", "response.output_text.delta",
    "response.output_audio_transcript.done", "response.function_call_arguments.done", "response.done",
    "yoob.words", "yoob.visemes", "yoob.hold", "yoob.partial", "conversation.item.deleted", "error",
    "rate_limits.updated", "",
  ]

  private func realtimeMessage(_ random: inout SplitMix64) -> String {
    func id() -> JSONValue { .string("i\(Int.random(in: 0..<500, using: &random))") }
    var event: JSONObject = ["type": .string(Self.realtimeTypes.randomElement(using: &random) ?? "")]
    for name in ["response_id", "item_id", "call_id"] where Int.random(in: 0..<6, using: &random) > 0 {
      event[name] = id()
    }
    let text = String(repeating: "word ", count: Int.random(in: 0..<40, using: &random))
    let audio = Base64.encode([UInt8](repeating: 7, count: Int.random(in: 0..<99, using: &random)))
    event["delta"] = .string(Bool.random(using: &random) ? text : audio)
    event["transcript"] = .string(text)
    event["name"] = "tool"
    event["arguments"] = .string(text)
    event["content_index"] = .int(Int.random(in: -5...5, using: &random))
    event["item"] = ["id": id(), "type": "function_call", "name": "f"]
    event["response"] = [
      "id": id(),
      "status": .string(
        ["completed", "failed", "cancelled", "incomplete", "x"].randomElement(using: &random) ?? ""),
    ]
    event["words"] = [
      ["text": "word", "start_ms": .int(Int.random(in: -9...99, using: &random)), "end_ms": 90]
    ]
    event["error"] = ["code": "x", "message": .string(text), "event_id": id()]
    if Int.random(in: 0..<4, using: &random) == 0 {
      let names = event.members.map(\.name)
      event[names.randomElement(using: &random) ?? "type"] = .random(depth: 2, &random)
    }
    return damaged(JSONValue.object(event).text, &random)
  }

  /// The text, one time in ten with a changed byte or without its end.
  private func damaged(_ text: String, _ random: inout SplitMix64) -> String {
    guard Int.random(in: 0..<10, using: &random) == 0 else { return text }
    var bytes = Array(text.utf8)
    let place = Int.random(in: 0..<bytes.count, using: &random)
    if Bool.random(using: &random) {
      bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
    } else {
      bytes.removeSubrange(place...)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Does what a user and a loudspeaker may do at any time.
  private func act<Session>(_ client: inout ClientTimeline<Session>, _ random: inout SplitMix64) {
    let samples = Int.random(in: -10...10_000, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: _ = client.type("text")
    case 1: _ = client.userInterrupts()
    case 2: _ = client.played(samples)
    case 3: _ = client.finished()
    case 4: client.heard = Bool.random(using: &random) ? samples : nil
    case 5: _ = client.result("i\(Int.random(in: 0..<500, using: &random))", "x")
    case 6: _ = client.microphone(bytes: 960)
    case 7:
      _ = client.tick(after: Double.random(in: 0...3, using: &random))
      _ = client.tickAtDeadline()
      // Otherwise a driver would spin.
      if let deadline = client.session.nextDeadline { #expect(deadline > client.now) }
    default:
      if Int.random(in: 0..<8, using: &random) == 0 {
        _ = client.close(1006)
        _ = client.open()
        client.now += 700
      }
    }
    client.sent = []
  }

  @Test(
    "2,000 random and damaged messages of a Realtime server never crash, and state stays bounded",
    arguments: 0..<4)
  func realtime(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var client = ClientTimeline<RealtimeClientSession>.ready()
    for _ in 0..<2000 {
      _ = client.text(realtimeMessage(&random))
      if Int.random(in: 0..<4, using: &random) == 0 { act(&client, &random) }
      if client.state == .ended { client = .ready() }
      let session = client.session
      #expect(session.core.ledger.entries.count <= PlaybackLedger.maximumEntries)
      #expect(session.closed.ids.count <= 64 && session.transcribed.ids.count <= 64)
      #expect(session.core.history.entries.count <= ConversationHistory.maximumEntries)
      #expect(
        session.core.calls.count <= 16 && session.core.results.count <= 16
          && session.functionNames.count <= 16)
      #expect(session.hearing.count <= 8)
      #expect(session.core.ledger.entries.allSatisfy { $0.caption.text.utf8.count <= HeardText.maximumBytes })
    }
  }

  private func geminiMessage(_ random: inout SplitMix64) -> String {
    let text: JSONValue = .string(String(repeating: "word ", count: Int.random(in: 0..<40, using: &random)))
    let data = Base64.encode([UInt8](repeating: 7, count: Int.random(in: 0..<99, using: &random)))
    let rate = [8000, 16_000, 24_000, 0].randomElement(using: &random) ?? 0
    let id: JSONValue = .string("i\(Int.random(in: 0..<500, using: &random))")
    var content = JSONObject()
    if Bool.random(using: &random) {
      content["modelTurn"] = [
        "parts": [["inlineData": ["mimeType": .string("audio/pcm;rate=\(rate)"), "data": .string(data)]]]
      ]
    }
    for name in ["inputTranscription", "output_transcription"] where Bool.random(using: &random) {
      content[name] = ["text": text, "finished": .bool(Bool.random(using: &random))]
    }
    for name in ["interrupted", "turnComplete", "generation_complete"]
    where Int.random(in: 0..<8, using: &random) == 0 { content[name] = true }
    var message: JSONObject =
      switch Int.random(in: 0..<12, using: &random) {
      case 0: ["toolCall": ["functionCalls": [["id": id, "name": "f", "args": ["a": text]]]]]
      case 1: ["toolCallCancellation": ["ids": [id]]]
      case 2: ["sessionResumptionUpdate": ["newHandle": text, "resumable": true]]
      case 3:
        [
          "goAway": [
            "timeLeft": .string(["1s", "60s", "-1s", "1e300s", "x"].randomElement(using: &random) ?? "")
          ]
        ]
      default: ["serverContent": .object(content)]
      }
    if Int.random(in: 0..<6, using: &random) == 0, let name = message.members.first?.name {
      message[name] = .random(depth: 3, &random)
    }
    return damaged(JSONValue.object(message).text, &random)
  }

  @Test(
    "2,000 random and damaged messages of a Gemini server never crash, and state stays bounded",
    arguments: 0..<4)
  func gemini(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var client = ClientTimeline<GeminiClientSession>.ready()
    for _ in 0..<2000 {
      if Int.random(in: 0..<20, using: &random) == 0 {
        _ = client.open() + client.server(["setupComplete": [:]])
      }
      _ = client.text(geminiMessage(&random))
      if Int.random(in: 0..<4, using: &random) == 0 { act(&client, &random) }
      if client.state == .ended { client = .ready() }
      let session = client.session
      #expect(session.core.ledger.entries.count <= PlaybackLedger.maximumEntries)
      #expect(session.core.history.entries.count <= ConversationHistory.maximumEntries)
      #expect(session.core.calls.count <= 16 && session.core.results.count <= 16)
      #expect(session.core.knownCalls.ids.count <= 128)
      #expect((session.hearing?.text.utf8.count ?? 0) <= HeardText.maximumBytes)
      #expect(session.core.ledger.entries.allSatisfy { $0.caption.text.utf8.count <= HeardText.maximumBytes })
    }
  }
}
