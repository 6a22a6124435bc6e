import Testing

@testable import YoobWire

@Suite("Realtime settings")
struct RealtimeSettingsTests {
  @Test("a session begins with the protocol's defaults")
  func defaults() {
    var timeline = Timeline(opens: false)
    let session = timeline.session.open()
    guard case .send(let event) = session.first else {
      Issue.record("nothing was sent")
      return
    }
    let shown = event["session"]
    #expect(event["type"] == "session.created")
    #expect(shown?["type"] == "realtime")
    #expect(shown?["output_modalities"] == ["audio"])
    #expect(shown?["instructions"] == "Be kind.")
    #expect(shown?["max_output_tokens"] == "inf")
    #expect(shown?["audio"]?["input"]?["format"] == ["type": "audio/pcm", "rate": 24_000])
    #expect(shown?["audio"]?["input"]?["turn_detection"]?["threshold"] == 0.5)
    #expect(shown?["audio"]?["input"]?["turn_detection"]?["prefix_padding_ms"] == 300)
    #expect(shown?["audio"]?["input"]?["turn_detection"]?["silence_duration_ms"] == 500)
    #expect(shown?["audio"]?["output"]?["voice"] == "heart")
    #expect(timeline.text("{}") == ["error"])
  }

  @Test("an update reaches the agent and is shown to the client")
  func update() {
    var timeline = Timeline()
    let actions = timeline.update([
      "instructions": "Be brief.", "max_output_tokens": 50,
      "include": ["yoob.words", "yoob.visemes", "yoob.prosody"],
      "audio": [
        "input": ["turn_detection": ["type": "server_vad", "silence_duration_ms": 700, "threshold": 0.6]],
        "output": ["speed": 1.25, "voice": "other"],
      ],
    ])
    #expect(actions == ["> configure", "session.updated"])
    let configuration = timeline.session.settings.agentConfiguration
    #expect(configuration.instructions == "Be brief.")
    #expect(configuration.maxOutputTokens == 50)
    #expect(configuration.silenceMs == 700)
    #expect(configuration.threshold == 0.6)
    #expect(configuration.prefixPaddingMs == 300)
    #expect(configuration.speed == 1.25)
    #expect(configuration.voice == "other")
    #expect(configuration.wantsWords && configuration.wantsVisemes && configuration.wantsProsody)
    #expect(configuration.detectsTurns)
    #expect(timeline.last("session.updated")?["session"]?["audio"]?["output"]?["speed"] == 1.25)
  }

  @Test("turn detection of null leaves the turns to the client")
  func noTurnDetection() {
    var timeline = Timeline()
    _ = timeline.update(["audio": ["input": ["turn_detection": nil]]])
    #expect(!timeline.session.settings.agentConfiguration.detectsTurns)
    #expect(timeline.last("session.updated")?["session"]?["audio"]?["input"]?["turn_detection"] == .null)
  }

