import Testing

@testable import YoobWire

extension ClientTimeline where Session == GeminiClientSession {
  /// A conversation that listens.
  static func ready(_ change: (inout GeminiClientOptions) -> Void = { _ in }) -> Self {
    var timeline = opening(change)
    _ = timeline.server(["setupComplete": [:]])
    return timeline
  }

  /// A conversation that waits for its setup.
  static func opening(_ change: (inout GeminiClientOptions) -> Void = { _ in }) -> Self {
    var options = GeminiClientOptions()
    change(&options)
    var timeline = Self(GeminiClientSession(options: options, seed: 1))
    _ = timeline.start() + timeline.open()
    return timeline
  }

  mutating func content(_ content: JSONObject) -> [String] { server(["serverContent": .object(content)]) }

  mutating func audio(samples: Int, mime: String = "audio/pcm;rate=24000") -> [String] {
    let data = Base64.encode([UInt8](repeating: 0, count: samples * 2))
    return content([
      "modelTurn": ["parts": [["inlineData": ["mimeType": .string(mime), "data": .string(data)]]]]
    ])
  }

  mutating func caption(_ text: String) -> [String] {
    content(["outputTranscription": ["text": .string(text)]])
  }
  mutating func complete() -> [String] {
    content(["generationComplete": true]) + content(["turnComplete": true])
  }
  mutating func handle(_ value: String, resumable: Bool = true) -> [String] {
    server(["sessionResumptionUpdate": ["newHandle": .string(value), "resumable": .bool(resumable)]])
  }

  /// A reply of one second that is complete and being heard.
  mutating func reply(_ text: String) -> [String] { caption(text) + audio(samples: 24_000) + complete() }

  /// The turns of the newest `clientContent`, as "role: text".
  var told: [String] {
    (last("clientContent")?["clientContent"]?["turns"]?.array ?? []).flatMap { turn in
      (turn["parts"]?.array ?? []).map { (turn["role"]?.string ?? "?") + ": " + ($0["text"]?.string ?? "?") }
    }
  }
}

@Suite("Gemini client: beginning and turns")
struct GeminiClientTests {
  private typealias Client = ClientTimeline<GeminiClientSession>

