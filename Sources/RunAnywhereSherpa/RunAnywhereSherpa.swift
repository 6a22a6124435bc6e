import Foundation
import RunAnywhere
import RunAnywhereOnnx

/// Voice activity and turn detection and speech recognition on onnxruntime, from models of sherpa-onnx's form.
public enum RunAnywhereSherpa {
  /// Makes the engines known to `RunAnywhere`.
  public static func register() { RunAnywhere.register(SherpaProvider()) }
}

/// Loads Silero VAD, Smart Turn and Whisper models.
public struct SherpaProvider: EngineProvider {
  /// The provider; `RunAnywhereSherpa.register()` makes and registers one.
  public init() {}

  public var name: String { "onnxruntime" }

  public func canLoad(_ model: ModelInfo) -> Bool {
    [.sileroOnnx, .smartTurn, .whisperOnnx].contains(model.format)
  }

  public func load(_ model: ModelInfo, folder: URL, options: LoadOptions) async throws -> LoadedEngine {
    let files = ModelFiles(model, folder: folder)
    switch model.format {
    case .sileroOnnx: return .vad(try SileroVad(files))
    case .smartTurn: return .turn(try SmartTurn(files))
    case .whisperOnnx:
      let recognizer = WhisperRecognizer(files, options: options)
      try await recognizer.load()
      return .stt(recognizer)
    default:
      throw SDKException(
        .modelIncompatible, category: .model,
        "onnxruntime does not load models of the format \(model.format.rawValue).",
        recoverySuggestion: "Choose a model whose format is sileroOnnx, smartTurn or whisperOnnx.")
    }
  }
}
