import Testing

@testable import YoobWire

@Suite("Realtime turns")
struct RealtimeTurnTests {
  private static let spoken: [SpeechAgentEvent] = [
    .speechStarted(audioMs: 120), .userTranscript(text: "what", isFinal: false), .speechStopped(audioMs: 900),
    .userTranscript(text: "what time is it", isFinal: true),
  ]

  private func speak(_ timeline: inout Timeline) -> [String] {
    Self.spoken.flatMap { timeline.agent($0) }
  }

  @Test("a spoken turn becomes one item, which every event of it names")
  func spokenTurn() {
    var timeline = Timeline()
    #expect(
      speak(&timeline) == [
        "input_audio_buffer.speech_started", "input_audio_buffer.speech_stopped",
        "input_audio_buffer.committed",
        "conversation.item.added", "conversation.item.done",
        "conversation.item.input_audio_transcription.delta",
        "conversation.item.input_audio_transcription.completed",
      ])
    let id = timeline.last("input_audio_buffer.speech_started")?["item_id"]
    #expect(timeline.last("input_audio_buffer.speech_started")?["audio_start_ms"] == 120)
    #expect(timeline.last("input_audio_buffer.speech_stopped")?["audio_end_ms"] == 900)
    #expect(timeline.last("input_audio_buffer.committed")?["item_id"] == id)
    #expect(timeline.last("conversation.item.done")?["item"]?["id"] == id)
    let completed = timeline.last("conversation.item.input_audio_transcription.completed")
    #expect(completed?["item_id"] == id)
    #expect(completed?["transcript"] == "what time is it")
    #expect(completed?["usage"]?["seconds"]?.double == 0.78)
  }

  @Test("items are chained: null before the first, then each names the one before")
  func chain() {
    var timeline = Timeline()
    _ = speak(&timeline)
    let first = timeline.last("input_audio_buffer.committed")
    #expect(first?["previous_item_id"] == .null)
    _ = timeline.reply("a", "Noon.", soundMs: 100)
    let answer = timeline.last("conversation.item.added")
    #expect(answer?["previous_item_id"] == first?["item_id"])
    _ = timeline.agent(.responseFinished(responseID: "a", status: .completed))
    _ = speak(&timeline)
    #expect(timeline.last("input_audio_buffer.committed")?["previous_item_id"] == answer?["item"]?["id"])
  }

  @Test("speech that goes on after a pause stays one item")
  func pause() {
    var timeline = Timeline()
    _ = timeline.agent(.speechStarted(audioMs: 0), .speechStopped(audioMs: 500))
    let id = timeline.last("input_audio_buffer.speech_started")?["item_id"]
    _ = timeline.agent(.speechStarted(audioMs: 900))
    #expect(timeline.last("input_audio_buffer.speech_started")?["item_id"] == id)
  }

  @Test("sound that was no speech leaves no item")
  func noSpeech() {
    var timeline = Timeline()
    let actions = timeline.agent(
      .speechStarted(audioMs: 0), .speechStopped(audioMs: 100), .userTranscript(text: "", isFinal: true))
    #expect(actions == ["input_audio_buffer.speech_started", "input_audio_buffer.speech_stopped"])
  }

  @Test("a turn that was reopened takes its item and the unheard reply back")
  func reopened() {
    var timeline = Timeline()
    _ = speak(&timeline)
    let first = timeline.last("input_audio_buffer.committed")?["item_id"]
    _ = timeline.agent(.responseStarted(responseID: "a"), .responseText(responseID: "a", text: "It"))
    let reply = timeline.last("response.output_item.added")?["item"]?["id"]
    _ = timeline.agent(
      .speechStarted(audioMs: 1000),
      .responseFinished(responseID: "a", status: .cancelled(reason: "turn_detected")))
    let actions = timeline.agent(
      .turnReopened, .userTranscript(text: "what time is it in Rome", isFinal: true))
    #expect(
      actions.prefix(3) == [
        "conversation.item.deleted", "conversation.item.deleted", "input_audio_buffer.committed",
      ])
    let deleted = timeline.events.filter { $0["type"] == "conversation.item.deleted" }.map { $0["item_id"] }
    #expect(deleted == [first, reply])
    #expect(timeline.last("input_audio_buffer.committed")?["previous_item_id"] == .null)
  }

  @Test("text that the client wrote after a turn outlives the turn's reopening, and is answered")
  func reopenedBeforeText() {
    var timeline = Timeline()
    _ = speak(&timeline)
    let first = timeline.last("input_audio_buffer.committed")?["item_id"]
    _ = timeline.client([
      "type": "conversation.item.create",
      "item": [
        "id": "note", "type": "message", "role": "user",
        "content": [["type": "input_text", "text": "In Rome."]],
      ],
    ])
    _ = timeline.agent(.turnReopened)
    let deleted = timeline.events.filter { $0["type"] == "conversation.item.deleted" }.map { $0["item_id"] }
    #expect(deleted == [first])
    _ = timeline.client(["type": "conversation.item.retrieve", "item_id": "note"])
    #expect(timeline.last("conversation.item.retrieved")?["item"]?["id"] == "note")
  }

  @Test("partial transcripts come to those who ask for them")
  func partials() {
    var plain = Timeline()
    #expect(plain.agent(.userTranscript(text: "wh", isFinal: false)) == [])
    var curious = Timeline(include: ["yoob.partials"])
    #expect(
      curious.agent(.speechStarted(audioMs: 0), .userTranscript(text: "wh", isFinal: false)).last
        == "yoob.partial")
    #expect(curious.last("yoob.partial")?["text"] == "wh")
    #expect(
      curious.last("yoob.partial")?["item_id"]
        == curious.last("input_audio_buffer.speech_started")?["item_id"])
  }

  @Test("without transcription the turn is an item all the same")
  func noTranscription() {
    var timeline = Timeline()
    _ = timeline.update(["audio": ["input": ["transcription": nil]]])
    #expect(speak(&timeline).last == "conversation.item.done")
  }

  @Test("a client that ends its turns itself gets an item at once and the transcript later")
  func manualTurn() {
    var timeline = Timeline()
    _ = timeline.update(["audio": ["input": ["turn_detection": nil]]])
    let audio = Base64.encode([UInt8](repeating: 0, count: 4800))
    #expect(
      timeline.client(["type": "input_audio_buffer.append", "audio": .string(audio)]) == ["> audio 4800"])
    #expect(
      timeline.client(["type": "input_audio_buffer.commit"]) == [
        "> commit", "input_audio_buffer.committed", "conversation.item.added", "conversation.item.done",
      ])
    let id = timeline.last("input_audio_buffer.committed")?["item_id"]
    #expect(timeline.client(["type": "response.create"]) == ["response.created", "> respond -"])
    _ = timeline.agent(.userTranscript(text: "hello", isFinal: true))
    #expect(timeline.last("conversation.item.input_audio_transcription.completed")?["item_id"] == id)
  }

  private func commit(_ timeline: inout Timeline) -> [String] {
    let audio = Base64.encode([UInt8](repeating: 0, count: 4800))
    _ = timeline.client(["type": "input_audio_buffer.append", "audio": .string(audio)])
    return timeline.client(["type": "input_audio_buffer.commit"])
  }

  @Test("a turn that could not be read fails by its name, and the next keeps its own transcript")
  func failedTranscription() {
    var timeline = Timeline()
    _ = timeline.update(["audio": ["input": ["turn_detection": nil]]])
    _ = commit(&timeline)
    let first = timeline.last("input_audio_buffer.committed")?["item_id"]
    _ = commit(&timeline)
    let second = timeline.last("input_audio_buffer.committed")?["item_id"]
    #expect(
      timeline.agent(.error(code: "transcription_failed", message: "No.", isFatal: false)) == [
        "conversation.item.input_audio_transcription.failed"
      ])
    let failed = timeline.last("conversation.item.input_audio_transcription.failed")
    #expect(failed?["item_id"] == first)
    #expect(failed?["error"]?["code"] == "transcription_failed")
    _ = timeline.agent(.userTranscript(text: "hello", isFinal: true))
    #expect(timeline.last("conversation.item.input_audio_transcription.completed")?["item_id"] == second)
  }

  @Test("a committed turn without words is completed with an empty text")
  func emptyTranscription() {
    var timeline = Timeline()
    _ = timeline.update(["audio": ["input": ["turn_detection": nil]]])
    _ = commit(&timeline)
    #expect(
      timeline.agent(.userTranscript(text: "", isFinal: true)) == [
        "conversation.item.input_audio_transcription.completed"
      ])
    #expect(timeline.last("conversation.item.input_audio_transcription.completed")?["transcript"] == "")
  }

  @Test("where the server detects the turns, a client cannot commit")
  func commitWithDetection() {
    var timeline = Timeline()
    #expect(commit(&timeline) == ["error"])
    #expect(timeline.lastError.code == "input_audio_buffer_commit_not_allowed")
  }

  @Test("less than 100 ms cannot be committed, nor after a clear")
  func shortCommit() {
    var timeline = Timeline()
    let audio = Base64.encode([UInt8](repeating: 0, count: 4798))
    _ = timeline.client(["type": "input_audio_buffer.append", "audio": .string(audio)])
    #expect(timeline.client(["type": "input_audio_buffer.commit"]) == ["error"])
    #expect(timeline.lastError.code == "input_audio_buffer_commit_empty")
    _ = timeline.client(["type": "input_audio_buffer.append", "audio": .string(audio)])
    #expect(
      timeline.client(["type": "input_audio_buffer.clear"]) == ["> clear", "input_audio_buffer.cleared"])
    #expect(timeline.client(["type": "input_audio_buffer.commit"]) == ["error"])
  }

  @Test("a client may name its items, put them first, and not twice")
  func itemNames() {
    var timeline = Timeline()
    func create(_ id: String, after previous: String? = nil) -> [String] {
      timeline.client([
        "type": "conversation.item.create", "previous_item_id": JSONValue(previous),
        "item": ["id": .string(id), "type": "message", "role": "user", "content": []],
      ])
    }
    #expect(create("b") == ["conversation.item.added", "conversation.item.done"])
    #expect(create("a", after: "root") == ["conversation.item.added", "conversation.item.done"])
    #expect(timeline.last("conversation.item.added")?["previous_item_id"] == .null)
    #expect(create("c", after: "a") == ["conversation.item.added", "conversation.item.done"])
    #expect(timeline.last("conversation.item.added")?["previous_item_id"] == "a")
    #expect(create("b") == ["error"])
    #expect(create("d", after: "nobody") == ["error"])
    #expect(timeline.lastError.param == "previous_item_id")
    #expect(
      timeline.client(["type": "conversation.item.retrieve", "item_id": "c"]) == [
        "conversation.item.retrieved"
      ])
    #expect(timeline.client(["type": "conversation.item.retrieve", "item_id": "z"]) == ["error"])
  }

  @Test(
    "an item's id is short and can be printed",
    arguments: [
      ("a\u{7}b", "invalid_value"), ("a\nb", "invalid_value"), ("a\u{202E}b", "invalid_value"),
      ("root", "invalid_value"), (String(repeating: "a", count: 129), "string_above_max_length"),
      (String(repeating: "a", count: 128), nil), ("item_Ä-1", nil),
    ] as [(String, String?)])
  func itemIDs(id: String, code: String?) {
    var timeline = Timeline()
    let answer = timeline.client([
      "type": "conversation.item.create",
      "item": ["id": .string(id), "type": "message", "role": "user", "content": []],
    ])
    #expect(answer.last == (code == nil ? "conversation.item.done" : "error"))
    #expect(timeline.lastError.code == code)
    #expect(timeline.lastError.param == (code == nil ? nil : "item.id"))
  }

  private func message(_ text: String) -> JSONObject {
    [
      "type": "conversation.item.create",
      "item": [
        "type": "message", "role": "user", "content": [["type": "input_text", "text": .string(text)]],
      ],
    ]
  }

  @Test("the text of an item has 64 KiB at most")
  func longText() {
    var timeline = Timeline()
    #expect(timeline.client(message(String(repeating: "a", count: 65_537))) == ["error"])
    #expect(timeline.lastError.code == "invalid_value")
    #expect(timeline.lastError.param == "item.content")
    #expect(timeline.client(message(String(repeating: "a", count: 65_536))).last == "conversation.item.done")
  }

  @Test("messages that wait for an answer have 64 KiB together")
  func manyTexts() {
    var timeline = Timeline()
    let half = message(String(repeating: "a", count: 32_768))
    _ = timeline.client(half)
    _ = timeline.client(half)
    #expect(timeline.client(message("b")) == ["error"])
    #expect(timeline.session.items.count == 2)
    _ = timeline.client(["type": "response.create"])
    #expect(timeline.client(message("b")).last == "conversation.item.done")
  }

  @Test(
    "what a client retells is remembered, and what stays without an answer is answered when that is asked for"
  )
  func history() {
    var timeline = Timeline()
    func assistant(_ text: String) -> JSONObject {
      [
        "type": "conversation.item.create",
        "item": [
          "type": "message", "role": "assistant",
          "content": [["type": "output_text", "text": .string(text)]],
        ],
      ]
    }
    _ = timeline.client(message("My name is Ada."))
    #expect(
      timeline.client(assistant("Hello Ada.")) == [
        "> remember user: My name is Ada., assistant: Hello Ada.", "conversation.item.added",
        "conversation.item.done",
      ])
    #expect(timeline.client(assistant("What now?")).first == "> remember assistant: What now?")
    #expect(timeline.client(assistant("")) == ["conversation.item.added", "conversation.item.done"])
    _ = timeline.client(message("What is my name?"))
    #expect(timeline.client(["type": "response.create"]).last == "> text What is my name?")
    #expect(timeline.session.items.map(\.role) == [.user, .assistant, .assistant, .assistant, .user])
    let wrong: JSONObject = [
      "type": "conversation.item.create",
      "item": ["type": "message", "role": "assistant", "content": [["type": "input_text", "text": "x"]]],
    ]
    #expect(timeline.client(wrong) == ["error"])
    #expect(timeline.lastError.param == "item.content[0].type")
  }

  @Test(
    "messages of other roles are refused, and no role is named that is refused too",
    arguments: [("system", "not_supported"), ("tool", "invalid_value")])
  func otherRoles(role: String, code: String) {
    var timeline = Timeline()
    #expect(
      timeline.client([
        "type": "conversation.item.create",
        "item": ["type": "message", "role": .string(role), "content": []],
      ]) == ["error"])
    #expect(timeline.lastError.code == code)
    #expect(timeline.lastError.param == "item.role")
    let message = timeline.last("error")?["error"]?["message"]?.string ?? ""
    #expect(message.contains("'user' and 'assistant'"))
    #expect(!message.contains("'system'"))
  }

  @Test("old items are forgotten beyond 512")
  func bounded() {
    var timeline = Timeline()
    for _ in 0..<600 {
      _ = timeline.client([
        "type": "conversation.item.create", "item": ["type": "message", "role": "user", "content": []],
      ])
    }
    #expect(timeline.session.items.count == 512)
  }
}
