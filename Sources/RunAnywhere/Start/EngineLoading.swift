import VoiceIO

/// Brings the model of an id into memory.
package protocol EngineLoading: Sendable {
  /// Throws `SDKException`: `modelNotFound`, `modelLoadFailed`, and with `downloadIfNeeded: false`
  /// `modelNotLoaded` when its files are not there.
  func loadEngine(_ id: String, downloadIfNeeded: Bool) async throws -> LoadedEngine
}

extension RunAnywhere {
  private static let loader = Guarded<(any EngineLoading)?>(nil)

  /// What `createSession` loads models with.
  package static func setEngineLoader(_ new: (any EngineLoading)?) { loader.withLock { $0 = new } }

  static func loadEngine(_ id: String, downloadIfNeeded: Bool) async throws -> LoadedEngine {
    guard let loader = loader.withLock({ $0 }) else {
      throw SDKException(
        .modelNotFound, category: .model, "No models are registered, \"\(id)\" among them.",
        recoverySuggestion: "Register an engine with RunAnywhere.register first.")
    }
    return try await loader.loadEngine(id, downloadIfNeeded: downloadIfNeeded)
  }
}
