import Testing

@testable import YoobWire

@Suite("Realtime responses")
struct RealtimeResponseTests {
  @Test("a typed message is answered in the protocol's order")
  func order() {
    var timeline = Timeline()
    #expect(
      timeline.say("hello") == [
        "conversation.item.added", "conversation.item.done", "response.created", "> text hello",
      ])
    #expect(
      timeline.reply("a", "Hi.", soundMs: 200) == [
        "response.output_item.added", "conversation.item.added", "response.content_part.added",
        "response.output_audio_transcript.delta", "response.output_audio.delta",
      ])
    #expect(
      timeline.agent(.responseFinished(responseID: "a", status: .completed)) == [
        "response.output_audio.done", "response.output_audio_transcript.done", "response.content_part.done",
        "conversation.item.done", "response.output_item.done", "response.done",
      ])
    let response = timeline.last("response.done")?["response"]
    #expect(response?["status"] == "completed")
    #expect(response?["id"] == timeline.last("response.created")?["response"]?["id"])
    #expect(response?["output"]?.array?.first?["content"] == [["type": "output_audio", "transcript": "Hi."]])
    #expect(response?["usage"]?["total_tokens"] == 0)
    #expect(timeline.last("response.content_part.added")?["part"]?["type"] == "audio")
    #expect(
      timeline.last("response.output_audio.delta")?["item_id"] == response?["output"]?.array?.first?["id"])
  }

  @Test("the agent's reply to a spoken turn is announced when it begins")
  func spokenReply() {
    var timeline = Timeline()
    #expect(timeline.agent(.responseStarted(responseID: "a")) == ["response.created"])
  }

  @Test("several messages are answered together")
  func severalMessages() {
    var timeline = Timeline()
    for text in ["one", "two"] {
      _ = timeline.client([
        "type": "conversation.item.create",
        "item": [
          "type": "message", "role": "user", "content": [["type": "input_text", "text": .string(text)]],
        ],
      ])
    }
    #expect(timeline.client(["type": "response.create"]) == ["response.created", "> text one\ntwo"])
  }

  @Test("a response without a message follows its instructions and echoes its metadata")
  func greeting() {
    var timeline = Timeline()
    let actions = timeline.client([
      "type": "response.create", "response": ["instructions": "Say hello.", "metadata": ["k": "v"]],
    ])
    #expect(actions == ["response.created", "> respond Say hello."])
    _ = timeline.agent(
      .responseStarted(responseID: "a"), .responseFinished(responseID: "a", status: .completed))
    #expect(timeline.last("response.done")?["response"]?["metadata"] == ["k": "v"])
  }

  @Test("instructions of a response with a message are the agent's until it ends")
  func instructionsWithMessage() {
    var timeline = Timeline()
    _ = timeline.client([
      "type": "conversation.item.create",
      "item": ["type": "message", "role": "user", "content": [["type": "input_text", "text": "hi"]]],
    ])
    #expect(
      timeline.client(["type": "response.create", "response": ["instructions": "Shout."]]) == [
        "response.created", "> configure", "> text hi",
      ])
    #expect(timeline.session.agentConfiguration.instructions == "Shout.")
    _ = timeline.update(["instructions": "Be quick."])
    #expect(timeline.session.agentConfiguration.instructions == "Shout.")
    let ending = timeline.agent(
      .responseStarted(responseID: "a"), .responseFinished(responseID: "a", status: .completed))
    #expect(ending == ["response.done", "> configure"])
    #expect(timeline.session.agentConfiguration.instructions == "Be quick.")
  }

  @Test("the limit of a response is the agent's until it ends, with a message or without")
  func tokenLimit() {
    var timeline = Timeline()
    _ = timeline.update(["max_output_tokens": 90])
    let asked = timeline.client(["type": "response.create", "response": ["max_output_tokens": 7]])
    #expect(asked == ["response.created", "> configure", "> respond -"])
    #expect(timeline.session.agentConfiguration.maxOutputTokens == 7)
    #expect(timeline.last("response.created")?["response"]?["max_output_tokens"] == 7)
    let ending = timeline.agent(
      .responseStarted(responseID: "a"), .responseFinished(responseID: "a", status: .completed))
    #expect(ending == ["response.done", "> configure"])
    #expect(timeline.session.agentConfiguration.maxOutputTokens == 90)
    _ = timeline.client(["type": "response.create", "response": ["max_output_tokens": "inf"]])
    #expect(timeline.session.agentConfiguration.maxOutputTokens == nil)
    #expect(timeline.last("response.created")?["response"]?["max_output_tokens"] == "inf")
    _ = timeline.client(["type": "response.cancel"])
    _ = timeline.client(["type": "response.create", "response": ["max_output_tokens": nil]])
    #expect(timeline.session.agentConfiguration.maxOutputTokens == 90)
  }

  @Test(
    "what a response cannot have is refused by its place",
    arguments: [
      (#"{"tools": [{"type": "function"}]}"#, "response.tools"),
      (#"{"tool_choice": "required"}"#, "response.tool_choice"), (#"{"input": []}"#, "response.input"),
    ])
  func notSupported(response: String, param: String) {
    var timeline = Timeline()
    #expect(timeline.text(#"{"type": "response.create", "response": \#(response)}"#) == ["error"])
    #expect(timeline.lastError.code == "not_supported")
    #expect(timeline.lastError.param == param)
  }

  @Test("one response at a time")
  func oneAtATime() {
    var timeline = Timeline()
    _ = timeline.say("hello")
    #expect(timeline.client(["type": "response.create", "event_id": "e"]) == ["error"])
    #expect(timeline.lastError == ("conversation_already_has_active_response", nil, "e"))
  }

  @Test("a cancelled response ends at once; what the agent says of it later is dropped")
  func cancel() {
    var timeline = Timeline()
    _ = timeline.say("hello")
    _ = timeline.reply("a", "Well, ", soundMs: 1000)
    timeline.now = 400
    let actions = timeline.client(["type": "response.cancel"])
    #expect(actions.first == "> interrupt -")
    #expect(actions.suffix(2) == ["response.done", "conversation.item.truncated"])
    let response = timeline.last("response.done")?["response"]
    #expect(response?["status"] == "cancelled")
    #expect(response?["status_details"] == ["type": "cancelled", "reason": "client_cancelled"])
    #expect(response?["output"]?.array?.first?["status"] == "incomplete")
    #expect(timeline.last("conversation.item.truncated")?["audio_end_ms"] == 400)
    #expect(
      timeline.agent(
        .responseText(responseID: "a", text: "you"),
        .responseFinished(responseID: "a", status: .cancelled(reason: "")))
        == [])
    #expect(timeline.client(["type": "response.cancel"]) == ["error"])
    #expect(timeline.lastError.code == "response_cancel_not_active")
  }

  @Test("another response's id cancels nothing")
  func cancelOther() {
    var timeline = Timeline()
    _ = timeline.say("hello")
    #expect(timeline.client(["type": "response.cancel", "response_id": "resp_x"]) == ["error"])
  }

  @Test("the user's voice ends the reply, truncated to what can have been heard")
  func bargeIn() {
    var timeline = Timeline()
    _ = timeline.reply("a", "A long story.", soundMs: 3000)
    timeline.now = 1200
    #expect(timeline.agent(.speechStarted(audioMs: 5)) == ["input_audio_buffer.speech_started"])
    let actions = timeline.agent(
      .responseFinished(responseID: "a", status: .cancelled(reason: "turn_detected")))
    #expect(actions.suffix(2) == ["response.done", "conversation.item.truncated"])
    #expect(timeline.last("response.done")?["response"]?["status_details"]?["reason"] == "turn_detected")
    #expect(timeline.last("conversation.item.truncated")?["audio_end_ms"] == 1200)
  }

  @Test("a reply that is complete but still sounds is truncated by the user's voice")
  func bargeInOnTheTail() {
    var timeline = Timeline()
    _ = timeline.reply("a", "Done.", soundMs: 2000)
    _ = timeline.agent(.responseFinished(responseID: "a", status: .completed))
    timeline.now = 500
    #expect(
      timeline.agent(.speechStarted(audioMs: 5)) == [
        "input_audio_buffer.speech_started", "conversation.item.truncated",
      ])
    timeline.now = 600
    #expect(timeline.agent(.speechStarted(audioMs: 6)) == ["input_audio_buffer.speech_started"])
  }

  @Test("a reply that was heard to the end is not truncated")
  func heardToTheEnd() {
    var timeline = Timeline()
    _ = timeline.reply("a", "Done.", soundMs: 2000)
    _ = timeline.agent(.responseFinished(responseID: "a", status: .completed))
    timeline.now = 2000
    #expect(timeline.agent(.speechStarted(audioMs: 5)) == ["input_audio_buffer.speech_started"])
  }

  @Test("a failure is told with its reason")
  func failure() {
    var timeline = Timeline()
    _ = timeline.say("hello")
    _ = timeline.agent(.responseStarted(responseID: "a"))
    let actions = timeline.agent(.responseFinished(responseID: "a", status: .failed(message: "No model.")))
    #expect(actions == ["response.done"])
    let details = timeline.last("response.done")?["response"]?["status_details"]
    #expect(details?["error"]?["message"] == "No model.")
  }

  @Test("text-only answers are text events, without sound")
  func textOnly() {
    var timeline = Timeline()
    _ = timeline.update(["output_modalities": ["text"]])
    let actions = timeline.reply("a", "Hi.", soundMs: 100)
    #expect(actions.last == "response.output_text.delta")
    #expect(!actions.contains("response.output_audio.delta"))
    let ending = timeline.agent(.responseFinished(responseID: "a", status: .completed))
    #expect(ending.first == "response.output_text.done")
    #expect(
      timeline.last("response.done")?["response"]?["output"]?.array?.first?["content"]
        == [["type": "output_text", "text": "Hi."]])
  }

  @Test("words, mouth frames, melody and timings come to those who ask, and name the reply")
  func extensions() {
    let news: [SpeechAgentEvent] = [
      .responseWords(responseID: "a", words: [SpeechWord(text: "Hi", startMs: 0, endMs: 90)]),
      .responseVisemes(responseID: "a", startMs: 10, rate: 100, frames: [[0.12345, 1]]),
      .responseProsody(
        responseID: "a", startMs: 20, rate: 50, pitch: [0, 180.6, .nan, -4, .infinity],
        marks: [0, 1, 2, 0, 0]),
      .metrics(["first_audio_ms": 310, "input_tokens": 9, "cached_tokens": 7, "output_tokens": 3]),
    ]
    var plain = Timeline()
    _ = plain.reply("a", "Hi", soundMs: 100)
    #expect(news.flatMap { plain.agent($0) } == [])
    var curious = Timeline(include: ["yoob.words", "yoob.visemes", "yoob.prosody", "yoob.metrics"])
    _ = curious.reply("a", "Hi", soundMs: 100)
    #expect(
      news.flatMap { curious.agent($0) } == ["yoob.words", "yoob.visemes", "yoob.prosody", "yoob.metrics"])
    let item = curious.last("response.output_item.added")?["item"]?["id"]
    #expect(curious.last("yoob.words")?["item_id"] == item)
    #expect(curious.last("yoob.words")?["words"] == [["text": "Hi", "start_ms": 0, "end_ms": 90]])
    #expect(curious.last("yoob.visemes")?["frames"] == [[0.123, 1.0]])
    #expect(curious.last("yoob.prosody")?["item_id"] == item)
    #expect(curious.last("yoob.prosody")?["start_ms"] == 20)
    #expect(curious.last("yoob.prosody")?["rate"] == 50)
    #expect(curious.last("yoob.prosody")?["pitch"] == [0, 181, 0, 0, 0])
    #expect(curious.last("yoob.prosody")?["marks"] == [0, 1, 2, 0, 0])
    #expect(curious.last("yoob.metrics")?["stages"]?["first_audio_ms"]?.double == 310)
    _ = curious.agent(.responseFinished(responseID: "a", status: .completed))
    #expect(curious.last("response.done")?["response"]?["usage"]?["output_tokens"] == 3)
    let details = curious.last("response.done")?["response"]?["usage"]?["input_token_details"]
    #expect(details?["cached_tokens"] == 7)
    #expect(curious.last("yoob.metrics")?["stages"]?["cached_tokens"]?.double == 7)
  }

  @Test("a hold is told to those who ask, and what is heard meanwhile does not grow")
  func holds() {
    for asks in [false, true] {
      var timeline = Timeline(include: asks ? ["yoob.hold"] : [])
      _ = timeline.reply("a", "Hi", soundMs: 4000)
      let item = timeline.last("response.output_item.added")?["item"]?["id"]
      timeline.now += 1000
      #expect(timeline.agent(.responseHeld(responseID: "b", isHeld: true)) == [])
      #expect(timeline.agent(.responseHeld(responseID: "a", isHeld: true)) == (asks ? ["yoob.hold"] : []))
      if asks {
        #expect(timeline.last("yoob.hold")?["item_id"] == item)
        #expect(timeline.last("yoob.hold")?["held"] == true)
      }
      timeline.now += 700
      #expect(timeline.session.playback?.heardMs(atMs: timeline.now) == 1000)
      #expect(timeline.agent(.responseHeld(responseID: "a", isHeld: false)) == (asks ? ["yoob.hold"] : []))
      timeline.now += 500
      #expect(timeline.session.playback?.heardMs(atMs: timeline.now) == 1500)
    }
  }

  @Test("a fatal error of the agent closes the connection, another does not")
  func agentErrors() {
    var timeline = Timeline()
    #expect(timeline.agent(.error(code: "x", message: "Trouble.", isFatal: false)) == ["error"])
    #expect(timeline.agent(.error(code: "y", message: "The end.", isFatal: true)) == ["error", "close 1011"])
    #expect(timeline.last("error")?["error"]?["type"] == "server_error")
  }
}
