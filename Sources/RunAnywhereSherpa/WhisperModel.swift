import Foundation
import RunAnywhereOnnx
import VoiceAudio

/// A Whisper encoder and decoder in the form that sherpa-onnx exports; use it from one thread at a time.
final class WhisperModel {
  /// What was heard in one window.
  struct Heard {
    var text: String
    /// Geometric mean of the tokens' probabilities, 0...1; nil when there is none.
    var confidence: Float?
    /// The language that was spoken, as Whisper names it.
    var language: String
  }

  /// Why files are no such model.
  struct Unusable: Error {
    let reason: String
  }

  /// Frames of silence after the sound in place of padding to 30 s, so that short sound stays quick. With
  /// fewer the model hears single words worse, with 800 no better.
  private static let padding = 400
  /// Most frames of one window, and those at its end that are always silence.
  private static let longest = 3000
  private static let silence = 50
  /// Tokens of English that fit into a second of any sound, and what every window may have. Other scripts
  /// need several tokens for a letter.
  private static let tokensPerSecond = 10
  private static let fewestTokens = 16

  private static let selfCaches = ["n_layer_self_k_cache", "n_layer_self_v_cache"]
  private static let crossCaches = ["n_layer_cross_k", "n_layer_cross_v"]

  let isEnglishOnly: Bool
  private let encoder: OrtSession
  private let decoder: OrtSession
  private let tokens: WhisperTokens
  private let numbers: Hyperparameters

  /// What the files say of themselves.
  struct Hyperparameters {
    let bands: Int
    let layers: Int
    let width: Int
    /// Most tokens of a text with its beginning.
    let context: Int
    /// Whether the decoder takes caches of any length up to `context`.
    let hasShortCaches: Bool
    /// Values that the decoder gives for each token it reads.
    let vocabulary: Int
    let start: [Int]
    let noTimestamps: Int
    let end: Int
    /// Tokens of the languages by their code.
    let languages: [String: Int]

    private static let longestStart = 4
    /// Larger caches than any Whisper's, in values, are refused.
    private static let largestCache = 1 << 26

    init(encoder metadata: [String: String], decoder: [String: String], tokens: Int) throws {
      func list(_ key: String) throws -> [Int] {
        let values = (metadata[key] ?? "").split(separator: ",").map { Int($0) }
        guard !values.isEmpty, !values.contains(nil) else { throw Unusable(reason: "it names no \(key)") }
        return values.compactMap { $0 }
      }
      func number(_ key: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let value = try list(key).first, range.contains(value) else {
          throw Unusable(reason: "its \(key) is impossible")
        }
        return value
      }
      bands = try number("n_mels", 1...1024)
      layers = try number("n_text_layer", 1...256)
      width = try number("n_text_state", 1...65536)
      context = try number("n_text_ctx", 32...65536)
      guard layers * width <= Self.largestCache / context else {
        throw Unusable(reason: "its n_text_layer, n_text_ctx and n_text_state are impossible")
      }
      hasShortCaches = decoder["self_cache"] == "any"
      vocabulary = metadata["n_vocab"] == nil ? tokens : try number("n_vocab", 1...(1 << 24))
      start = try list("sot_sequence")
      guard start.count <= Self.longestStart else { throw Unusable(reason: "its sot_sequence is impossible") }
      noTimestamps = try number("no_timestamps", 0...(1 << 24))
      end = try number("eot", 0...(1 << 24))
      let isMultilingual = metadata["is_multilingual"] == "1"
      let codes = (metadata["all_language_codes"] ?? "").split(separator: ",").map { String($0) }
      languages =
        isMultilingual
        ? Dictionary(zip(codes, try list("all_language_tokens"))) { first, _ in first } : [:]
      let special = start + [noTimestamps, end] + languages.values
      // Special tokens stand behind those of the text, the end first.
      guard tokens <= vocabulary, special.allSatisfy({ (end..<vocabulary).contains($0) }),
        start.allSatisfy({ $0 > end && $0 != noTimestamps })
      else {
        throw Unusable(reason: "its tokens are not those of the table")
      }
    }
  }

  /// - Parameters:
  ///   - encoder, decoder: The ONNX files.
  ///   - properties: What the two files say of themselves.
  init(
    encoder: URL, decoder: URL, properties: (encoder: [String: String], decoder: [String: String]),
    tokens: WhisperTokens, threads: Int
  ) throws {
    numbers = try Hyperparameters(
      encoder: properties.encoder, decoder: properties.decoder, tokens: tokens.count)
    isEnglishOnly = numbers.languages.isEmpty
    self.tokens = tokens
    self.encoder = try OrtSession(contentsOf: encoder, .init(threads: threads))
    self.decoder = try OrtSession(contentsOf: decoder, .init(threads: threads))
  }

  /// Whether the model knows a language by its code, such as "en".
  func knows(_ language: String) -> Bool {
    isEnglishOnly ? language == "en" : numbers.languages[language] != nil
  }

