import RunAnywhere
import VoiceIO

/// A detector that takes every letter of `ScriptedSound` for speech.
public struct ScriptedVad: VadEngine {
  private final class Detector: SpeechDetector {
    let windowSize = 512
    func probability(_ window: [Float]) throws -> Float {
      let voiced = window.lazy.filter { ScriptedSound.letter(of: $0) != nil }.count
      return voiced * 2 >= window.count ? 0.95 : 0.02
    }
    func reset() {}
  }

  /// A detector for sound of `ScriptedSound`.
  public init() {}
  /// Detectors have no state.
  public func makeDetector() throws -> any SpeechDetector { Detector() }
}

/// A turn detector that knows of each letter of `ScriptedSound` whether a turn that ends with it is
/// complete.
public final class ScriptedTurnDetector: TurnDetector {
  /// As the real one, eight seconds.
  public let longestInput = 128_000
  private let answers: [Character: Float]
  private let delay: Double
  private let clock: any PacingClock
  private let heard = Guarded<[[Float]]>([])
  private let failure = Guarded<SDKException?>(nil)

  /// `answers` holds the completeness, 0...1, for the last letter heard; others are complete.
  /// `delay` is the detector's work in seconds.
  public init(_ answers: [Character: Float], delay: Double = 0, clock: any PacingClock) {
    self.answers = answers
    self.delay = delay
    self.clock = clock
  }

  /// The sound of every call so far.
  public var calls: [[Float]] { heard.withLock { $0 } }

  /// Makes the calls from now on fail; nil ends that.
  public func fail(_ error: SDKException?) { failure.withLock { $0 = error } }

  /// The answer for the last letter of `samples`.
  public func completeness(_ samples: [Float]) async throws -> Float {
    heard.withLock { $0.append(samples) }
    if delay > 0 { await clock.sleep(for: delay) }
    if let error = failure.withLock({ $0 }) { throw error }
    let letter = samples.lazy.reversed().compactMap { ScriptedSound.letter(of: $0) }.first
    return letter.flatMap { answers[$0] } ?? 1
  }
}

/// A recognizer that knows what each letter of `ScriptedSound` says.
public final class ScriptedStt: SttEngine {
  private let transcripts: [Character: String]
  private let delay: Double
  private let millisecondsPerWord: Int
  private let clock: any PacingClock
  private let heard = Guarded<[[Float]]>([])
  private let failure = Guarded<SDKException?>(nil)

  /// `delay` is the recognizer's work in seconds; a letter's words come one for each
  /// `millisecondsPerWord` of its sound.
  public init(
    _ transcripts: [Character: String], delay: Double = 0, millisecondsPerWord: Int = 200,
    clock: any PacingClock
  ) {
    self.transcripts = transcripts
    self.delay = delay
    self.millisecondsPerWord = max(1, millisecondsPerWord)
    self.clock = clock
  }

  /// The sound of every call so far.
  public var calls: [[Float]] { heard.withLock { $0 } }

  /// Makes the calls from now on fail; nil ends that.
  public func fail(_ error: SDKException?) { failure.withLock { $0 = error } }

  /// The words of each letter in `samples`, as many as its length allows.
  public func transcribe(_ samples: [Float], options: SttOptions) async throws -> Transcription {
    heard.withLock { $0.append(samples) }
    if delay > 0 { await clock.sleep(for: delay) }
    if let error = failure.withLock({ $0 }) { throw error }
    return Transcription(text: text(of: samples))
  }

  private func text(of samples: [Float]) -> String {
    var words: [String] = []
    var index = samples.startIndex
    while index < samples.endIndex {
      let letter = ScriptedSound.letter(of: samples[index])
      let end = samples[index...].firstIndex { ScriptedSound.letter(of: $0) != letter } ?? samples.endIndex
      if let letter, let transcript = transcripts[letter] {
        let milliseconds = (end - index) * 1000 / ScriptedSound.sampleRate
        let count = (milliseconds + millisecondsPerWord - 1) / millisecondsPerWord
        words += transcript.split(separator: " ").prefix(count).map(String.init)
      }
      index = end
    }
    return words.joined(separator: " ")
  }
}

/// A language model that says what it is told to, word by word.
public final class ScriptedLlm: MessageEndJudging {
  private let reply: @Sendable ([ChatMessage]) -> String
  private let firstTokenDelay: Double
  private let tokenDelay: Double
  private let clock: any PacingClock
  private let asked = Guarded<[[ChatMessage]]>([])
  private let lastOptions = Guarded<LlmOptions?>(nil)
  private let judgement = Guarded<Judge?>(nil)

  private struct Judge {
    var delay: Double
    var answer: @Sendable (String) -> Float?
  }
  private let failure = Guarded<SDKException?>(nil)

