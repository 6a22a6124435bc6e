import VoiceAudio
import VoiceIO

/// A language model whose reply comes to an end.
struct WatchedLlm: MessageEndJudging {
  /// Characters of a reply for each of its tokens; more is cut off.
  private static let charactersPerToken = 40
  private static let failure = SDKException(
    .generationTimeout, category: .component,
    "The language model gave no text for \(Int(EngineWatch.firstToken)) seconds.",
    recoverySuggestion: "Take a smaller model, or check the server that it runs on.")
  let engine: any LlmEngine
  let watch: EngineWatch

  func generate(
    _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
  ) async throws -> GenerationResult {
    let limit = min(max(1, options.maxOutputTokens), 1_000_000) * Self.charactersPerToken
    return try await watch.run(within: EngineWatch.firstToken, or: Self.failure) { call in
      let written = Guarded((text: "", count: 0, pieces: 0))
      return try await engine.generate(messages, options: options) { piece in
        guard !call.isOver else { return false }
        guard !piece.isEmpty else { return true }
        call.extend(to: EngineWatch.nextToken)
        let (part, pieces, isFull) = written.withLock { written in
          let part = String(piece.prefix(limit - written.count))
          written.text += part
          written.count += part.count
          written.pieces += 1
          return (part, written.pieces, written.count >= limit)
        }
        let goesOn = onText(part)
        guard isFull else { return goesOn }
        let text = written.withLock { $0.text }
        call.finish(.success(GenerationResult(text: text, finishReason: .length, outputTokens: pieces)))
        return false
      }
    }
  }
}

extension WatchedLlm {
  func endLikelihood(of messages: [ChatMessage], options: LlmOptions) async -> Float? {
    guard let judge = engine as? any MessageEndJudging else { return nil }
    let failure = SDKException(.timeout, category: .component, "The language model did not answer.")
    let value = try? await watch.run(within: EngineWatch.judgement, or: failure) { _ in
      await judge.endLikelihood(of: messages, options: options)
    }
    return value.flatMap { $0 }.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
  }
}

/// The same for one that reads the prompt in advance.
struct WatchedPrefillingLlm: PromptPrefilling, MessageEndJudging {
  let inner: any PromptPrefilling
  let llm: WatchedLlm

  func endLikelihood(of messages: [ChatMessage], options: LlmOptions) async -> Float? {
    await llm.endLikelihood(of: messages, options: options)
  }

  func prefill(_ messages: [ChatMessage], options: LlmOptions) async {
    let failure = SDKException(.generationTimeout, category: .component, "The prompt was not read in time.")
    try? await llm.watch.run(within: nil, or: failure) { _ in
      await inner.prefill(messages, options: options)
    }
  }

  func generate(
    _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
  ) async throws -> GenerationResult {
    try await llm.generate(messages, options: options, onText: onText)
  }
}

/// A voice whose sound can be played: finite, at one rate, with times inside of it.
struct WatchedTts: TtsEngine {
  let engine: any TtsEngine
  let watch: EngineWatch

  var sampleRate: Int { engine.sampleRate }
  var voices: [String] { engine.voices }
  func unknownCharacters(in text: String) async -> [Character] { await engine.unknownCharacters(in: text) }

  func synthesize(_ text: String, options: TtsOptions) async throws -> SynthesizedSpeech {
    let failure = SDKException(
      .timeout, category: .component, "The voice gave no sound for \(Int(EngineWatch.synthesis)) seconds.",
      recoverySuggestion: "Choose another voice, or give it more threads.")
    let speech = try await watch.run(within: EngineWatch.synthesis, or: failure) { _ in
      try await engine.synthesize(text, options: options)
    }
    return try speech.checked(rate: options.sampleRate > 0 ? speech.sampleRate : engine.sampleRate)
  }
}

