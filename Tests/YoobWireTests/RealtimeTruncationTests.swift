import Testing

@testable import YoobWire

@Suite("Realtime truncation")
struct RealtimeTruncationTests {
  /// A reply of two seconds and four words that is being heard.
  private func heard(atMs now: Int) -> (Timeline, item: JSONValue) {
    var timeline = Timeline()
    _ = timeline.reply("a", "one two three four", soundMs: 2000)
    let words = ["one", "two", "three", "four"].enumerated().map { index, word in
      SpeechWord(text: word, startMs: index * 500, endMs: index * 500 + 500)
    }
    _ = timeline.agent(.responseWords(responseID: "a", words: words))
    timeline.now = now
    return (timeline, timeline.last("response.output_item.added")?["item"]?["id"] ?? .null)
  }

  private func truncate(
    _ timeline: inout Timeline, _ item: JSONValue, _ ms: JSONValue, index: JSONValue = 0
  ) -> [String] {
    timeline.client([
      "type": "conversation.item.truncate", "item_id": item, "content_index": index, "audio_end_ms": ms,
    ])
  }

  @Test("the client says what was heard: the agent learns it, and the item keeps those words")
  func truncation() {
    var (timeline, item) = heard(atMs: 1500)
    #expect(truncate(&timeline, item, 1000) == ["> interrupt 1000", "conversation.item.truncated"])
    _ = timeline.agent(.responseFinished(responseID: "a", status: .cancelled(reason: "client")))
    #expect(timeline.session.items.last?.words.map(\.text) == ["one", "two"])
  }

  @Test("more than can have been heard by now does not count")
  func clamped() {
    var (timeline, item) = heard(atMs: 700)
    #expect(truncate(&timeline, item, 1900).first == "> interrupt 700")
  }

  @Test("the end of the sound itself is allowed, one millisecond more is not")
  func lengthLimit() {
    var (timeline, item) = heard(atMs: 5000)
    #expect(truncate(&timeline, item, 2001) == ["error"])
    #expect(timeline.lastError.param == "audio_end_ms")
    #expect(truncate(&timeline, item, 2000).last == "conversation.item.truncated")
  }

  @Test("wrong places and times are refused")
  func refusals() {
    var (timeline, item) = heard(atMs: 1000)
    #expect(truncate(&timeline, item, -1) == ["error"])
    #expect(truncate(&timeline, item, 1.5) == ["error"])
    #expect(truncate(&timeline, item, nil) == ["error"])
    #expect(truncate(&timeline, item, 10, index: 1) == ["error"])
    #expect(truncate(&timeline, "item_x", 10) == ["error"])
    #expect(timeline.lastError.param == "item_id")
    _ = timeline.agent(.userTranscript(text: "hi", isFinal: true))
    let user = timeline.last("input_audio_buffer.committed")?["item_id"] ?? .null
    #expect(truncate(&timeline, user, 10) == ["error"])
  }

  @Test("after the server's own truncation the client's exact time reaches the agent, a larger one not")
  func afterBargeIn() {
    var (timeline, item) = heard(atMs: 1000)
    _ = timeline.agent(
      .speechStarted(audioMs: 0),
      .responseFinished(responseID: "a", status: .cancelled(reason: "turn_detected")))
    #expect(truncate(&timeline, item, 950) == ["> heard 950", "conversation.item.truncated"])
    #expect(truncate(&timeline, item, 970) == ["conversation.item.truncated"])
    #expect(truncate(&timeline, item, 400) == ["> heard 400", "conversation.item.truncated"])
  }

  @Test("once the user's turn is taken, a late truncation does not stop the reply to it")
  func afterTheTurn() {
    var (timeline, item) = heard(atMs: 1000)
    _ = timeline.agent(
      .speechStarted(audioMs: 0),
      .responseFinished(responseID: "a", status: .cancelled(reason: "turn_detected")),
      .userTranscript(text: "stop", isFinal: true))
    #expect(truncate(&timeline, item, 300) == ["conversation.item.truncated"])
    #expect(timeline.session.items.first?.words.map(\.text) == ["one"])
  }

  @Test("after a cancellation the client's exact time reaches the agent")
  func afterCancel() {
    var (timeline, item) = heard(atMs: 1000)
    #expect(timeline.client(["type": "response.cancel"]).first == "> interrupt -")
    #expect(truncate(&timeline, item, 600) == ["> heard 600", "conversation.item.truncated"])
  }

  @Test("a cancellation after a truncation keeps what the client said")
  func cancelAfterTruncation() {
    var (timeline, item) = heard(atMs: 1000)
    #expect(truncate(&timeline, item, 600) == ["> interrupt 600", "conversation.item.truncated"])
    #expect(timeline.client(["type": "response.cancel"]).first == "> interrupt 600")
    #expect(timeline.session.items.last?.content == [.outputAudio(transcript: "one")])
  }

