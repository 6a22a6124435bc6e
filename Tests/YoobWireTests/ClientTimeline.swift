import YoobWire

/// A client session under test. Every call returns what it leads to, in short words.
struct ClientTimeline<Session: ConversationSession> {
  var session: Session
  var now = 100.0
  /// Everything that was sent.
  var sent: [JSONObject] = []
  /// What the sink answers to an interruption, in samples; nil leaves the answer to the test.
  var heard: Int?

  var state: ConversationState { session.state }

  init(_ session: Session) { self.session = session }

  mutating func server(_ events: JSONObject...) -> [String] {
    events.flatMap { note(session.receive(JSONValue.object($0).text, at: now)) }
  }

  mutating func text(_ text: String) -> [String] { note(session.receive(text, at: now)) }
  mutating func start() -> [String] { note(session.start(at: now)) }
  mutating func open() -> [String] { note(session.socketOpened(at: now)) }
  mutating func refuse(_ status: Int?) -> [String] { note(session.connectionFailed(status: status, at: now)) }
  mutating func close(_ code: Int?, _ reason: String = "") -> [String] {
    note(session.socketClosed(code: code, reason: reason, at: now))
  }
  mutating func microphoneStarted() -> [String] { note(session.microphoneStarted(at: now)) }
  mutating func microphone(bytes: Int) -> [String] {
    note(session.microphone([UInt8](repeating: 1, count: bytes), at: now))
  }
  mutating func type(_ text: String) -> [String] { note(session.send(text: text, at: now)) }
  mutating func userInterrupts() -> [String] { note(session.userInterrupts(at: now)) }
  mutating func played(_ samples: Int, of item: String? = nil) -> [String] {
    note(session.played(samples: samples, of: item, at: now))
  }
  mutating func finished(_ item: String? = nil) -> [String] { note(session.utteranceFinished(item, at: now)) }
  mutating func interrupted(_ samples: Int, of item: String? = nil) -> [String] {
    note(session.playbackInterrupted(heardSamples: samples, of: item, at: now))
  }
  mutating func result(_ id: String, _ output: String) -> [String] {
    note(session.toolResult(id: id, output: output, at: now))
  }
  mutating func stop() -> [String] { note(session.stop(at: now)) }
  mutating func tick(after seconds: Double) -> [String] {
    now += seconds
    return note(session.tick(at: now))
  }
  /// Lets time pass up to the next deadline.
  mutating func tickAtDeadline() -> [String] {
    guard let deadline = session.nextDeadline else { return ["no deadline"] }
    return tick(after: max(0, deadline - now))
  }

  /// The newest event that has the member, or whose type it is.
  func last(_ name: String) -> JSONObject? {
    sent.last { $0["type"]?.string == name || $0[name] != nil }
  }

  mutating func note(_ actions: [ConversationAction]) -> [String] {
    var words: [String] = []
    for action in actions {
      switch action {
      case .send(let text):
        let event = (try? JSONValue(parsing: text))?.object ?? [:]
        sent.append(event)
        words.append("> " + (event["type"]?.string ?? event.members.first?.name ?? "?"))
      case .connect(let after): words.append(after == 0 ? "connect" : "connect later")
      case .close(let code, _): words.append("close \(code)")
      case .beginUtterance(let id, let rate):
        words.append(rate == 24_000 ? "begin \(id)" : "begin \(id) \(rate)")
      case .play(let pcm, let id): words.append("play \(id) \(pcm.count / 2)")
      case .endUtterance(let id): words.append("end \(id)")
      case .interruptPlayback:
        words.append("interrupt")
        if let heard { words += note(session.playbackInterrupted(heardSamples: heard, of: nil, at: now)) }
      case .state(let state): words.append(state.rawValue)
      case .transcript(let transcript):
        words.append("\(transcript.role.rawValue)\(transcript.isFinal ? "!" : ":") \(transcript.text)")
      case .callTool(let id, let name, let arguments): words.append("tool \(id) \(name) \(arguments)")
      case .cancelTool(let id): words.append("cancel \(id)")
      case .holdPlayback(let isHeld): words.append(isHeld ? "hold" : "go on")
      case .visemes(let id, let start, let rate, let frames):
        words.append("visemes \(id) \(start) \(rate) \(frames.count)")
      case .words(let id, let list): words.append("words \(id) \(list.count)")
      case .goAway(let seconds): words.append("go away \(Int(seconds))")
      case .failure(let failure): words.append("failure " + failure.kind)
      }
    }
    return words
  }
}

extension ConversationFailure {
  var kind: String {
    switch self {
    case .unauthorized: "unauthorized"
    case .outOfCredit: "out of credit"
    case .network: "network"
    case .unsupported: "unsupported"
    case .voiceSession(let code, _): "voice \(code)"
    }
  }
}

extension ClientTimeline where Session == RealtimeClientSession {
  /// A conversation that listens.
  static func ready(_ change: (inout RealtimeClientOptions) -> Void = { _ in }) -> Self {
    var options = RealtimeClientOptions()
    change(&options)
    var timeline = Self(RealtimeClientSession(options: options, seed: 1))
    _ = timeline.start() + timeline.open()
    _ = timeline.server(["type": "session.created"], ["type": "session.updated"])
    return timeline
  }

  mutating func created(_ response: String) -> [String] {
    server(["type": "response.created", "response": ["id": .string(response), "status": "in_progress"]])
  }

  mutating func audio(_ response: String, _ item: String, samples: Int) -> [String] {
    server([
      "type": "response.output_audio.delta", "response_id": .string(response), "item_id": .string(item),
      "output_index": 0, "content_index": 0,
      "delta": .string(Base64.encode([UInt8](repeating: 0, count: samples * 2))),
    ])
  }

  mutating func caption(_ response: String, _ item: String, _ text: String) -> [String] {
    server([
      "type": "response.output_audio_transcript.delta", "response_id": .string(response),
      "item_id": .string(item), "content_index": 0, "delta": .string(text),
    ])
  }

  mutating func done(_ response: String, _ status: String = "completed") -> [String] {
    server([
      "type": "response.done", "response": ["id": .string(response), "status": .string(status)],
    ])
  }

  mutating func hold(_ item: String, _ isHeld: Bool) -> [String] {
    server(["type": "yoob.hold", "item_id": .string(item), "held": .bool(isHeld)])
  }

  mutating func speechStarted() -> [String] {
    server(["type": "input_audio_buffer.speech_started", "audio_start_ms": 0, "item_id": "u"])
  }

  mutating func speechStopped() -> [String] {
    server(["type": "input_audio_buffer.speech_stopped", "audio_end_ms": 0, "item_id": "u"])
  }

  mutating func heardUser(_ text: String, item: String = "u") -> [String] {
    server([
      "type": "conversation.item.input_audio_transcription.completed", "item_id": .string(item),
      "content_index": 0, "transcript": .string(text),
    ])
  }

  /// A reply of one second that is complete and being heard.
  mutating func reply(_ response: String, _ item: String, _ text: String, samples: Int = 24_000) -> [String] {
    created(response) + caption(response, item, text) + audio(response, item, samples: samples)
      + done(response)
  }
}
