import Foundation
import RunAnywhere
import RunAnywhereOnnx

#if canImport(CSherpa)
  import CSherpa
#endif

/// Whisper on sherpa-onnx.
actor WhisperRecognizer: SttEngine {
  /// Samples per second that the model hears.
  static let sampleRate = 16_000
  /// Sound shorter than this is answered with an empty text.
  private static let shortest = sampleRate / 10
  private static let cutter = SilenceCutter(limit: 28 * sampleRate, frame: sampleRate / 10)

  private let executor = EngineExecutor(label: "yoob.whisper")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let files: ModelFiles
  private let threads: Int
  private var model: SherpaWhisper?
  private var isEnglishOnly = true

  init(_ files: ModelFiles, options: LoadOptions) {
    self.files = files
    threads = options.chosenThreads
  }

  /// Reads the files; call it once, before anything else.
  func load() throws {
    let encoder = try files.url("the encoder") { $0.contains("encoder") && $0.hasSuffix(".onnx") }
    let decoder = try files.url("the decoder") { $0.contains("decoder") && $0.hasSuffix(".onnx") }
    let tokens = try files.url("the tokens") { $0.hasSuffix("tokens.txt") }
    // sherpa-onnx ends the process over a damaged file, so each is looked at before.
    var metadata: [String: String] = [:]
    for file in [decoder, encoder] {
      do {
        metadata = try OnnxFile.check(try Data(contentsOf: file, options: .alwaysMapped))
      } catch {
        throw files.damaged(file.lastPathComponent, reason: error.localizedDescription, underlying: error)
      }
    }
    guard metadata["n_text_layer"] != nil else {
      throw files.damaged(encoder.lastPathComponent, reason: "it is no Whisper encoder for sherpa-onnx")
    }
    guard Self.isTokenTable(try? Data(contentsOf: tokens, options: .alwaysMapped)) else {
      throw files.damaged(tokens.lastPathComponent, reason: "it is no table of tokens")
    }
    isEnglishOnly = metadata["is_multilingual"] == "0"
    guard
      let model = SherpaWhisper(
        encoder: encoder.path, decoder: decoder.path, tokens: tokens.path, threads: threads,
        language: isEnglishOnly ? "en" : "")
    else {
      throw files.damaged(encoder.lastPathComponent, reason: "sherpa-onnx refused it")
    }
    self.model = model
  }

  func transcribe(_ samples: [Float], options: SttOptions) async throws -> Transcription {
    try Task.checkCancellation()
    guard let model else {
      throw SDKException(
        .modelNotLoaded, category: .component, "The recognizer is not loaded.",
        recoverySuggestion: "Load the model first.")
    }
    let language = try language(options)
    let durationMs = samples.count * 1000 / Self.sampleRate
    guard samples.count >= Self.shortest else {
      return Transcription(text: "", language: language, durationMs: durationMs)
    }
    let place = try await ComputeScheduler.shared.place(for: .hearing, threads: threads, of: self)
    defer { place.leave() }
    let sound = samples.map { $0.isFinite ? $0 : 0 }
    var texts: [String] = []
    var confidences: [Float?] = []
    for range in Self.cutter.ranges(sound) where range.count >= Self.shortest {
      place.giveWay()
      try Task.checkCancellation()
      guard let heard = model.decode(sound[range], sampleRate: Self.sampleRate) else {
        throw SDKException(
          .inferenceFailed, category: .component, "The recognizer gave no result.",
          recoverySuggestion: "Load the model again.")
      }
      let text = TranscriptCleaning.withoutEcho(
        TranscriptCleaning.clean(heard.text), seconds: Double(range.count) / Double(Self.sampleRate))
      if !text.isEmpty {
        texts.append(text)
        confidences.append(heard.confidence)
      }
    }
    let known = confidences.compactMap { $0 }
    let isKnown = !known.isEmpty && known.count == confidences.count
    let confidence = isKnown ? known.reduce(0, +) / Float(known.count) : nil
    return Transcription(
      text: texts.joined(separator: " "), language: language, confidence: confidence,
      durationMs: durationMs)
  }

  private func language(_ options: SttOptions) throws -> String {
    guard let tag = options.language?.lowercased(), !tag.isEmpty else { return "en" }
    let primary = String(tag.prefix { $0 != "-" && $0 != "_" })
    guard primary == "en" || !isEnglishOnly else {
      throw SDKException(
        .languageNotSupported, category: .validation,
        "The loaded recognizer understands English only, not \(tag).",
        recoverySuggestion: "Ask for \"en\" or load a multilingual model.")
    }
    return primary
  }

  /// Whether every line holds a token in base64 and a number.
  private static func isTokenTable(_ data: Data?) -> Bool {
    guard let data else { return false }
    let lines = data.split(separator: UInt8(ascii: "\n"))
    return lines.count > 1000
      && lines.allSatisfy { line in
        guard let space = line.lastIndex(of: UInt8(ascii: " ")) else { return false }
        let number = line[line.index(after: space)...].filter { $0 != UInt8(ascii: "\r") }
        return !number.isEmpty && number.allSatisfy { (48...57).contains($0) }
      }
  }
}