  /// What is said in at most 29 s of sound at 16 kHz.
  /// - Parameters:
  ///   - language: What it is said in; nil lets the model find out.
  ///   - isCancelled: Asked before each step; the text ends early where it says so.
  func hear(_ samples: [Float], language: String?, isCancelled: () -> Bool) throws -> Heard {
    let seconds = samples.count / WhisperLogMel.sampleRate + 1
    let fitting = isEnglishOnly ? Self.fewestTokens + seconds * Self.tokensPerSecond : numbers.context
    let limit = min(numbers.context / 2, fitting)
    let capacity = numbers.hasShortCaches ? min(numbers.context, limit + 8) : numbers.context
    let spectrogram = WhisperLogMel.spectrogram(samples, bands: numbers.bands)
    let sound = try encode(spectrogram, frames: samples.count / WhisperLogMel.hop)
    var text = Text(caches: emptyCaches(capacity), sound: sound)
    var start = numbers.start
    var language = language ?? (isEnglishOnly ? "en" : nil)
    if !isEnglishOnly, start.count > 1 {
      if language == nil {
        language = try spokenLanguage(&text)
        text = Text(caches: emptyCaches(capacity), sound: sound)
      }
      if let token = language.flatMap({ numbers.languages[$0] }) { start[1] = token }
    }
    var next = start + [numbers.noTimestamps]
    var written: [Int] = []
    var logs: [Float] = []
    var repetition = RepetitionFinder(
      seconds: voicedSeconds(spectrogram, frames: samples.count / WhisperLogMel.hop))
    while written.count < limit, !isCancelled() {
      let found = try read(next, &text) { Prediction($0, end: numbers.end) }
      let isEnd = found.token == numbers.end
      if let length = repetition.begin(
        before: isEnd ? nil : found.token, after: written, endProbability: found.endProbability)
      {
        written.removeLast(written.count - length)
        logs.removeLast(logs.count - length)
        break
      }
      if isEnd { break }
      written.append(found.token)
      logs.append(found.logProbability)
      next = [found.token]
    }
    let mean = logs.isEmpty ? nil : exp(logs.reduce(0, +) / Float(logs.count))
    guard mean?.isFinite ?? true else {
      throw OnnxError(code: 2, message: "The decoder's answer is no number.")
    }
    return Heard(
      text: tokens.text(written.filter { $0 < numbers.end }), confidence: mean.map { min(max($0, 0), 1) },
      language: language ?? "en")
  }

  /// The decoder's state between two steps.
  private struct Text {
    var caches: [OnnxTensor]
    var offset = 0
    let sound: OnnxOutputs
  }

  private func emptyCaches(_ length: Int) -> [OnnxTensor] {
    let shape = [numbers.layers, 1, length, numbers.width]
    let zeros = [Float](repeating: 0, count: shape.reduce(1, *))
    return Self.selfCaches.map { _ in .float(zeros, shape: shape) }
  }

  /// Seconds of frames whose loudest band lies less than 35 dB below the loudest of all.
  private func voicedSeconds(_ spectrogram: [Float], frames: Int) -> Double {
    let quiet = (spectrogram.max() ?? 0) - 0.875
    let voiced = (0..<frames).count { frame in
      (0..<numbers.bands).contains { spectrogram[$0 * frames + frame] > quiet }
    }
    return Double(voiced * WhisperLogMel.hop) / Double(WhisperLogMel.sampleRate)
  }

  private func encode(_ spectrogram: [Float], frames heard: Int) throws(OnnxError) -> OnnxOutputs {
    let used = min(heard, Self.longest - Self.silence)
    let frames = min(used + Self.padding, Self.longest)
    var features = [Float](repeating: 0, count: numbers.bands * frames)
    for band in 0..<numbers.bands {
      for frame in 0..<used { features[band * frames + frame] = spectrogram[band * heard + frame] }
    }
    return try encoder.run(
      [("mel", .float(features, shape: [1, numbers.bands, frames]))], outputs: Self.crossCaches)
  }

  private func spokenLanguage(_ text: inout Text) throws -> String? {
    try read([numbers.start[0]], &text) { logits in
      numbers.languages.filter { logits.indices.contains($0.value) }
        .max { logits[$0.value] < logits[$1.value] }?.key
    }
  }

  /// The likeliest token after those that were read.
  private struct Prediction {
    var token = 0
    /// Natural logarithm of its probability.
    var logProbability: Float
    /// Probability of the end, 0...1.
    var endProbability: Float

    /// So far below the largest value a token counts for nothing.
    private static let negligible: Float = 20

    init(_ logits: UnsafeBufferPointer<Float>, end: Int) {
      var highest = -Float.infinity
      for (index, value) in logits.enumerated() where value > highest { (highest, token) = (value, index) }
      var sum: Float = 0
      for value in logits where value > highest - Self.negligible { sum += exp(value - highest) }
      logProbability = -log(sum)
      endProbability = exp(logits[end] - highest) / sum
    }
  }

  /// Reads tokens. `body` is lent what the model expects after the last of them, a value for each token.
  private func read<R>(
    _ tokens: [Int], _ text: inout Text, _ body: (UnsafeBufferPointer<Float>) -> R
  ) throws -> R {
    var inputs: [(name: String, tensor: OnnxTensor)] = [
      ("tokens", .int64(tokens.map { Int64($0) }, shape: [1, tokens.count])),
      ("offset", .int64([Int64(text.offset)], shape: [1])),
    ]
    for (name, cache) in zip(Self.selfCaches, text.caches) { inputs.append(("in_" + name, cache)) }
    for (index, name) in Self.crossCaches.enumerated() {
      inputs.append((name, .output(text.sound, index: index)))
    }
    let outputs = try decoder.run(inputs, outputs: ["logits"] + Self.selfCaches.map { "out_" + $0 })
    text.caches = Self.selfCaches.indices.map { .output(outputs, index: $0 + 1) }
    text.offset += tokens.count
    let size = numbers.vocabulary
    return try outputs.withFloats(0) { logits in
      guard logits.count == tokens.count * size else {
        throw OnnxError(code: 2, message: "The decoder knows other tokens than the table.")
      }
      return body(UnsafeBufferPointer(rebasing: logits.suffix(size)))
    }
  }
}