  @Test(
    "a wrong setting is named, and nothing is changed",
    arguments: [
      (#"{}"#, "missing_required_parameter", "session.type"),
      (#"{"type": "transcription"}"#, "invalid_value", "session.type"),
      (#"{"type": "realtime", "instructions": []}"#, "invalid_type", "session.instructions"),
      (
        #"{"type": "realtime", "output_modalities": ["audio", "text"]}"#, "invalid_value",
        "session.output_modalities"
      ),
      (#"{"type": "realtime", "output_modalities": "text"}"#, "invalid_type", "session.output_modalities"),
      (#"{"type": "realtime", "max_output_tokens": 0}"#, "invalid_value", "session.max_output_tokens"),
      (#"{"type": "realtime", "max_output_tokens": "many"}"#, "invalid_type", "session.max_output_tokens"),
      (#"{"type": "realtime", "include": [1]}"#, "invalid_type", "session.include"),
      (#"{"type": "realtime", "audio": 1}"#, "invalid_type", "session.audio"),
      (
        #"{"type": "realtime", "audio": {"output": {"speed": 2}}}"#, "invalid_value",
        "session.audio.output.speed"
      ),
      (
        #"{"type": "realtime", "audio": {"output": {"speed": 0.2}}}"#, "invalid_value",
        "session.audio.output.speed"
      ),
      (
        #"{"type": "realtime", "audio": {"input": {"format": {"type": "audio/mp3"}}}}"#, "invalid_value",
        "session.audio.input.format.type"
      ),
      (
        #"{"type": "realtime", "audio": {"input": {"format": {"type": "audio/pcm", "rate": 16000}}}}"#,
        "invalid_value", "session.audio.input.format.rate"
      ),
      (
        #"{"type": "realtime", "audio": {"input": {"turn_detection": {"type": "magic"}}}}"#, "invalid_value",
        "session.audio.input.turn_detection.type"
      ),
      (
        #"{"type": "realtime", "audio": {"input": {"turn_detection": {"threshold": 1.1}}}}"#, "invalid_value",
        "session.audio.input.turn_detection.threshold"
      ),
      (
        #"{"type": "realtime", "audio": {"input": {"turn_detection": {"silence_duration_ms": 1.5}}}}"#,
        "invalid_type", "session.audio.input.turn_detection.silence_duration_ms"
      ),
      (
        #"{"type": "realtime", "audio": {"input": {"turn_detection": {"type": "semantic_vad", "eagerness": "x"}}}}"#,
        "invalid_value", "session.audio.input.turn_detection.eagerness"
      ),
    ])
  func wrongSettings(session: String, code: String, param: String) {
    var timeline = Timeline()
    let before = timeline.session.settings
    #expect(
      timeline.text(#"{"type": "session.update", "event_id": "mine", "session": \#(session)}"#) == ["error"])
    #expect(timeline.lastError == (code, param, "mine"))
    #expect(timeline.session.settings == before)
  }

  @Test("the voice is fixed once it was heard; naming it again is no change")
  func voiceIsLocked() {
    var timeline = Timeline()
    _ = timeline.reply("a", "Hello.", soundMs: 100)
    #expect(timeline.update(["audio": ["output": ["voice": "other"]]]) == ["error"])
    #expect(timeline.lastError.code == "cannot_update_voice")
    #expect(timeline.update(["audio": ["output": ["voice": "heart"]]]) == ["> configure", "session.updated"])
  }

  @Test(
    "a setting that would change nothing here is refused by its place",
    arguments: [
      (#"{"tools": [{"type": "function", "name": "f"}]}"#, "session.tools"),
      (#"{"tool_choice": "required"}"#, "session.tool_choice"),
      (#"{"tool_choice": {"type": "function", "name": "f"}}"#, "session.tool_choice"),
      (#"{"truncation": "disabled"}"#, "session.truncation"),
      (
        #"{"audio": {"input": {"turn_detection": {"type": "server_vad", "create_response": false}}}}"#,
        "session.audio.input.turn_detection.create_response"
      ),
      (
        #"{"audio": {"input": {"turn_detection": {"type": "server_vad", "idle_timeout_ms": 6000}}}}"#,
        "session.audio.input.turn_detection.idle_timeout_ms"
      ),
      (
        #"{"audio": {"input": {"turn_detection": {"type": "semantic_vad", "eagerness": "low"}}}}"#,
        "session.audio.input.turn_detection.eagerness"
      ),
    ])
  func notSupported(session: String, param: String) throws {
    var timeline = Timeline()
    let before = timeline.session.settings
    let update = try #require(try JSONValue(parsing: session).object)
    #expect(timeline.update(update) == ["error"])
    #expect(timeline.lastError.code == "not_supported")
    #expect(timeline.lastError.param == param)
    #expect(timeline.session.settings == before)
  }

  @Test(
    "a setting that asks for what is done anyway is taken",
    arguments: [
      #"{"model": "other", "tools": [], "tool_choice": "auto", "truncation": "auto"}"#,
      #"{"tool_choice": "none", "audio": {"input": {"noise_reduction": {"type": "near_field"}}}}"#,
      #"{"audio": {"input": {"turn_detection": {"type": "semantic_vad", "eagerness": "medium"}}}}"#,
      #"{"audio": {"input": {"turn_detection": {"create_response": true, "idle_timeout_ms": null}}}}"#,
    ])
  func harmless(session: String) throws {
    var timeline = Timeline()
    let update = try #require(try JSONValue(parsing: session).object)
    #expect(timeline.update(update) == ["> configure", "session.updated"])
  }

  @Test("members that the protocol does not know are ignored")
  func unknownMembers() {
    var timeline = Timeline()
    #expect(
      timeline.update(["future": ["x": 1], "audio": ["input": ["y": 2]]]) == [
        "> configure", "session.updated",
      ])
  }
}