  /// Delays in seconds.
  public init(
    firstTokenDelay: Double = 0, tokenDelay: Double = 0, clock: any PacingClock,
    reply: @escaping @Sendable ([ChatMessage]) -> String
  ) {
    self.reply = reply
    self.firstTokenDelay = firstTokenDelay
    self.tokenDelay = tokenDelay
    self.clock = clock
  }

  /// The messages of every call so far.
  public var calls: [[ChatMessage]] { asked.withLock { $0 } }
  /// The options of the last call.
  public var options: LlmOptions? { lastOptions.withLock { $0 } }

  /// Makes the calls from now on fail; nil ends that.
  public func fail(_ error: SDKException?) { failure.withLock { $0 = error } }

  /// Makes it tell, `delay` seconds after it is asked, how likely the user's message is whole; it cannot
  /// tell before this call.
  public func judge(delay: Double = 0, _ answer: @escaping @Sendable (String) -> Float?) {
    judgement.withLock { $0 = Judge(delay: delay, answer: answer) }
  }

  /// What `judge` was told to answer for the last message.
  public func endLikelihood(of messages: [ChatMessage], options: LlmOptions) async -> Float? {
    guard let judge = judgement.withLock({ $0 }), let last = messages.last else { return nil }
    if judge.delay > 0 { await clock.sleep(for: judge.delay) }
    return judge.answer(last.content)
  }

  /// Hands over the reply word by word, until `softOutputTokens`, `maxOutputTokens` or `onText` ends it.
  public func generate(
    _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
  ) async throws -> GenerationResult {
    asked.withLock { $0.append(messages) }
    lastOptions.withLock { $0 = options }
    if firstTokenDelay > 0 { await clock.sleep(for: firstTokenDelay) }
    if let error = failure.withLock({ $0 }) { throw error }
    var written = ""
    var count = 0
    var length = ReplyLength(limit: options.softOutputTokens)
    for word in Self.tokens(reply(messages)) where count < options.maxOutputTokens {
      if length.ends(before: word) { break }
      if count > 0 && tokenDelay > 0 { await clock.sleep(for: tokenDelay) }
      if Task.isCancelled || !onText(word) {
        return GenerationResult(text: written, finishReason: .cancelled, outputTokens: count)
      }
      written += word
      count += 1
    }
    return GenerationResult(text: written, outputTokens: count, tokensPerSecond: 100)
  }

  /// Words with the space before them.
  private static func tokens(_ text: String) -> [String] {
    var tokens: [String] = []
    for character in text {
      if tokens.isEmpty || character == " " { tokens.append("") }
      tokens[tokens.count - 1].append(character)
    }
    return tokens
  }
}

/// A voice whose every word takes the same time, at a level that is heard.
public final class ScriptedTts: TtsEngine {
  /// Samples per second.
  public let sampleRate: Int
  /// One voice.
  public let voices = ["scripted"]
  private let millisecondsPerWord: Int
  private let delay: Double
  private let pitch: Float
  private let clock: any PacingClock
  private let spoken = Guarded<[String]>([])
  private let failure = Guarded<SDKException?>(nil)

  /// `delay` is the work on a clause in seconds; `pitch` is told in Hz, 0 tells none.
  public init(
    millisecondsPerWord: Int = 200, delay: Double = 0, sampleRate: Int = 16_000, pitch: Float = 0,
    clock: any PacingClock
  ) {
    self.millisecondsPerWord = millisecondsPerWord
    self.delay = delay
    self.sampleRate = sampleRate
    self.pitch = pitch
    self.clock = clock
  }

  /// The clauses that were asked for.
  public var clauses: [String] { spoken.withLock { $0 } }

  /// Makes the calls from now on fail; nil ends that.
  public func fail(_ error: SDKException?) { failure.withLock { $0 = error } }

  /// Sound that takes the same time for each word, with the words' times.
  public func synthesize(_ text: String, options: TtsOptions) async throws -> SynthesizedSpeech {
    spoken.withLock { $0.append(text) }
    if delay > 0 { await clock.sleep(for: delay) }
    if let error = failure.withLock({ $0 }) { throw error }
    let count = sampleRate * millisecondsPerWord / 1000
    let words = text.split(separator: " ").enumerated().map { index, word in
      WordTiming(text: String(word), start: index * count, end: (index + 1) * count)
    }
    let samples = (0..<(words.count * count)).map { $0.isMultiple(of: 2) ? Float(0.3) : -0.3 }
    let pitches = pitch > 0 ? samples.count * SpeechChunk.pitchRate / sampleRate : 0
    return SynthesizedSpeech(
      samples: samples, sampleRate: sampleRate, words: words,
      pitch: [Float](repeating: pitch, count: pitches))
  }
}
