import YoobWire

/// A session under test, with short words for what it does.
struct Timeline {
  var session: RealtimeServerSession
  var now = 0
  /// Everything that was sent.
  var events: [JSONObject] = []

  init(include: [String] = [], opens: Bool = true) {
    session = RealtimeServerSession(
      settings: RealtimeSettings(model: "luna", instructions: "Be kind.", voice: "heart"), seed: 1)
    if opens { _ = note(session.open()) }
    if !include.isEmpty {
      _ = update(["include": .array(include.map(JSONValue.string))])
    }
  }

  /// What one event of the client leads to.
  mutating func client(_ event: JSONObject) -> [String] {
    note(session.receive(JSONValue.object(event).text, atMs: now))
  }

  mutating func text(_ text: String) -> [String] { note(session.receive(text, atMs: now)) }

  mutating func update(_ members: JSONObject) -> [String] {
    var members = members
    members["type"] = "realtime"
    return client(["type": "session.update", "session": .object(members)])
  }

  /// The client types a message and asks for a reply.
  mutating func say(_ text: String) -> [String] {
    client([
      "type": "conversation.item.create",
      "item": [
        "type": "message", "role": "user",
        "content": [["type": "input_text", "text": .string(text)]],
      ],
    ]) + client(["type": "response.create"])
  }

  mutating func agent(_ events: SpeechAgentEvent...) -> [String] {
    events.flatMap { note(session.handle($0, atMs: now)) }
  }

  /// A reply of the agent with a text and some sound.
  mutating func reply(_ id: String, _ text: String, soundMs: Int) -> [String] {
    agent(
      .responseStarted(responseID: id), .responseText(responseID: id, text: text),
      .responseAudio(responseID: id, pcm: [UInt8](repeating: 0, count: soundMs * 48)))
  }

  /// The newest event of the type.
  func last(_ type: String) -> JSONObject? { events.last { $0["type"]?.string == type } }

  var lastError: (code: String?, param: String?, eventID: String?) {
    let error = last("error")?["error"]
    return (error?["code"]?.string, error?["param"]?.string, error?["event_id"]?.string)
  }

  private mutating func note(_ actions: [RealtimeAction]) -> [String] {
    actions.map { action in
      switch action {
      case .send(let event):
        events.append(event)
        return event["type"]?.string ?? "?"
      case .close(let code, _): return "close \(code)"
      case .agent(.configure): return "> configure"
      case .agent(.appendAudio(let pcm)): return "> audio \(pcm.count)"
      case .agent(.commitAudio): return "> commit"
      case .agent(.clearAudio): return "> clear"
      case .agent(.sendText(let text)): return "> text \(text)"
      case .agent(.respond(let instructions)): return "> respond \(instructions ?? "-")"
      case .agent(.interrupt(let heardMs)): return "> interrupt \(heardMs.map(String.init) ?? "-")"
      case .agent(.correctHeard(let ms)): return "> heard \(ms)"
      case .agent(.remember(let messages)):
        return "> remember " + messages.map { "\($0.role): \($0.text)" }.joined(separator: ", ")
      }
    }
  }
}
