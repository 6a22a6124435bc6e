/// What a client asks of a Gemini Live session.
public struct GeminiClientOptions: Sendable, Equatable {
  /// How readily speech is believed to begin or to end.
  public enum Sensitivity: String, Sendable, Equatable, CaseIterable {
    /// Believed soon, or late.
    case high, low
  }

  /// How the provider finds the user's turns in the sound.
  public struct ActivityDetection: Sendable, Equatable {
    /// How readily speech is believed to begin.
    public var startSensitivity: Sensitivity
    /// How readily speech is believed to end.
    public var endSensitivity: Sensitivity
    /// Milliseconds of speech before its beginning is believed.
    public var prefixPaddingMS: Int
    /// Milliseconds of silence that end a turn.
    public var silenceMS: Int

    /// The defaults, unless something else is asked for; times in milliseconds.
    public init(
      startSensitivity: Sensitivity = .high, endSensitivity: Sensitivity = .high,
      prefixPaddingMS: Int = 100, silenceMS: Int = 450
    ) {
      self.startSensitivity = startSensitivity
      self.endSensitivity = endSensitivity
      self.prefixPaddingMS = prefixPaddingMS
      self.silenceMS = silenceMS
    }
  }

  /// Name of the model, with or without "models/" before it.
  public var model = "gemini-3.8-live"
  /// Name of a prebuilt voice; nil leaves the choice to the provider.
  public var voice: String?
  /// Nil is none.
  public var systemInstruction: String?
  /// Whether the assistant speaks first, once the microphone is live.
  public var greet = false
  /// What the model is asked for a greeting.
  public var greeting = "I have just joined. Greet me in one short, friendly sentence."
  /// Whether the provider writes down what the user says.
  public var inputTranscription = true
  /// Whether the provider writes down what the assistant says. Without it a session that is lost cannot be told
  /// again what was said.
  public var outputTranscription = true
  /// How turns are found in the sound.
  public var activityDetection = ActivityDetection()
  /// What the model may ask the app to do, 128 at most.
  public var tools: [ConversationTool] = []
  /// Whether the model is told how much of a reply was heard when it was interrupted.
  public var reportsHeard = true
  /// Whether the provider may forget the oldest of a long talk; otherwise a session ends after 15 minutes.
  public var compressesContext = true

  /// The defaults.
  public init() {}

  /// The setup message. `handle` resumes an older session.
  func setup(handle: String?) -> JSONObject {
    var generation: JSONObject = ["responseModalities": ["AUDIO"]]
    if let voice, !voice.isEmpty {
      generation["speechConfig"] = [
        "voiceConfig": ["prebuiltVoiceConfig": ["voiceName": .string(voice)]]
      ]
    }
    var setup: JSONObject = [
      "model": .string(model.hasPrefix("models/") ? model : "models/" + model),
      "generationConfig": .object(generation),
    ]
    if let systemInstruction, !systemInstruction.isEmpty {
      setup["systemInstruction"] = ["parts": [["text": .string(systemInstruction)]]]
    }
    if !tools.isEmpty {
      setup["tools"] = [
        ["functionDeclarations": .array(tools.prefix(ConversationTool.maximumCount).map(\.geminiJSON))]
      ]
    }
    setup["realtimeInputConfig"] = [
      "automaticActivityDetection": activityDetection.json,
      "activityHandling": "START_OF_ACTIVITY_INTERRUPTS",
    ]
    setup["sessionResumption"] = .object(handle.map { ["handle": .string($0)] } ?? [:])
    if compressesContext { setup["contextWindowCompression"] = ["slidingWindow": [:]] }
    if inputTranscription { setup["inputAudioTranscription"] = [:] }
    if outputTranscription { setup["outputAudioTranscription"] = [:] }
    return setup
  }
}

extension GeminiClientOptions.ActivityDetection {
  var json: JSONValue {
    [
      "disabled": false,
      "startOfSpeechSensitivity": startSensitivity == .high
        ? "START_SENSITIVITY_HIGH" : "START_SENSITIVITY_LOW",
      "endOfSpeechSensitivity": endSensitivity == .high ? "END_SENSITIVITY_HIGH" : "END_SENSITIVITY_LOW",
      "prefixPaddingMs": .int(max(0, prefixPaddingMS)), "silenceDurationMs": .int(max(0, silenceMS)),
    ]
  }
}

extension ConversationTool {
  var geminiJSON: JSONValue {
    ["name": .string(name), "description": .string(description), "parametersJsonSchema": parameters]
  }
}