extension SynthesizedSpeech {
  /// The same at `rate`, with what is no number taken for silence.
  ///
  /// Throws `SDKException` `processingFailed` when more than half of it is no sound at all.
  func checked(rate: Int) throws -> SynthesizedSpeech {
    let broken = samples.lazy.filter { !$0.isFinite }.count
    guard sampleRate > 0, rate > 0, broken * 2 <= samples.count else {
      throw SDKException(
        .processingFailed, category: .component,
        sampleRate > 0 ? "The voice gave broken sound." : "The voice gave sound without a sample rate.",
        recoverySuggestion: "Prepare its model again, or choose another voice.")
    }
    var speech = self
    if broken > 0 || samples.contains(where: { abs($0) > 1 }) {
      speech.samples = samples.map { $0.isFinite ? min(max($0, -1), 1) : 0 }
    }
    speech.pitch =
      pitch.contains { !$0.isFinite || $0 < 0 } ? pitch.map { $0.isFinite ? max(0, $0) : 0 } : pitch
    if sampleRate != rate {
      let clip = AudioClip(samples: speech.samples, sampleRate: sampleRate)
      speech.samples = StreamingResampler.convert(clip, to: rate).samples
      speech.sampleRate = rate
    }
    let count = speech.samples.count
    func place(_ sample: Int) -> Int {
      let scaled = sampleRate == rate ? Double(sample) : Double(sample) * Double(rate) / Double(sampleRate)
      return Int(min(max(0, scaled), Double(count)))
    }
    for index in speech.words.indices {
      speech.words[index].start = place(words[index].start)
      speech.words[index].end = max(speech.words[index].start, place(words[index].end))
    }
    for index in speech.phones.indices {
      speech.phones[index].start = place(phones[index].start)
      speech.phones[index].end = max(speech.phones[index].start, place(phones[index].end))
    }
    return speech
  }
}

/// A recognizer whose answer comes and is a text.
struct WatchedStt: SttEngine {
  /// Characters of a transcript; what a broken recognizer writes beyond them is not read.
  private static let longestText = 20_000
  let engine: any SttEngine
  let watch: EngineWatch

  func transcribe(_ samples: [Float], options: SttOptions) async throws -> Transcription {
    let seconds =
      EngineWatch.recognition + min(Double(samples.count) / 16_000, EngineWatch.longestSound)
    let failure = SDKException(
      .timeout, category: .component, "The recognizer gave no text for \(Int(seconds)) seconds.",
      recoverySuggestion: "Take a smaller model, or give it more threads.")
    var result = try await watch.run(within: seconds, or: failure) { _ in
      try await engine.transcribe(samples, options: options)
    }
    if result.text.utf8.count > Self.longestText {
      result.text = String(result.text.prefix(Self.longestText))
    }
    if let confidence = result.confidence, !confidence.isFinite { result.confidence = nil }
    return result
  }
}

/// A turn detector that lets the words decide when it does not answer.
struct WatchedTurnDetector: TurnDetector {
  let engine: any TurnDetector
  let watch: EngineWatch
  var longestInput: Int { engine.longestInput }

  func completeness(_ samples: [Float]) async throws -> Float {
    let failure = SDKException(.timeout, category: .component, "The turn detector did not answer.")
    return try await watch.run(within: EngineWatch.detection, or: failure) { _ in
      try await engine.completeness(samples)
    }
  }
}

/// A voice activity model of which a session is not deaf without knowing: answers that are no numbers
/// are passed over for a second, then it counts as broken.
struct CheckedVad: VadEngine {
  let engine: any VadEngine

  func makeDetector() throws -> any SpeechDetector { Detector(QuietListener(try engine.makeDetector())) }

  private final class Detector: SpeechDetector {
    private let inner: any SpeechDetector
    private var last: Float = 0
    private var brokenSamples = 0

    init(_ inner: any SpeechDetector) { self.inner = inner }

    var windowSize: Int { inner.windowSize }

    func probability(_ window: [Float]) throws -> Float {
      let value = try inner.probability(window)
      guard value.isFinite else {
        brokenSamples += window.count
        guard brokenSamples < 16_000 else {
          throw SDKException(
            .processingFailed, category: .component, "The voice activity model gives no numbers.",
            recoverySuggestion: "Prepare its model again.")
        }
        return last
      }
      brokenSamples = 0
      last = min(max(0, value), 1)
      return last
    }

    func reset() {
      inner.reset()
      (last, brokenSamples) = (0, 0)
    }
  }
}