  @Test("the defaults are the contract's")
  func defaults() {
    let client = Client.opening()
    #expect(
      client.last("setup") == [
        "setup": [
          "model": "models/gemini-3.8-live", "generationConfig": ["responseModalities": ["AUDIO"]],
          "realtimeInputConfig": [
            "automaticActivityDetection": [
              "disabled": false, "startOfSpeechSensitivity": "START_SENSITIVITY_HIGH",
              "endOfSpeechSensitivity": "END_SENSITIVITY_HIGH", "prefixPaddingMs": 100,
              "silenceDurationMs": 450,
            ], "activityHandling": "START_OF_ACTIVITY_INTERRUPTS",
          ], "sessionResumption": [:], "contextWindowCompression": ["slidingWindow": [:]],
          "inputAudioTranscription": [:], "outputAudioTranscription": [:],
        ]
      ])
  }

  @Test("every option reaches the provider")
  func options() {
    let client = Client.opening {
      $0.model = "models/x"
      $0.voice = "Kore"
      $0.systemInstruction = "Be kind."
      $0.inputTranscription = false
      $0.outputTranscription = false
      $0.compressesContext = false
      $0.activityDetection = .init(
        startSensitivity: .low, endSensitivity: .low, prefixPaddingMS: 20, silenceMS: 900)
      $0.tools = [ConversationTool(name: "time", description: "Tells the time.")]
    }
    let setup = client.last("setup")?["setup"]
    #expect(setup?["model"] == "models/x")
    #expect(
      setup?["generationConfig"]?["speechConfig"]
        == ["voiceConfig": ["prebuiltVoiceConfig": ["voiceName": "Kore"]]])
    #expect(setup?["systemInstruction"] == ["parts": [["text": "Be kind."]]])
    #expect(setup?["inputAudioTranscription"] == nil && setup?["outputAudioTranscription"] == nil)
    #expect(setup?["contextWindowCompression"] == nil)
    let detection = setup?["realtimeInputConfig"]?["automaticActivityDetection"]
    #expect(detection?["startOfSpeechSensitivity"] == "START_SENSITIVITY_LOW")
    #expect(detection?["silenceDurationMs"] == 900)
    #expect(
      setup?["tools"]?.array?.first?["functionDeclarations"]?.array?.first?["name"] == "time")
  }

  @Test("a conversation connects, sets itself up, and listens")
  func beginning() {
    var client = Client(GeminiClientSession(options: GeminiClientOptions(), seed: 1))
    #expect(client.start() == ["connect", "connecting"])
    #expect(client.open() == ["> setup"])
    #expect(client.server(["setupComplete": [:]]) == ["listening"])
  }

  @Test("messages in snake case and in binary frames are understood")
  func spellings() {
    var client = Client.opening()
    let bytes = Array(JSONValue.object(["setup_complete": [:]]).text.utf8)
    #expect(client.note(client.session.receive(bytes, at: 0)) == ["listening"])
    #expect(
      client.server([
        "server_content": [
          "model_turn": ["parts": [["inline_data": ["mime_type": "audio/pcm;rate=24000", "data": "AAAA"]]]]
        ]
      ]) == ["begin model_1", "play model_1 1", "speaking"])
  }

  @Test("the microphone's sound goes out as packets of 20 ms at 16 kHz")
  func microphone() {
    var client = Client.ready()
    #expect(client.microphone(bytes: 639) == [])
    #expect(client.microphone(bytes: 1) == ["> realtimeInput"])
    #expect(client.last("realtimeInput")?["realtimeInput"]?["audio"]?["mimeType"] == "audio/pcm;rate=16000")
    #expect(client.note(client.session.microphoneStopped(at: 0)) == ["> realtimeInput"])
    #expect(client.last("realtimeInput")?["realtimeInput"] == ["audioStreamEnd": true])
  }

  @Test("a greeting waits for the session and for the microphone")
  func greeting() {
    var client = Client.opening { $0.greet = true }
    #expect(client.microphoneStarted() == [])
    #expect(client.server(["setupComplete": [:]]) == ["> realtimeInput", "thinking"])
    #expect(client.audio(samples: 10) == ["begin model_1", "play model_1 10", "speaking"])
  }

  @Test("a spoken turn is answered and heard to its end, with captions on both sides")
  func turn() {
    var client = Client.ready()
    #expect(client.content(["inputTranscription": ["text": "What "]]) == ["user: What "])
    #expect(client.content(["inputTranscription": ["text": "time?"]]) == ["user: What time?"])
    #expect(client.caption("It is noon.") == [])
    #expect(
      client.audio(samples: 24_000)
        == ["user! What time?", "begin model_2", "play model_2 24000", "speaking"])
    #expect(client.content(["generationComplete": true]) == ["end model_2"])
    #expect(client.content(["turnComplete": true]) == [])
    #expect(client.played(12_000) == ["assistant: It is"])
    #expect(client.finished() == ["assistant! It is noon.", "listening"])
  }

  @Test("a question that the provider calls finished is thought about")
  func finishedTranscript() {
    var client = Client.ready()
    #expect(
      client.content(["inputTranscription": ["text": "Hi", "finished": true]])
        == ["user: Hi", "user! Hi", "thinking"])
    #expect(client.tick(after: 10) == ["listening"])
  }

  @Test("when the user speaks the reply stops, and the model is told what was heard of it")
  func interruption() {
    var client = Client.ready()
    client.heard = 12_000
    _ = client.reply("one two")
    #expect(
      client.content(["interrupted": true]) == [
        "interrupt", "assistant! one", "> clientContent", "listening",
      ])
    #expect(client.told == ["user: (I interrupted you. Of your last reply I heard only: \"one\")"])
    #expect(client.last("clientContent")?["clientContent"]?["turnComplete"] == false)
  }

  @Test("a reply that was not heard at all is told as such, and one that was heard whole not at all")
  func extremes() {
    var client = Client.ready()
    client.heard = 0
    _ = client.reply("one two")
    #expect(client.content(["interrupted": true]) == ["interrupt", "> clientContent", "listening"])
    #expect(client.told.first?.contains("before I could hear") == true)
    client.heard = 24_000
    _ = client.reply("three")
    #expect(client.content(["interrupted": true]) == ["interrupt", "assistant! three", "listening"])
  }

  @Test("a provider that is not to be told is not told")
  func noReport() {
    var client = Client.ready { $0.reportsHeard = false }
    client.heard = 100
    _ = client.reply("one two")
    #expect(client.content(["interrupted": true]) == ["interrupt", "listening"])
  }

  @Test("after the user's button the rest of the turn is not heard, the next turn is")
  func button() {
    var client = Client.ready()
    client.heard = 0
    _ = client.audio(samples: 100)
    _ = client.userInterrupts()
    #expect(client.audio(samples: 100) == [])
    #expect(client.complete() == [])
    #expect(client.audio(samples: 100).first == "begin model_2")
  }

  @Test("the user's button stops a reply that has not begun, and not the one to what is said after it")
  func buttonBeforeReply() {
    var client = Client.ready()
    _ = client.type("hi")
    #expect(client.userInterrupts() == ["listening"])
    #expect(client.audio(samples: 100) + client.complete() == [])
    _ = client.type("hi")
    _ = client.userInterrupts() + client.content(["inputTranscription": ["text": "no, this"]])
    #expect(client.audio(samples: 100).contains("speaking"))
  }

  @Test("an end of the turn that never comes does not silence the next turn")
  func buttonWithoutEnd() {
    var client = Client.ready()
    client.heard = 0
    _ = client.audio(samples: 100)
    _ = client.userInterrupts()
    #expect(client.audio(samples: 100) + client.tickAtDeadline() == [])
    #expect(client.audio(samples: 100).first == "begin model_2")
  }

  @Test("a typed message interrupts, and its reply is awaited over the end of the old turn")
  func typing() {
    var client = Client.ready()
    client.heard = 0
    _ = client.audio(samples: 100)
    #expect(
      client.type("stop") == ["interrupt", "> clientContent", "user! stop", "> realtimeInput", "thinking"])
    #expect(client.last("realtimeInput")?["realtimeInput"] == ["text": "stop"])
    #expect(client.content(["interrupted": true]) + client.content(["turnComplete": true]) == [])
    #expect(client.state == .thinking)
    #expect(client.audio(samples: 100).last == "speaking")
  }

  @Test(
    "the rate of a reply is the one of its MIME type",
    arguments: [
      ("audio/pcm;rate=16000", 16_000), ("audio/pcm; rate=48000", 48_000), ("audio/pcm", 24_000),
      ("AUDIO/PCM;RATE=8000", 8000), ("audio/pcm;rate=0", nil), ("audio/pcm;rate=x", nil),
      ("audio/opus", nil),
      ("", nil), ("text/plain;rate=24000", nil),
    ])
  func rates(mime: String, rate: Int?) {
    #expect(GeminiMessage.sampleRate(mimeType: mime) == rate)
  }

  @Test("a rate that changes begins a new utterance")
  func rateChange() {
    var client = Client.ready()
    _ = client.audio(samples: 10)
    #expect(
      client.audio(samples: 10, mime: "audio/pcm;rate=16000")
        == ["end model_1", "begin model_2 16000", "play model_2 10"])
  }

  @Test("tools are called, answered with an object, and taken back")
  func tools() {
    var client = Client.ready()
    let call: (String) -> JSONObject = {
      ["toolCall": ["functionCalls": [["id": .string($0), "name": "time", "args": ["zone": "UTC"]]]]]
    }
    #expect(client.server(call("c1")) == ["tool c1 time {\"zone\":\"UTC\"}", "thinking"])
    #expect(client.server(call("c1")) == [])
    #expect(client.result("c1", "noon") == ["> toolResponse"])
    #expect(
      client.last("toolResponse")?["toolResponse"]
        == ["functionResponses": [["id": "c1", "name": "time", "response": ["output": "noon"]]]])
    _ = client.server(call("c2"))
    _ = client.result("c2", "{\"hour\":12}")
    #expect(
      client.last("toolResponse")?["toolResponse"]?["functionResponses"]?.array?.first?["response"]
        == ["hour": 12])
    _ = client.server(call("c3"))
    #expect(client.server(["toolCallCancellation": ["ids": ["c3", "x"]]]) == ["cancel c3"])
    #expect(client.result("c3", "noon") == [])
  }

  @Test("keys and tokens belong to a header, or to the address for who has no headers")
  func endpoints() {
    let key = GeminiEndpoint(credential: .key("k&"))
    #expect(key.url.hasSuffix("v1beta.GenerativeService.BidiGenerateContent"))
    #expect(key.headers == ["x-goog-api-key": "k&"])
    #expect(GeminiEndpoint(credential: .key("k&"), inURL: true).url.hasSuffix("BidiGenerateContent?key=k%26"))
    let token = GeminiEndpoint(base: "ws://127.0.0.1:1/", credential: .ephemeralToken("auth_tokens/x"))
    #expect(
      token.url
        == "ws://127.0.0.1:1/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContentConstrained"
    )
    #expect(token.headers == ["Authorization": "Token auth_tokens/x"])
    let inURL = GeminiEndpoint(credential: .ephemeralToken("auth_tokens/x"), inURL: true)
    #expect(inURL.url.hasSuffix("?access_token=auth_tokens%2Fx"))
  }
}
