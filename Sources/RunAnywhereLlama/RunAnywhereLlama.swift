import Foundation
import RunAnywhere

/// Language models on llama.cpp.
public enum RunAnywhereLlama {
  /// Makes the engine known to `RunAnywhere`.
  public static func register() { RunAnywhere.register(LlamaProvider()) }
}

/// Loads GGUF models.
public struct LlamaProvider: EngineProvider {
  /// The provider; `RunAnywhereLlama.register()` makes and registers one.
  public init() {}

  public var name: String { "llama.cpp" }

  public func canLoad(_ model: ModelInfo) -> Bool { model.format == .gguf }

  public func load(_ model: ModelInfo, folder: URL, options: LoadOptions) async throws -> LoadedEngine {
    #if canImport(CLlama)
      let engine = LlamaEngine(ModelFiles(model, folder: folder), options: options)
      try await engine.load()
      return .llm(engine)
    #else
      throw SDKException(
        .notSupported, category: .configuration, "llama.cpp is not part of this build.",
        recoverySuggestion: "Build with the trait Llama on Linux.")
    #endif
  }
}
