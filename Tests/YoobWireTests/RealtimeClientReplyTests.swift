import Testing

@testable import YoobWire

@Suite("Realtime client: replies")
struct RealtimeClientReplyTests {
  private typealias Client = ClientTimeline<RealtimeClientSession>

  @Test("a spoken turn is listened to, thought about, answered and heard to its end")
  func turn() {
    var client = Client.ready()
    #expect(client.speechStarted() == [])
    #expect(client.speechStopped() == ["thinking"])
    #expect(client.heardUser("What time is it?") == ["user! What time is it?"])
    #expect(client.created("r") == [])
    #expect(client.caption("r", "a", "It is noon.") == [])
    #expect(client.audio("r", "a", samples: 2400) == ["begin a", "play a 2400", "speaking"])
    #expect(client.audio("r", "a", samples: 2400) == ["play a 2400"])
    #expect(client.done("r") == ["end a"])
    #expect(client.state == .speaking)
    #expect(client.finished("a") == ["assistant! It is noon.", "listening"])
  }

  @Test("what the user says is shown as it is understood")
  func userCaptions() {
    var client = Client.ready()
    let delta: (String) -> JSONObject = {
      ["type": "conversation.item.input_audio_transcription.delta", "item_id": "u", "delta": .string($0)]
    }
    #expect(client.server(delta("What "), delta("time")) == ["user: What ", "user: What time"])
    #expect(client.heardUser("What time?") == ["user! What time?"])
    #expect(client.server(delta("late")) == [])
  }

  @Test("captions follow the voice: a word is shown when half of it was heard, all of it at the end")
  func captions() {
    var client = Client.ready()
    _ = client.reply("r", "a", "one two three four", samples: 18_000)
    #expect(client.played(1000) == [])
    #expect(client.played(3000) == ["assistant: one"])
    #expect(client.played(3500) == [])
    #expect(client.played(7000) == ["assistant: one two"])
    #expect(client.played(6000) == [])
    #expect(client.finished() == ["assistant! one two three four", "listening"])
  }

  @Test("text that arrives long before its sound does not run ahead of the voice")
  func earlyText() {
    var client = Client.ready()
    _ = client.created("r")
    _ = client.caption(
      "r", "a", "a sentence that takes more than three seconds to be spoken by anybody at all")
    _ = client.audio("r", "a", samples: 2400)
    #expect(client.played(2400) == ["assistant: a"])
  }