  @Test(
    "a word is kept when at least half of it was heard",
    arguments: [(749, "one"), (750, "one two"), (250, "one"), (249, ""), (0, "")])
  func halfWords(ms: Int, kept: String) {
    var (timeline, item) = heard(atMs: 2000)
    _ = timeline.agent(.responseFinished(responseID: "a", status: .completed))
    _ = truncate(&timeline, item, .int(ms))
    #expect(timeline.session.items.last?.content == [.outputAudio(transcript: kept)])
  }

  @Test("without the words' times nothing is kept of what was not heard at all")
  func noWordTimes() {
    var timeline = Timeline()
    _ = timeline.reply("a", "one two", soundMs: 1000)
    let item = timeline.last("response.output_item.added")?["item"]?["id"] ?? .null
    _ = truncate(&timeline, item, 0)
    _ = timeline.agent(.responseFinished(responseID: "a", status: .cancelled(reason: "")))
    #expect(timeline.session.items.last?.content == [.outputAudio(transcript: "")])
  }

  @Test("words that come after a truncation do not come back")
  func lateWords() {
    var (timeline, item) = heard(atMs: 1000)
    _ = truncate(&timeline, item, 1000)
    _ = timeline.agent(
      .responseWords(responseID: "a", words: [SpeechWord(text: "five", startMs: 2000, endMs: 2400)]),
      .responseFinished(responseID: "a", status: .cancelled(reason: "")))
    #expect(timeline.session.items.last?.content == [.outputAudio(transcript: "one two")])
  }

  @Test("nothing that the client tells after the end of a response stops anything")
  func afterTheEnd() {
    var (timeline, item) = heard(atMs: 1000)
    _ = timeline.agent(.responseFinished(responseID: "a", status: .completed))
    for ms in [900, 500, 0] {
      #expect(truncate(&timeline, item, .int(ms)) == ["> heard \(ms)", "conversation.item.truncated"])
    }
  }

  @Test("a reply of which nothing was heard is deleted, and the agent learns it once")
  func deletion() {
    var (timeline, item) = heard(atMs: 100)
    let event: JSONObject = ["type": "conversation.item.delete", "item_id": item]
    #expect(timeline.client(event) == ["error"])
    #expect(timeline.lastError.param == "item_id")
    _ = timeline.agent(.responseFinished(responseID: "a", status: .completed))
    #expect(timeline.client(event) == ["> heard 0", "conversation.item.deleted"])
    #expect(timeline.last("conversation.item.deleted")?["item_id"] == item)
    #expect(timeline.session.items.isEmpty)
    #expect(timeline.client(event) == ["error"])
    #expect(timeline.lastError.code == "item_delete_invalid_item_id")
    #expect(timeline.say("next").last == "> text next")
  }

  private func delete(_ timeline: inout Timeline, _ item: JSONValue) -> [String] {
    timeline.client(["type": "conversation.item.delete", "item_id": item])
  }

  @Test("what the model has been told is not deleted, once the next reply has begun", arguments: [1500, 100])
  func lateDeletion(heardMs: Int) {
    var (timeline, item) = heard(atMs: heardMs)
    _ = timeline.client(["type": "response.cancel"])
    _ = timeline.say("next")
    // Of a word that was heard by less than its half the model is told nothing.
    #expect(delete(&timeline, item) == [heardMs < 250 ? "conversation.item.deleted" : "error"])
    let user = JSONValue(timeline.session.items.last?.id)
    #expect(delete(&timeline, user) == ["error"])
    #expect(timeline.lastError.code == "not_supported")
    #expect(timeline.lastError.param == "item_id")
    #expect(timeline.session.items.map(\.role) == (heardMs < 250 ? [.user] : [.assistant, .user]))
  }

  @Test("a message that waits for a response can be taken back, and what was retold cannot")
  func deletionOfMessages() {
    var timeline = Timeline()
    func create(_ id: String, _ role: String, _ type: String) -> [String] {
      timeline.client([
        "type": "conversation.item.create",
        "item": [
          "id": .string(id), "type": "message", "role": .string(role),
          "content": [["type": .string(type), "text": .string(id)]],
        ],
      ])
    }
    _ = create("a", "user", "input_text")
    _ = create("b", "user", "input_text")
    #expect(delete(&timeline, "a") == ["conversation.item.deleted"])
    #expect(timeline.client(["type": "response.create"]).last == "> text b")
    #expect(delete(&timeline, "b") == ["error"])
    #expect(create("c", "assistant", "output_text").first == "> remember assistant: c")
    #expect(delete(&timeline, "c") == ["error"])
    #expect(timeline.lastError.code == "not_supported")
    #expect(timeline.session.items.map(\.id) == ["b", "c"])
  }

  @Test("a late truncation does not stop the next reply")
  func lateTruncation() {
    var (timeline, item) = heard(atMs: 1000)
    _ = timeline.client(["type": "response.cancel"])
    _ = timeline.say("next")
    #expect(truncate(&timeline, item, 900) == ["conversation.item.truncated"])
    _ = timeline.reply("b", "Next.", soundMs: 100)
    #expect(truncate(&timeline, item, 800) == ["conversation.item.truncated"])
  }
}
