import Testing
import VoiceAudio

@testable import YoobWire

@Suite("Realtime protocol")
struct RealtimeProtocolTests {
  @Test(
    "what is no event is answered with an error, and the session goes on",
    arguments: [
      ("", "invalid_json", nil), ("{", "invalid_json", nil), ("[1]", "invalid_json", nil),
      ("7", "invalid_json", nil),
      ("{}", "missing_required_parameter", "type"), (#"{"type": 1}"#, "invalid_type", "type"),
      (#"{"type": "dance"}"#, "invalid_value", "type"),
      (#"{"type": "session.update"}"#, "missing_required_parameter", "session"),
      (#"{"type": "session.update", "session": 1}"#, "invalid_type", "session"),
      (#"{"type": "input_audio_buffer.append"}"#, "missing_required_parameter", "audio"),
      (#"{"type": "input_audio_buffer.append", "audio": "!"}"#, "invalid_value", "audio"),
      (#"{"type": "input_audio_buffer.append", "audio": "AA=="}"#, "invalid_value", "audio"),
      (#"{"type": "conversation.item.create"}"#, "missing_required_parameter", "item"),
      (
        #"{"type": "conversation.item.create", "item": {"type": "function_call"}}"#, "invalid_value",
        "item.type"
      ),
      (
        #"{"type": "conversation.item.create", "item": {"type": "message", "role": "dog"}}"#, "invalid_value",
        "item.role"
      ),
      (
        #"{"type": "conversation.item.create", "item": {"type": "message", "role": "user"}}"#,
        "missing_required_parameter", "item.content"
      ),
      (
        #"{"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": [{"type": "smell"}]}}"#,
        "invalid_value", "item.content[0].type"
      ),
      (
        #"{"type": "response.create", "response": {"conversation": "none"}}"#, "invalid_value",
        "response.conversation"
      ),
      (#"{"type": "output_audio_buffer.clear"}"#, "not_supported", "type"),
      (#"{"type": "conversation.item.delete"}"#, "missing_required_parameter", "item_id"),
      (#"{"type": "conversation.item.delete", "item_id": "a"}"#, "item_delete_invalid_item_id", "item_id"),
      (
        #"{"type": "conversation.item.retrieve", "item_id": "a"}"#, "item_retrieve_invalid_item_id", "item_id"
      ),
      (
        #"{"type": "conversation.item.truncate", "item_id": "a", "content_index": 0, "audio_end_ms": 0}"#,
        "item_truncate_invalid_item_id", "item_id"
      ),
    ] as [(String, String, String?)])
  func errors(text: String, code: String, param: String?) {
    var timeline = Timeline()
    #expect(timeline.text(text) == ["error"])
    #expect(timeline.lastError.code == code)
    #expect(timeline.lastError.param == param)
    #expect(timeline.last("error")?["error"]?["message"]?.string?.isEmpty == false)
    #expect(timeline.last("error")?["error"]?["type"] == "invalid_request_error")
    #expect(timeline.say("still here").last == "> text still here")
  }

  @Test("an error names the event that caused it, and repeats no more than the beginning of what was wrong")
  func namedErrors() {
    var timeline = Timeline()
    let long = String(repeating: "e\u{301}\u{302}", count: 100_000)
    for (type, member) in [("conversation.item.delete", "item_id"), (long, "x")] {
      _ = timeline.client([
        "type": .string(type), "event_id": "mine", member: .string("\u{7}" + long),
      ])
      #expect(timeline.lastError.eventID == "mine")
      #expect((timeline.last("error")?["error"]?["message"]?.string ?? "").utf8.count < 300)
    }
  }

  @Test("every event has an id of its own, and one seed gives one sequence")
  func eventIDs() {
    var timeline = Timeline()
    _ = timeline.say("hello")
    _ = timeline.reply("a", "Hi.", soundMs: 10)
    let ids = timeline.events.compactMap { $0["event_id"]?.string }
    #expect(ids.count == timeline.events.count)
    #expect(Set(ids).count == ids.count)
    #expect(Timeline().events == Timeline().events)
  }

  @Test("whatever comes in whatever order, responses open and close one after the other")
  func fuzz() {
    for seed in 0..<24 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var timeline = Timeline(include: [
        "yoob.words", "yoob.visemes", "yoob.prosody", "yoob.partials", "yoob.metrics", "yoob.hold",
      ])
      var isOpen = false
      for _ in 0..<200 {
        timeline.now += Int.random(in: 0...300, using: &random)
        let before = timeline.events.count
        if Bool.random(using: &random) {
          _ = timeline.text(clientEvent(timeline, &random))
        } else {
          _ = timeline.agent(agentEvent(&random))
        }
        for event in timeline.events[before...] {
          let type = event["type"]?.string ?? ""
          switch type {
          case "response.created":
            #expect(!isOpen, "seed \(seed)")
            isOpen = true
          case "response.done":
            #expect(isOpen, "seed \(seed)")
            isOpen = false
          case let type where type.hasPrefix("response."): #expect(isOpen, "seed \(seed): \(type)")
          default: break
          }
          #expect(throws: Never.self) { try JSONValue(parsing: JSONValue.object(event).text) }
        }
      }
      let added = timeline.events.filter { $0["type"] == "conversation.item.added" }.map {
        $0["item"]?["id"]?.string
      }
      #expect(Set(added).count == added.count, "seed \(seed)")
    }
  }

  private static let longSound = Base64.encode([UInt8](repeating: 0, count: 4800))

  private func clientEvent(_ timeline: Timeline, _ random: inout SplitMix64) -> String {
    let item = timeline.session.items.randomElement(using: &random)?.id ?? "none"
    let sound = Int.random(in: 0..<8, using: &random) == 0 ? Self.longSound : "AAAA"
    var events = [
      #"{"type": "response.create"}"#, #"{"type": "response.cancel"}"#,
      #"{"type": "input_audio_buffer.commit"}"#,
      #"{"type": "input_audio_buffer.clear"}"#,
      #"{"type": "input_audio_buffer.append", "audio": "\#(sound)"}"#,
      #"{"type": "conversation.item.truncate", "item_id": "\#(item)", "audio_end_ms": \#(Int.random(in: -5...3000, using: &random))}"#,
      #"{"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}}"#,
      #"{"type": "session.update", "session": {"type": "realtime", "audio": {"input": {"turn_detection": \#(Bool.random(using: &random) ? "null" : #"{"type": "server_vad"}"#)}}}}"#,
      #"{"type": "session.update", "session": {"type": "realtime", "output_modalities": ["\#(Bool.random(using: &random) ? "text" : "audio")"]}}"#,
    ]
    events.append(String(events[0].prefix(Int.random(in: 0...20, using: &random))))
    return events.randomElement(using: &random) ?? ""
  }

  private func agentEvent(_ random: inout SplitMix64) -> SpeechAgentEvent {
    let id = "r\(Int.random(in: 0..<4, using: &random))"
    let events: [SpeechAgentEvent] = [
      .speechStarted(audioMs: 1), .speechStopped(audioMs: 2), .userTranscript(text: "a", isFinal: false),
      .userTranscript(text: Bool.random(using: &random) ? "a b" : "", isFinal: true), .turnReopened,
      .responseStarted(responseID: id), .responseText(responseID: id, text: "t"),
      .responseAudio(responseID: id, pcm: [UInt8](repeating: 0, count: 480)),
      .responseWords(responseID: id, words: [SpeechWord(text: "t", startMs: 0, endMs: 10)]),
      .responseVisemes(responseID: id, startMs: 0, rate: 100, frames: [[.nan, 1]]),
      .responseProsody(responseID: id, startMs: 0, rate: 50, pitch: [.nan, 1], marks: [9]),
      .responseHeld(responseID: id, isHeld: Bool.random(using: &random)),
      .responseFinished(responseID: id, status: .completed),
      .responseFinished(responseID: id, status: .cancelled(reason: "x")),
      .responseFinished(responseID: id, status: .failed(message: "x")), .metrics(["a": .infinity]),
      .error(code: "x", message: "y", isFatal: false),
    ]
    return events.randomElement(using: &random) ?? .turnReopened
  }
}
