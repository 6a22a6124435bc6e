import Foundation
import VoiceAudio
import VoiceIO

/// Voice activity detection on one stream of sound.
public protocol SpeechDetector: AnyObject {
  /// Samples that one call takes: 512 at 16 kHz.
  var windowSize: Int { get }
  /// Probability of speech, 0...1, in the next `windowSize` samples at 16 kHz.
  func probability(_ window: [Float]) throws -> Float
  /// Forgets the stream heard so far.
  func reset()
}

/// A loaded voice activity model.
public protocol VadEngine: Sendable {
  /// A detector with state of its own; use it from one task at a time.
  func makeDetector() throws -> any SpeechDetector
}

/// A loaded model that tells from the sound whether the user has finished.
public protocol TurnDetector: Sendable {
  /// Newest samples that it looks at; earlier ones need not be given.
  var longestInput: Int { get }
  /// Probability, 0...1, that the turn is complete. `samples` is the turn so far with the silence
  /// that follows it, 16 kHz mono; about 0.2 s of silence suit it best.
  func completeness(_ samples: [Float]) async throws -> Float
}

/// A loaded speech recognizer.
public protocol SttEngine: Sendable {
  /// Text of 16 kHz mono samples. Runs on the engine's own thread; cancellation is honoured
  /// before it starts.
  func transcribe(_ samples: [Float], options: SttOptions) async throws -> Transcription
}

/// A loaded language model.
public protocol LlmEngine: Sendable {
  /// Writes the reply to `messages` and hands over each piece of text as it comes; stops early
  /// when `onText` returns false or the task is cancelled. The prompt's common prefix with the
  /// previous call is reused.
  func generate(
    _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
  ) async throws -> GenerationResult
}

/// A loaded voice.
public protocol TtsEngine: Sendable {
  /// Native rate, samples per second.
  var sampleRate: Int { get }
  /// Names that `TtsOptions.voice` takes.
  var voices: [String] { get }
  /// Speech of one clause of cleaned text, silence at both ends trimmed, with phone and word times.
  func synthesize(_ text: String, options: TtsOptions) async throws -> SynthesizedSpeech
  /// Letters and digits of a text that the voice does not know, each once, as they come: it leaves
  /// them out or guesses at them. A voice that cannot tell gives none.
  func unknownCharacters(in text: String) async -> [Character]
}

extension TtsEngine {
  /// None: a voice that cannot tell.
  public func unknownCharacters(in text: String) async -> [Character] { [] }
}

/// What a voice made of a text.
public struct SynthesizedSpeech: Sendable, Equatable {
  /// Mono samples in -1...1.
  public var samples: [Float]
  /// Samples per second.
  public var sampleRate: Int
  /// Phones with their times, in order; empty when the voice gives none.
  public var phones: [PhoneTiming]
  /// Written words with their times, in order; empty when the voice gives none.
  public var words: [WordTiming]
  /// Fundamental frequency in Hz every 12.5 ms, 0 where unvoiced; empty when the voice gives none.
  public var pitch: [Float]

  /// Speech; what the voice does not tell stays empty.
  public init(
    samples: [Float], sampleRate: Int, phones: [PhoneTiming] = [], words: [WordTiming] = [],
    pitch: [Float] = []
  ) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.phones = phones
    self.words = words
    self.pitch = pitch
  }
}

/// A model in memory, by what it does.
public enum LoadedEngine: Sendable {
  /// Tells speech from silence.
  case vad(any VadEngine)
  /// Tells whether the user has finished.
  case turn(any TurnDetector)
  /// Writes down speech.
  case stt(any SttEngine)
  /// Writes replies.
  case llm(any LlmEngine)
  /// Speaks.
  case tts(any TtsEngine)
}

/// Loads models of some kind; engine targets register theirs with `RunAnywhere.register(_:)`.
public protocol EngineProvider: Sendable {
  /// Shown as the backend of a loaded model, such as "llama.cpp".
  var name: String { get }
  /// Whether this provider loads the model (decided by its `format`).
  func canLoad(_ model: ModelInfo) -> Bool
  /// Loads the model whose files lie in `folder`. Throws `SDKException`.
  func load(_ model: ModelInfo, folder: URL, options: LoadOptions) async throws -> LoadedEngine
}
