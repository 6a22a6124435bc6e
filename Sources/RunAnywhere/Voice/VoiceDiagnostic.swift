import VoiceIO

/// What a session measures beside its events.
public enum VoiceDiagnostic: Sendable, Equatable {
  /// Timings of a turn: once, when its first sound was heard and its text is written.
  case turn(TurnMetrics)
  /// First voiced sample of a turn; samples at 16 kHz since the microphone opened.
  case speechOnset(sample: Int)
  /// Last voiced sample of a turn that was taken; samples at 16 kHz.
  case speechOffset(sample: Int)
  /// A reply or a line is about to be heard; utterances are numbered from 1.
  case utteranceStarted(utterance: Int, sampleRate: Int)
  /// Written words with their times, in samples from the utterance's first.
  case words(utterance: Int, words: [WordTiming])
  /// A written clause that was handed to the sink.
  case utteranceText(utterance: Int, text: String)
  /// Samples of the utterance that were heard; about ten times a second.
  case played(utterance: Int, samples: Int)
  /// The utterance is over; `heardText` is what the history keeps.
  case utteranceEnded(
    utterance: Int, heardText: String, playedSamples: Int, interrupted: Bool)
  /// The microphone has been giving nothing but zeros for that long.
  case silentInput(seconds: Double)
  /// Microphone samples that were lost because nobody took them in time.
  case inputDropped(samples: Int)
  /// The microphone or the loudspeaker vanished or stalled, for the reason given; the session goes on
  /// when one is there again.
  case deviceLost(reason: String)
  /// Devices run again, or others took their place.
  case deviceReturned(microphone: String, loudspeaker: String)
  /// A reply is held at this sample, because the user may be interrupting it.
  case playbackPaused(utterance: Int, samples: Int)
  /// A held reply goes on from this sample.
  case playbackResumed(utterance: Int, samples: Int)
  /// Speech over the agent that did not interrupt it: too short, without words, or no more than a sign
  /// that the user listens.
  case falseInterruption(durationMs: Int)
  /// The user went on after their turn was taken; both parts are one message.
  case turnReopened
  /// The session has no turn detector: the words alone tell whether the user has finished.
  case turnDetectorMissing(reason: String)
  /// What the turn detector says of a silence, 0 (the user goes on) ... 1 (has finished), and the
  /// milliseconds that it took.
  case turnDetected(completeness: Float, milliseconds: Double)
  /// The turn detector failed; the words decide.
  case turnDetectionFailed(message: String)
  /// How likely, 0...1, the language model takes the user's message for whole, and the milliseconds that
  /// it took.
  case messageEndJudged(likelihood: Float, milliseconds: Double)
  /// A reply that was prepared in advance is not used, because the user went on.
  case speculationDropped
}

/// Where the time of one turn went, in milliseconds.
public struct TurnMetrics: Sendable, Equatable, Codable {
  /// Number of the turn, from 1.
  public var turn: Int = 0
  /// Whether the turn was typed.
  public var isTyped = false
  /// Whether the reply was prepared before the turn was taken.
  public var isSpeculative = false
  /// Last voiced sample to the taking of the turn; 0 for a typed one.
  public var endpointMs: Double = 0
  /// The recognizer's work on the final text.
  public var sttMs: Double = 0
  /// Start of generation to the first piece of text.
  public var llmFirstTokenMs: Double = 0
  /// Start of generation to the first clause.
  public var llmFirstClauseMs: Double = 0
  /// Synthesis of the first clause.
  public var ttsFirstAudioMs: Double = 0
  /// Last voiced sample (or arrival of a typed message) to the first audible sample.
  public var firstAudioMs: Double = 0
  /// Tokens that the language model wrote a second.
  public var tokensPerSecond: Double = 0
  /// Tokens of the prompt.
  public var inputTokens: Int = 0
  /// Prompt tokens that were cached.
  public var cachedTokens: Int = 0
  /// Tokens that were written.
  public var outputTokens: Int = 0
  /// Utterances of the agent that were cut off since the metrics of the turn before.
  public var interruptions: Int = 0
  /// Speech over the agent since then that was too short to interrupt it.
  public var falseInterruptions: Int = 0
  /// How often since then the user went on after a turn was taken.
  public var reopenings: Int = 0

  /// All zero.
  public init() {}
}