  @Test("words with times decide what was heard, where the server tells them")
  func words() {
    var client = Client.ready()
    _ = client.created("r")
    _ = client.caption("r", "a", "one two")
    _ = client.audio("r", "a", samples: 24_000)
    #expect(
      client.server([
        "type": "yoob.words", "item_id": "a",
        "words": [
          ["text": "one", "start_ms": 0, "end_ms": 800], ["text": "two", "start_ms": 800, "end_ms": 1000],
        ],
      ]) == ["words a 2"])
    #expect(client.played(9000) == [])
    #expect(client.played(9600) == ["assistant: one"])
  }

  @Test("two items of one response are two utterances, one after the other")
  func twoItemsOfOneResponse() {
    var client = Client.ready()
    _ = client.created("r")
    _ = client.audio("r", "a", samples: 100)
    #expect(client.audio("r", "b", samples: 100) == ["end a", "begin b", "play b 100"])
    #expect(client.audio("r", "a", samples: 100) == [])
    #expect(client.done("r") == ["end b"])
    #expect(client.finished("a") == [])
    #expect(client.finished("b") == ["listening"])
  }

  @Test(
    "a reply that the provider cancels or fails stops; one that is incomplete is heard",
    arguments: [("cancelled", true), ("failed", true), ("incomplete", false), ("completed", false)])
  func status(status: String, stops: Bool) {
    var client = Client.ready()
    _ = client.created("r")
    _ = client.audio("r", "a", samples: 2400)
    let words = client.done("r", status)
    #expect(words.contains("interrupt") == stops)
    #expect(words.contains("end a") == !stops)
    #expect(words.contains("failure network") == (status == "failed"))
    #expect(!words.contains("> response.cancel"))
  }

  @Test(
    "errors that harm nothing are not shown",
    arguments: [
      "response_cancel_not_active", "no_active_response", "conversation_already_has_active_response",
    ])
  func harmless(code: String) {
    var client = Client.ready()
    #expect(client.server(["type": "error", "error": ["code": .string(code), "message": "x"]]) == [])
  }

  @Test("other errors are shown, and the conversation goes on")
  func otherErrors() {
    var client = Client.ready()
    #expect(
      client.server(["type": "error", "error": ["code": "yoob_invalid_audio", "message": "Bad."]])
        == ["failure network"])
    #expect(client.state == .listening)
  }

  @Test("a refused truncation is no matter")
  func refusedTruncation() {
    var client = Client.ready()
    client.heard = 2400
    _ = client.reply("r", "a", "one two")
    _ = client.speechStarted()
    let id = client.last("conversation.item.truncate")?["event_id"] ?? .null
    #expect(
      client.server(["type": "error", "error": ["code": "invalid", "message": "x", "event_id": id]]) == [])
  }

  @Test("a typed message during a reply waits for the end of that before it asks")
  func typedInterruption() {
    var client = Client.ready()
    client.heard = 2400
    _ = client.created("r")
    _ = client.audio("r", "a", samples: 24_000)
    #expect(
      client.type("stop") == [
        "interrupt", "> response.cancel", "> conversation.item.truncate", "user! stop",
        "> conversation.item.create", "thinking",
      ])
    #expect(client.done("r", "cancelled") == ["> response.create"])
  }

  @Test("a Yoob server's mouth frames, holds and unfinished transcripts are passed on")
  func extensions() {
    var client = Client.ready()
    _ = client.created("r") + client.audio("r", "a", samples: 100)
    let frame: JSONValue = .array([JSONValue](repeating: 0.5, count: 15))
    let visemes: (JSONValue) -> JSONObject = {
      ["type": "yoob.visemes", "item_id": "a", "start_ms": 40, "rate": 25, "frames": .array([$0, $0])]
    }
    #expect(client.server(visemes(frame)) == ["visemes a 40 25 2"])
    #expect(client.server(visemes([0.5])) == [])
    #expect(client.server(["type": "yoob.hold", "item_id": "a", "held": true]) == ["hold"])
    #expect(client.server(["type": "yoob.hold", "item_id": "a", "held": false]) == ["go on"])
    #expect(client.server(["type": "yoob.hold", "item_id": "b", "held": true]) == [])
    #expect(client.server(["type": "yoob.partial", "item_id": "u", "text": "what"]) == ["user: what"])
  }

  @Test("a turn that the server takes back is taken back, and not told to the next provider")
  func takenBack() {
    var client = Client.ready()
    _ = client.heardUser("what time", item: "u1")
    #expect(client.server(["type": "conversation.item.deleted", "item_id": "u1"]) == ["user! "])
    #expect(client.server(["type": "conversation.item.deleted", "item_id": "u1"]) == [])
    #expect(client.session.core.history.entries.isEmpty)
  }

  @Test("what still comes of an item that was heard begins nothing")
  func lateText() {
    var client = Client.ready()
    _ = client.created("r") + client.caption("r", "a", "one") + client.audio("r", "a", samples: 100)
    _ = client.server(["type": "response.output_audio.done", "response_id": "r", "item_id": "a"])
    #expect(client.finished() == ["assistant! one", "thinking"])
    #expect(client.caption("r", "a", "two") + client.audio("r", "a", samples: 100) == [])
    #expect(client.done("r") == ["listening"])
  }

  @Test("when the end of the cancelled reply does not come, the new one is asked for all the same")
  func cancelWithoutEnd() {
    var client = Client.ready()
    _ = client.created("r")
    #expect(client.type("stop").contains("> response.create") == false)
    #expect(client.tick(after: 2) == ["> response.create"])
  }

  @Test("a message whose response was refused because of another is answered after that")
  func refusedResponse() {
    var client = Client.ready()
    _ = client.type("hi")
    let id = client.last("response.create")?["event_id"] ?? .null
    _ = client.server([
      "type": "error",
      "error": ["code": "conversation_already_has_active_response", "message": "x", "event_id": id],
    ])
    _ = client.created("r")
    #expect(client.done("r") == ["> response.create"])
  }

  @Test("a response that is refused for another reason is not waited for")
  func failedResponse() {
    var client = Client.ready()
    _ = client.type("hi")
    let id = client.last("response.create")?["event_id"] ?? .null
    #expect(
      client.server(["type": "error", "error": ["code": "rate_limit", "message": "Slow.", "event_id": id]])
        == ["failure network", "listening"])
  }

  @Test("a greeting that another response has overtaken is not asked for again")
  func overtakenGreeting() {
    var client = Client.ready { $0.greet = true }
    _ = client.microphoneStarted()
    let id = client.last("response.create")?["event_id"] ?? .null
    _ = client.created("r")
    _ = client.server([
      "type": "error",
      "error": ["code": "conversation_already_has_active_response", "message": "x", "event_id": id],
    ])
    #expect(client.done("r") == ["listening"])
  }

  @Test("the user's button stops the reply")
  func button() {
    var client = Client.ready()
    client.heard = 240
    _ = client.created("r")
    _ = client.audio("r", "a", samples: 2400)
    #expect(
      client.userInterrupts()
        == ["interrupt", "> response.cancel", "> conversation.item.truncate", "listening"])
  }

  @Test("a sink that does not answer does not hold the conversation up")
  func silentSink() {
    var client = Client.ready()
    _ = client.created("r")
    _ = client.audio("r", "a", samples: 24_000)
    _ = client.played(4800)
    _ = client.speechStarted()
    #expect(client.tick(after: 2) == ["> response.cancel", "> conversation.item.truncate"])
    #expect(client.last("conversation.item.truncate")?["audio_end_ms"] == 200)
    #expect(client.interrupted(100) == [])
  }

  @Test("a turn that gets no reply, and a reply that stands still, are given up")
  func watchdog() {
    var client = Client.ready()
    _ = client.speechStarted() + client.speechStopped()
    #expect(client.tick(after: 10) == ["listening"])
    #expect(client.created("r") == ["thinking"])
    #expect(client.tick(after: 29) == [])
    #expect(client.tick(after: 1) == ["> response.cancel", "listening"])
  }

  @Test("a written reply is shown at once")
  func writtenReply() {
    var client = Client.ready()
    _ = client.created("r")
    let delta: JSONObject = [
      "type": "response.output_text.delta", "response_id": "r", "item_id": "a", "delta": "Hi.",
    ]
    #expect(client.server(delta) == ["assistant: Hi."])
    #expect(client.done("r") == ["assistant! Hi.", "listening"])
  }

  @Test("a sample that is split between two messages stays whole")
  func splitSample() {
    var client = Client.ready()
    _ = client.created("r")
    let delta: ([UInt8]) -> JSONObject = {
      [
        "type": "response.output_audio.delta", "response_id": "r", "item_id": "a",
        "delta": .string(Base64.encode($0)),
      ]
    }
    #expect(client.server(delta([1, 2, 3])) == ["begin a", "play a 1", "speaking"])
    #expect(
      client.session.receive(JSONValue.object(delta([4])).text, at: 0) == [.play(pcm: [3, 4], itemID: "a")])
  }
}
