/// One turn of a conversation as a language model sees it.
public struct ChatMessage: Sendable, Equatable, Codable {
  /// Who a message is of.
  public enum Role: String, Sendable, Codable {
    /// The app's instructions, the person, the model, or the result of a tool.
    case system, user, assistant, tool
  }
  /// Who it is of.
  public var role: Role
  /// Its text.
  public var content: String
  /// The call that a tool's result answers; nil for other roles.
  public var toolCallId: String?

  /// A message.
  public init(role: Role, content: String, toolCallId: String? = nil) {
    self.role = role
    self.content = content
    self.toolCallId = toolCallId
  }
}

/// How a language model writes.
public struct LlmOptions: Sendable, Equatable {
  /// The longest text, in tokens; 1 or more.
  public var maxOutputTokens: Int = 512
  /// From so many tokens on the text ends with the sentence that is being written, at `maxOutputTokens`
  /// at the latest; reasoning is not counted. Nil goes on.
  public var softOutputTokens: Int?
  /// Chance: 0 always takes the likeliest token, higher numbers dare more.
  public var temperature: Float = 0.7
  /// Only the likeliest tokens that together have this probability are drawn from, 0...1; 1 is all.
  public var topP: Float = 1.0
  /// Only so many of the likeliest tokens are drawn from; 0 is all.
  public var topK: Int = 40
  /// Only tokens at least this likely, as a part of the likeliest one's probability, are drawn from, 0...1.
  public var minP: Float = 0.05
  /// How much tokens that were written lately are disliked; 1 is not at all.
  public var repetitionPenalty: Float = 1.1
  /// Same seed, same text; nil draws one.
  public var seed: UInt64?
  /// The text ends before the first of these.
  public var stopSequences: [String] = []
  /// What the model is told to be; nil leaves it out, or to the session.
  public var systemPrompt: String?

  /// The defaults.
  public init() {}
}

/// What a language model wrote, and how fast.
public struct GenerationResult: Sendable, Equatable {
  /// Why a text ended.
  public enum FinishReason: String, Sendable {
    /// The model had finished, or a stop sequence came.
    case stop
    /// `maxOutputTokens` were written.
    case length
    /// The task was cancelled, or the reader wanted no more.
    case cancelled
  }
  /// The whole text.
  public var text: String
  /// Why it ended.
  public var finishReason: FinishReason
  /// Tokens of the prompt.
  public var inputTokens: Int
  /// Prompt tokens that were already in the cache.
  public var cachedTokens: Int
  /// Tokens that were written.
  public var outputTokens: Int
  /// Milliseconds from the call to the first token.
  public var timeToFirstTokenMs: Double
  /// Tokens written a second, after the first one.
  public var tokensPerSecond: Double

  /// A result; numbers that are not known are 0.
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
  /// Listens for that language.
  public init(language: String? = nil) { self.language = language }
}

/// What a recognizer heard.
public struct Transcription: Sendable, Equatable {
  /// A word and when it was said.
  public struct Word: Sendable, Equatable {
    /// As written.
    public var text: String
    /// Milliseconds from the first sample to the word.
    public var startMs: Int
    /// Milliseconds from the first sample to its end.
    public var endMs: Int
    /// Probability that it is right, 0...1.
    public var confidence: Float
    /// A word with its times in milliseconds.
    public init(text: String, startMs: Int, endMs: Int, confidence: Float) {
      self.text = text
      self.startMs = startMs
      self.endMs = endMs
      self.confidence = confidence
    }
  }
  /// All that was heard; empty for silence.
  public var text: String
  /// Language that was heard, such as "en".
  public var language: String
  /// 0...1, the mean probability of what was heard (Whisper: the geometric mean over its tokens); nil where
  /// the engine gives none.
  public var confidence: Float?
  /// Empty where the engine gives no times of words.
  public var words: [Word]
  /// Milliseconds of the sound.
  public var durationMs: Int

  /// A transcription; what the engine does not tell stays empty.
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
  /// BCP 47 tag of the text.
  public var language: String = "en-US"
  /// 0.25...4; 1 is the voice's own pace.
  public var speed: Float = 1
  /// Height of the voice; 1 is its own. Voices that cannot change it leave it.
  public var pitch: Float = 1
  /// Output rate; 0 keeps the voice's own.
  public var sampleRate: Int = 0
  /// The defaults.
  public init() {}
}

/// When sound counts as speech.
public struct VadOptions: Sendable, Equatable {
  /// Probability, 0...1, from which a window counts as speech.
  public var activationThreshold: Float = 0.5
  /// Milliseconds of voice that make a turn; shorter sounds count for nothing.
  public var minSpeechMs: Int = 250
  /// Milliseconds of silence that end a stretch of speech.
  public var minSilenceMs: Int = 500
  /// Sound kept from before the onset, so that no first syllable is lost.
  public var prefixPaddingMs: Int = 300
  /// The defaults.
  public init() {}
}

/// How a model is loaded.
public struct LoadOptions: Sendable, Equatable {
  /// Threads of the engine; 0 chooses.
  public var threads: Int = 0
  /// Context length in tokens (language models); 0 chooses.
  public var contextLength: Int = 0
  /// The engine chooses.
  public init() {}
}
