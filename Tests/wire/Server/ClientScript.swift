import YoobWire

/// Conversations of our own clients, for others to read: every kind of event that they send.
enum ClientScript {
  /// The events of the client of that name, one JSON text each; nil when there is none.
  static func events(of client: String) -> [String]? {
    switch client {
    case "realtime": realtime()
    case "realtime-hosted": realtimeHosted()
    case "gemini": gemini()
    default: nil
    }
  }

  private static let tool = ConversationTool(
    name: "time", description: "Tells the time.",
    parameters: ["type": "object", "properties": ["zone": ["type": "string"]], "required": ["zone"]])

  private static func sent(_ actions: [ConversationAction]) -> [String] {
    actions.compactMap { action in
      if case .send(let text) = action { text } else { nil }
    }
  }

  private static func text(_ event: JSONObject) -> String { JSONValue.object(event).text }

  // MARK: Realtime

  private static func realtime() -> [String] {
    var events: [String] = []
    for detection in [RealtimeClientOptions.TurnDetection.serverVAD(), .semantic(eagerness: .low)] {
      var options = RealtimeClientOptions()
      options.voice = "marin"
      options.instructions = "Be kind."
      options.turnDetection = detection
      options.greet = true
      options.tools = [tool]
      var session = RealtimeClientSession(options: options, seed: 1)
      events += realtime(&session)
    }
    var plain = RealtimeClientOptions()
    plain.noiseReduction = nil
    plain.transcriptionModel = nil
    var session = RealtimeClientSession(options: plain, seed: 1)
    return events + realtime(&session)
  }

  private static func realtimeHosted() -> [String] {
    var options = RealtimeClientOptions()
    options.isHosted = true
    options.voice = "coral"
    options.instructions = "Be kind."
    var session = RealtimeClientSession(options: options, seed: 1)
    return realtime(&session)
  }

  /// A greeting, speech, an interruption of two replies, a tool, a dropped connection and what is told after it.
  private static func realtime(_ session: inout RealtimeClientSession) -> [String] {
    var actions = session.start(at: 0) + session.socketOpened(at: 0)
    func receive(_ event: JSONObject) { actions += session.receive(text(event), at: 1) }
    func reply(_ response: String, _ item: String, ends: Bool) {
      receive(["type": "response.created", "response": ["id": .string(response)]])
      receive([
        "type": "response.output_audio_transcript.delta", "response_id": .string(response),
        "item_id": .string(item), "delta": "one two",
      ])
      receive([
        "type": "response.output_audio.delta", "response_id": .string(response), "item_id": .string(item),
        "content_index": 0, "delta": .string(Base64.encode([UInt8](repeating: 0, count: 4800))),
      ])
      if ends {
        receive(["type": "response.done", "response": ["id": .string(response), "status": "completed"]])
      }
    }
    receive(["type": "session.updated"])
    actions += session.microphoneStarted(at: 1) + session.microphone([UInt8](repeating: 0, count: 960), at: 1)
    reply("r1", "a", ends: true)
    reply("r2", "b", ends: false)
    receive(["type": "input_audio_buffer.speech_started", "item_id": "u"])
    actions += session.playbackInterrupted(heardSamples: 1200, at: 1)
    receive([
      "type": "conversation.item.input_audio_transcription.completed", "item_id": "u", "transcript": "stop",
    ])
    receive(["type": "response.done", "response": ["id": "r2", "status": "cancelled"]])
    receive(["type": "response.created", "response": ["id": "r3"]])
    receive([
      "type": "response.function_call_arguments.done", "response_id": "r3", "item_id": "f", "call_id": "c",
      "name": "time", "arguments": "{\"zone\":\"UTC\"}",
    ])
    receive(["type": "response.done", "response": ["id": "r3", "status": "completed"]])
    reply("r4", "d", ends: true)
    actions += session.socketClosed(code: 1006, reason: "", at: 2)
    actions += session.toolResult(id: "c", output: "noon", at: 2)
    actions += session.socketOpened(at: 3)
    receive(["type": "session.updated"])
    actions += session.send(text: "hello", at: 3)
    actions += session.playbackInterrupted(heardSamples: 1200, at: 3)
    return sent(actions)
  }

  // MARK: Gemini

  private static func gemini() -> [String] {
    var options = GeminiClientOptions()
    options.voice = "Kore"
    options.systemInstruction = "Be kind."
    options.greet = true
    options.tools = [tool]
    var session = GeminiClientSession(options: options, seed: 1)
    var actions = session.start(at: 0) + session.socketOpened(at: 0)
    func receive(_ message: JSONObject) { actions += session.receive(text(message), at: 1) }
    receive(["setupComplete": [:]])
    actions += session.microphoneStarted(at: 1) + session.microphone([UInt8](repeating: 0, count: 640), at: 1)
    receive([
      "serverContent": [
        "outputTranscription": ["text": "one two"],
        "modelTurn": [
          "parts": [
            [
              "inlineData": [
                "mimeType": "audio/pcm;rate=24000",
                "data": .string(Base64.encode([UInt8](repeating: 0, count: 4800))),
              ]
            ]
          ]
        ],
      ]
    ])
    receive(["serverContent": ["interrupted": true]])
    actions += session.playbackInterrupted(heardSamples: 1200, at: 1) + session.send(text: "hello", at: 1)
    receive(["toolCall": ["functionCalls": [["id": "c", "name": "time", "args": ["zone": "UTC"]]]]])
    actions += session.toolResult(id: "c", output: "noon", at: 1) + session.microphoneStopped(at: 1)
    receive(["sessionResumptionUpdate": ["newHandle": "h", "resumable": true]])
    actions += session.socketClosed(code: nil, reason: "", at: 2) + session.socketOpened(at: 3)
    receive(["setupComplete": [:]])
    // Without the handle all is told.
    actions += session.socketClosed(code: nil, reason: "", at: 4) + session.socketOpened(at: 5)
    actions += session.socketClosed(code: 1008, reason: "", at: 5) + session.socketOpened(at: 6)
    receive(["setupComplete": [:]])
    return sent(actions)
  }
}
