/// The settings of a Realtime session, as `session.created` and `session.updated` show them.
public struct RealtimeSettings: Sendable, Equatable {
  /// When the server looks for turns in the sound.
  public struct TurnDetection: Sendable, Equatable {
    /// "server_vad" or "semantic_vad".
    public var type = "server_vad"
    /// 0...1.
    public var threshold = 0.5
    /// Milliseconds before the speech that belong to the turn.
    public var prefixPaddingMs = 300
    /// Milliseconds of silence that end a turn.
    public var silenceMs = 500
    /// Whether speech of the user stops a reply.
    public var interruptsResponse = true
    /// "medium" or "auto", which mean the same; of semantic_vad.
    public var eagerness = "auto"
  }

  /// Name of the model.
  public var model: String
  /// What the assistant is.
  public var instructions: String
  /// Whether replies are written only.
  public var isTextOnly = false
  /// Name of the voice.
  public var voice: String
  /// 0.25...1.5.
  public var speed = 1.0
  /// How turns are found; nil leaves that to the client.
  public var turnDetection: TurnDetection? = TurnDetection()
  /// Null switches the events of transcription off.
  public var transcription: JSONValue = ["model": "local"]
  /// As the client has set it; shown, and without effect here.
  public var noiseReduction: JSONValue = .null
  /// "auto" or "none", which mean the same where there are no tools.
  public var toolChoice: JSONValue = "auto"
  /// Nil for "inf".
  public var maxOutputTokens: Int?
  /// Extensions that the client asked for.
  public var include: [String] = []

  /// The defaults of a server with this model.
  public init(model: String, instructions: String, voice: String) {
    self.model = model
    self.instructions = instructions
    self.voice = voice
  }

  /// What the settings ask of the agent.
  public var agentConfiguration: SpeechAgentConfiguration {
    var configuration = SpeechAgentConfiguration()
    configuration.instructions = instructions.isEmpty ? nil : instructions
    configuration.voice = voice.isEmpty ? nil : voice
    configuration.speed = speed
    configuration.maxOutputTokens = maxOutputTokens
    configuration.detectsTurns = turnDetection != nil
    if let turnDetection {
      configuration.silenceMs = turnDetection.silenceMs
      configuration.prefixPaddingMs = turnDetection.prefixPaddingMs
      configuration.threshold = turnDetection.threshold
      configuration.interruptsResponse = turnDetection.interruptsResponse
    }
    configuration.wantsWords = include.contains("yoob.words")
    configuration.wantsVisemes = include.contains("yoob.visemes")
    configuration.wantsProsody = include.contains("yoob.prosody")
    configuration.wantsHolds = include.contains("yoob.hold")
    return configuration
  }

  /// Changes what `session` names; unchanged when it throws.
  mutating func apply(_ session: JSONObject, voiceIsLocked: Bool) throws(RealtimeFault) {
    var new = self
    let reader = RealtimeReader(session, path: "session.")
    guard try reader.requiredString("type") == "realtime" else {
      throw .invalid("session.type", "Invalid value for 'session.type': expected 'realtime'.")
    }
    if let instructions = try reader.string("instructions") { new.instructions = instructions }
    if let model = try reader.string("model") { new.model = model }
    if let modalities = try reader.strings("output_modalities") {
      new.isTextOnly = try Self.isTextOnly(modalities, place: "session.output_modalities")
    }
    if let include = try reader.strings("include") { new.include = include }
    if let choice = try Self.toolChoice(reader) { new.toolChoice = choice }
    if let truncation = reader.present("truncation"), !truncation.isNull, truncation != "auto" {
      throw .notSupported(
        "session.truncation", "The model chooses what it forgets: leave 'truncation' at 'auto'.")
    }
    if let limit = try Self.tokenLimit(reader) { new.maxOutputTokens = limit.count }
    if let audio = try reader.object("audio") {
      if let input = try audio.object("input") { try new.applyInput(input) }
      if let output = try audio.object("output") {
        try new.applyOutput(output, voiceIsLocked: voiceIsLocked)
      }
    }
    self = new
  }

  private mutating func applyInput(_ reader: RealtimeReader) throws(RealtimeFault) {
    try Self.checkFormat(reader)
    if let value = reader.present("transcription") {
      _ = try reader.object("transcription")
      transcription = value
    }
    if let value = reader.present("noise_reduction") {
      _ = try reader.object("noise_reduction")
      noiseReduction = value
    }
    if let value = reader.present("turn_detection") {
      guard !value.isNull else { return turnDetection = nil }
      if let detection = try reader.object("turn_detection") {
        try applyTurnDetection(detection)
      }
    }
  }

