/// One turn of a conversation as a language model sees it.
public struct ChatMessage: Sendable, Equatable, Codable {
  public enum Role: String, Sendable, Codable { case system, user, assistant, tool }
  public var role: Role
  public var content: String
  public var toolCallId: String?

  public init(role: Role, content: String, toolCallId: String? = nil) {
    self.role = role
    self.content = content
    self.toolCallId = toolCallId
  }
}

/// How a language model writes.
public struct LlmOptions: Sendable, Equatable {
  public var maxOutputTokens: Int = 512
  /// From so many tokens on the text ends with the sentence that is being written, at `maxOutputTokens`
  /// at the latest; reasoning is not counted. Nil goes on.
  public var softOutputTokens: Int?
  public var temperature: Float = 0.7
  public var topP: Float = 1.0
  public var topK: Int = 40
  public var minP: Float = 0.05
  public var repetitionPenalty: Float = 1.1
  /// Same seed, same text; nil draws one.
  public var seed: UInt64?
  /// The text ends before the first of these.
  public var stopSequences: [String] = []
  public var systemPrompt: String?

  public init() {}
}

/// What a language model wrote, and how fast.
public struct GenerationResult: Sendable, Equatable {
  public enum FinishReason: String, Sendable { case stop, length, cancelled }
  public var text: String
  public var finishReason: FinishReason
  public var inputTokens: Int
  /// Prompt tokens that were already in the cache.
  public var cachedTokens: Int
  public var outputTokens: Int
  public var timeToFirstTokenMs: Double
  public var tokensPerSecond: Double

  public init(
    text: String, finishReason: FinishReason = .stop, inputTokens: Int = 0, cachedTokens: Int = 0,
    outputTokens: Int = 0, timeToFirstTokenMs: Double = 0, tokensPerSecond: Double = 0
  ) {
    self.text = text
    self.finishReason = finishReason
    self.inputTokens = inputTokens
    self.cachedTokens = cachedTokens
    self.outputTokens = outputTokens
    self.timeToFirstTokenMs = timeToFirstTokenMs
    self.tokensPerSecond = tokensPerSecond
  }
}

/// How a recognizer listens.
public struct SttOptions: Sendable, Equatable {
  /// BCP 47 tag; nil lets the model decide.
  public var language: String?
  public init(language: String? = nil) { self.language = language }
}

/// What a recognizer heard.
public struct Transcription: Sendable, Equatable {
  public struct Word: Sendable, Equatable {
    public var text: String
    public var startMs: Int
    public var endMs: Int
    public var confidence: Float
    public init(text: String, startMs: Int, endMs: Int, confidence: Float) {
      self.text = text
      self.startMs = startMs
      self.endMs = endMs
      self.confidence = confidence
    }
  }
  public var text: String
  public var language: String
  /// 0...1, the mean probability of what was heard (Whisper: the geometric mean over its tokens); nil where
  /// the engine gives none.
  public var confidence: Float?
  /// Empty where the engine gives no times of words.
  public var words: [Word]
  public var durationMs: Int

  public init(
    text: String, language: String = "en", confidence: Float? = nil, words: [Word] = [],
    durationMs: Int = 0
  ) {
    self.text = text
    self.language = language
    self.confidence = confidence
    self.words = words
    self.durationMs = durationMs
  }
}

/// How a voice speaks.
public struct TtsOptions: Sendable, Equatable {
  /// A voice inside the model; nil is its default.
  public var voice: String?
  public var language: String = "en-US"
  /// 0.25...4; 1 is the voice's own pace.
  public var speed: Float = 1
  public var pitch: Float = 1
  /// Output rate; 0 keeps the voice's own.
  public var sampleRate: Int = 0
  public init() {}
}

/// When sound counts as speech.
public struct VadOptions: Sendable, Equatable {
  /// Probability, 0...1, from which a window counts as speech.
  public var activationThreshold: Float = 0.5
  public var minSpeechMs: Int = 250
  public var minSilenceMs: Int = 500
  /// Sound kept from before the onset, so that no first syllable is lost.
  public var prefixPaddingMs: Int = 300
  public init() {}
}

/// How a model is loaded.
public struct LoadOptions: Sendable, Equatable {
  /// Threads of the engine; 0 chooses.
  public var threads: Int = 0
  /// Context length in tokens (language models); 0 chooses.
  public var contextLength: Int = 0
  public init() {}
}
