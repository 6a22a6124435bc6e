import VoiceIO

/// Brings the model of an id into memory.
package protocol EngineLoading: Sendable {
  /// Throws `SDKException`, as `Models.load` does.
  func loadEngine(_ id: String, downloadIfNeeded: Bool) async throws -> LoadedEngine
}

extension RunAnywhere {
  private static let loader = Guarded<any EngineLoading>(Models.shared)

  /// Replaces what `createSession` loads models with; nil is `models`.
  package static func setEngineLoader(_ new: (any EngineLoading)?) {
    loader.withLock { $0 = new ?? Models.shared }
  }

  static func loadEngine(_ id: String, downloadIfNeeded: Bool) async throws -> LoadedEngine {
    try await loader.withLock { $0 }.loadEngine(id, downloadIfNeeded: downloadIfNeeded)
  }
}

extension Models: EngineLoading {
  /// With `downloadIfNeeded`, a model that cannot be fetched on this machine is replaced by the
  /// default of its category, as `available` says, and one that is missing is fetched.
  package nonisolated func loadEngine(
    _ id: String, downloadIfNeeded: Bool
  ) async throws -> LoadedEngine {
    guard downloadIfNeeded else { return try await load(id).engine }
    let model = try available(id)
    if model.id != id { SdkEventHub.shared.send(.modelSubstituted(asked: id, used: model.id)) }
    if store.status(of: model) == .absent {
      for try await _ in download(model.id) {}
    }
    return try await load(model.id).engine
  }
}
