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

  @Test("after the server's own truncation the client's is accepted, and stops nothing")
  func afterBargeIn() {
    var (timeline, item) = heard(atMs: 1000)
    _ = timeline.agent(
      .speechStarted(audioMs: 0), .responseFinished(responseID: "a", status: .cancelled(reason: "turn_detected")))
    #expect(truncate(&timeline, item, 950) == ["conversation.item.truncated"])
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