  private mutating func applyTurnDetection(_ reader: RealtimeReader) throws(RealtimeFault) {
    var detection = turnDetection ?? TurnDetection()
    if let type = try reader.string("type") {
      guard type == "server_vad" || type == "semantic_vad" else {
        throw .invalid(
          reader.place("type"), "Invalid turn detection: expected 'server_vad' or 'semantic_vad'.")
      }
      detection.type = type
    }
    if let value = try reader.double("threshold", in: 0...1) { detection.threshold = value }
    if let value = try reader.int("prefix_padding_ms", in: 0...5000) {
      detection.prefixPaddingMs = value
    }
    if let value = try reader.int("silence_duration_ms", in: 0...10_000) {
      detection.silenceMs = value
    }
    if try reader.bool("create_response") == false {
      throw .notSupported(
        reader.place("create_response"),
        "With turn detection each turn is answered: set 'turn_detection' to null to ask for responses.")
    }
    if let value = try reader.bool("interrupt_response") { detection.interruptsResponse = value }
    if try reader.int("idle_timeout_ms", in: 5000...30_000) != nil {
      throw .notSupported(
        reader.place("idle_timeout_ms"),
        "This server does not speak up in a silence: leave 'idle_timeout_ms' out, or send 'response.create'.")
    }
    if let value = try reader.string("eagerness") {
      guard ["low", "medium", "high", "auto"].contains(value) else {
        throw .invalid(
          reader.place("eagerness"), "Invalid eagerness: expected 'low', 'medium', 'high' or 'auto'.")
      }
      guard value == "auto" || value == "medium" else {
        throw .notSupported(
          reader.place("eagerness"),
          "This server knows one eagerness, 'auto'; 'silence_duration_ms' sets how long it waits.")
      }
      detection.eagerness = value
    }
    turnDetection = detection
  }

  private mutating func applyOutput(
    _ reader: RealtimeReader, voiceIsLocked: Bool
  ) throws(RealtimeFault) {
    try Self.checkFormat(reader)
    if let value = try reader.double("speed", in: 0.25...1.5) { speed = value }
    if let value = try reader.string("voice"), value != voice {
      guard !voiceIsLocked else {
        throw RealtimeFault(
          code: "cannot_update_voice",
          message: "The voice cannot change once the session has spoken. Open a new session.",
          param: "session.audio.output.voice")
      }
      voice = value
    }
  }

  private static func checkFormat(_ reader: RealtimeReader) throws(RealtimeFault) {
    guard let format = try reader.object("format") else { return }
    guard try format.requiredString("type") == "audio/pcm" else {
      throw .invalid(format.place("type"), "This server takes sound as 'audio/pcm'.")
    }
    _ = try format.int("rate", in: 24_000...24_000)
  }

  /// What `reader` says of tools, of which there are none; nil where it says nothing.
  static func toolChoice(_ reader: RealtimeReader) throws(RealtimeFault) -> JSONValue? {
    if let tools = try reader.array("tools"), !tools.isEmpty {
      throw .notSupported(reader.place("tools"), "This server calls no tools: leave 'tools' empty.")
    }
    guard let choice = reader.present("tool_choice"), !choice.isNull else { return nil }
    guard choice == "auto" || choice == "none" else {
      throw .notSupported(
        reader.place("tool_choice"), "This server calls no tools: 'tool_choice' is 'auto' or 'none'.")
    }
    return choice
  }

  /// What `reader` says of the longest reply; nil where it says nothing.
  static func tokenLimit(_ reader: RealtimeReader) throws(RealtimeFault) -> RealtimeTokenLimit? {
    guard let limit = reader.present("max_output_tokens") else { return nil }
    if limit == "inf" || limit.isNull { return .unlimited }
    return try reader.int("max_output_tokens", in: 1...4096).map { .tokens($0) }
  }

  static func isTextOnly(_ modalities: [String], place: String) throws(RealtimeFault) -> Bool {
    switch modalities {
    case ["text"]: true
    case ["audio"]: false
    default:
      throw .invalid(place, "Invalid modalities: expected [\"audio\"] or [\"text\"].")
    }
  }
}

/// How long a reply may be.
public enum RealtimeTokenLimit: Sendable, Equatable {
  /// "inf": as long as the agent likes.
  case unlimited
  /// So many tokens, 1 or more.
  case tokens(Int)

  var count: Int? { if case .tokens(let count) = self { count } else { nil } }
}

extension RealtimeSettings {
  static let audioFormat: JSONValue = ["type": "audio/pcm", "rate": 24_000]

  var modalities: JSONValue { isTextOnly ? ["text"] : ["audio"] }

  static func json(tokenLimit: Int?) -> JSONValue { tokenLimit.map(JSONValue.int) ?? "inf" }

  func json(sessionID: String) -> JSONValue {
    [
      "type": "realtime", "object": "realtime.session", "id": .string(sessionID),
      "model": .string(model), "output_modalities": modalities,
      "instructions": .string(instructions), "tools": [], "tool_choice": toolChoice,
      "max_output_tokens": Self.json(tokenLimit: maxOutputTokens),
      "truncation": "auto", "tracing": nil, "prompt": nil,
      "include": .array(include.map(JSONValue.string)),
      "audio": [
        "input": [
          "format": Self.audioFormat, "transcription": transcription,
          "noise_reduction": noiseReduction, "turn_detection": turnDetection?.json ?? .null,
        ],
        "output": ["format": Self.audioFormat, "voice": .string(voice), "speed": .double(speed)],
      ],
    ]
  }
}

extension RealtimeSettings.TurnDetection {
  var json: JSONValue {
    if type == "semantic_vad" {
      return [
        "type": "semantic_vad", "eagerness": .string(eagerness),
        "create_response": true, "interrupt_response": .bool(interruptsResponse),
      ]
    }
    return [
      "type": "server_vad", "threshold": .double(threshold),
      "prefix_padding_ms": .int(prefixPaddingMs), "silence_duration_ms": .int(silenceMs),
      "idle_timeout_ms": nil, "create_response": true, "interrupt_response": .bool(interruptsResponse),
    ]
  }
}
