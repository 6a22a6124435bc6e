import Foundation
import RunAnywhere
import RunAnywhereOnnx

/// Whisper on onnxruntime, from the files that sherpa-onnx exports.
actor WhisperRecognizer: SttEngine {
  /// Samples per second that the model hears.
  static let sampleRate = 16_000
  /// Sound shorter than this is answered with an empty text.
  private static let shortest = sampleRate / 10
  private static let cutter = SilenceCutter(
    limit: 28 * sampleRate, frame: sampleRate / 10, pause: 40)

  private let executor = EngineExecutor(label: "yoob.whisper")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let files: ModelFiles
  private let threads: Int
  private var model: WhisperModel?

  init(_ files: ModelFiles, options: LoadOptions) {
    self.files = files
    threads = options.chosenThreads
  }

  /// Reads the files; call it once, before anything else.
  func load() throws {
    let encoder = try files.url("the encoder") { $0.contains("encoder") && $0.hasSuffix(".onnx") }
    let decoder = try files.url("the decoder") { $0.contains("decoder") && $0.hasSuffix(".onnx") }
    let tokens = try files.url("the tokens") { $0.hasSuffix("tokens.txt") }
    // onnxruntime ends the process over some damaged files, so each is looked at before.
    let properties = (try properties(encoder), try properties(decoder))
    guard let table = try? Data(contentsOf: tokens, options: .alwaysMapped),
      let tokens = WhisperTokens(table: table)
    else {
      throw files.damaged(tokens.lastPathComponent, reason: "it is no table of tokens")
    }
    do {
      model = try WhisperModel(
        encoder: encoder, decoder: decoder, properties: properties, tokens: tokens, threads: threads)
    } catch let unusable as WhisperModel.Unusable {
      throw files.damaged(encoder.lastPathComponent, reason: unusable.reason)
    } catch {
      throw files.damaged(encoder.lastPathComponent, reason: error.localizedDescription, underlying: error)
    }
  }

  private func properties(_ file: URL) throws -> [String: String] {
    do {
      return try OnnxFile.check(try Data(contentsOf: file, options: .alwaysMapped))
    } catch {
      throw files.damaged(file.lastPathComponent, reason: error.localizedDescription, underlying: error)
    }
  }

  func transcribe(_ samples: [Float], options: SttOptions) async throws -> Transcription {
    try Task.checkCancellation()
    guard let model else {
      throw SDKException(
        .modelNotLoaded, category: .component, "The recognizer is not loaded.",
        recoverySuggestion: "Load the model first.")
    }
    var language = try language(options, model)
    let durationMs = samples.count * 1000 / Self.sampleRate
    guard samples.count >= Self.shortest else {
      return Transcription(text: "", language: language ?? "en", durationMs: durationMs)
    }
    let place = try await ComputeScheduler.shared.place(for: .hearing, threads: threads, of: self)
    defer { place.leave() }
    let sound = samples.map { $0.isFinite ? $0 : 0 }
    var texts: [String] = []
    var confidences: [Float?] = []
    for range in Self.cutter.ranges(sound) where range.count >= Self.shortest {
      place.giveWay()
      try Task.checkCancellation()
      let heard: WhisperModel.Heard
      do {
        heard = try model.hear(Array(sound[range]), language: language) {
          place.giveWay()
          return Task.isCancelled
        }
      } catch {
        let reason = error.localizedDescription
        throw SDKException(
          .inferenceFailed, category: .component,
          "The recognizer failed: \(reason)\(reason.hasSuffix(".") ? "" : ".")",
          recoverySuggestion: "If it fails again, download its model anew: \(files.model.id).",
          underlying: error)
      }
      try Task.checkCancellation()
      let text = TranscriptCleaning.clean(heard.text)
      if !text.isEmpty {
        language = heard.language
        texts.append(text)
        confidences.append(heard.confidence)
      }
    }
    let known = confidences.compactMap { $0 }
    let isKnown = !known.isEmpty && known.count == confidences.count
    let confidence = isKnown ? known.reduce(0, +) / Float(known.count) : nil
    return Transcription(
      text: texts.joined(separator: " "), language: language ?? "en", confidence: confidence,
      durationMs: durationMs)
  }

  /// The language to listen for; nil lets a multilingual model find out.
  private func language(_ options: SttOptions, _ model: WhisperModel) throws -> String? {
    guard let tag = options.language?.lowercased(), !tag.isEmpty else { return nil }
    let primary = String(tag.prefix { $0 != "-" && $0 != "_" })
    guard model.knows(primary) else {
      throw SDKException(
        .languageNotSupported, category: .validation,
        model.isEnglishOnly
          ? "The loaded recognizer understands English only, not \(tag)."
          : "The loaded recognizer does not understand \(tag).",
        recoverySuggestion: "Ask for \"en\" or load another model.")
    }
    return primary
  }
}
