/// What a client asks of a Realtime session.
public struct RealtimeClientOptions: Sendable, Equatable {
  /// How the provider finds the end of the user's turn.
  public enum TurnDetection: Sendable, Equatable {
    /// By silence: `silenceMS` of it end a turn (milliseconds), `threshold` is how sure it must be to hear
    /// speech (0...1), and `prefixPaddingMS` before the speech belong to it.
    case serverVAD(silenceMS: Int = 450, threshold: Double = 0.5, prefixPaddingMS: Int = 300)
    /// By what was said: tolerates pauses, answers later.
    case semantic(eagerness: Eagerness = .auto)
  }

  /// How soon a semantic detection takes the turn.
  public enum Eagerness: String, Sendable, Equatable, CaseIterable {
    /// Waits long, a middle time, briefly, or as the provider likes.
    case low, medium, high, auto
  }

  /// Where the microphone is.
  public enum NoiseReduction: String, Sendable, Equatable, CaseIterable {
    /// Headphones, or a phone at the head.
    case nearField = "near_field"
    /// A laptop or a room.
    case farField = "far_field"
  }

  /// Characters of instructions, at most.
  public static let maximumInstructions = 8000

  /// Name of the model.
  public var model = "gpt-realtime"
  /// Nil leaves the choice to the provider.
  public var voice: String?
  /// Nil leaves the provider's own; the first 8000 characters count.
  public var instructions: String?
  /// 0.25...1.5; numbers outside are moved to the nearer end.
  public var speed = 1.08
  /// How the end of the user's turn is found.
  public var turnDetection: TurnDetection = .serverVAD()
  /// Nil is off.
  public var noiseReduction: NoiseReduction? = .farField
  /// The model that writes down what the user says; nil is off.
  public var transcriptionModel: String? = "gpt-4o-mini-transcribe"
  /// Whether the assistant speaks first, once the microphone is live.
  public var greet = false
  /// What the model may ask the app to do, 128 at most.
  public var tools: [ConversationTool] = []
  /// Extensions of a Yoob voice server, such as "yoob.words"; leave it empty for other providers.
  public var include: [String] = []
  /// Whether a Yoob voice server owns the session: then the client sends only voice, instructions, tools and
  /// extensions, and the server decides the rest.
  public var isHosted = false

  /// The defaults.
  public init() {}

  /// The body of `session.update`; nil when there is nothing to say.
  var session: JSONObject? {
    var session: JSONObject = ["type": "realtime"]
    if !isHosted { session["output_modalities"] = ["audio"] }
    if let instructions, !instructions.isEmpty {
      session["instructions"] = .string(String(instructions.prefix(Self.maximumInstructions)))
    }
    var audio = JSONObject()
    if !isHosted { audio["input"] = .object(input) }
    var output = JSONObject()
    if !isHosted {
      output["format"] = RealtimeSettings.audioFormat
      output["speed"] = .double(clampedSpeed)
    }
    if let voice, !voice.isEmpty { output["voice"] = .string(voice) }
    if output != JSONObject() { audio["output"] = .object(output) }
    if audio != JSONObject() { session["audio"] = .object(audio) }
    if !tools.isEmpty {
      session["tools"] = .array(tools.prefix(ConversationTool.maximumCount).map(\.realtimeJSON))
      session["tool_choice"] = "auto"
    }
    if !include.isEmpty { session["include"] = .array(include.map(JSONValue.string)) }
    return session.members.count > 1 ? session : nil
  }

  private var clampedSpeed: Double { speed.isFinite ? min(1.5, max(0.25, speed)) : 1.08 }

  private var input: JSONObject {
    var transcription: JSONValue = .null
    if let transcriptionModel { transcription = ["model": .string(transcriptionModel)] }
    var noise: JSONValue = .null
    if let noiseReduction { noise = ["type": .string(noiseReduction.rawValue)] }
    return [
      "format": RealtimeSettings.audioFormat, "noise_reduction": noise, "transcription": transcription,
      "turn_detection": turnDetection.json,
    ]
  }
}

extension RealtimeClientOptions.TurnDetection {
  var json: JSONValue {
    switch self {
    case .serverVAD(let silence, let threshold, let padding):
      [
        "type": "server_vad", "threshold": .double(min(1, max(0, threshold))),
        "prefix_padding_ms": .int(max(0, padding)), "silence_duration_ms": .int(max(0, silence)),
        "create_response": true, "interrupt_response": true,
      ]
    case .semantic(let eagerness):
      [
        "type": "semantic_vad", "eagerness": .string(eagerness.rawValue),
        "create_response": true, "interrupt_response": true,
      ]
    }
  }
}

extension ConversationTool {
  var realtimeJSON: JSONValue {
    [
      "type": "function", "name": .string(name), "description": .string(description),
      "parameters": parameters,
    ]
  }
}
