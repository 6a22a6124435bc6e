import Foundation
import RunAnywhere

/// Luna's voice.
public enum RunAnywhereHibari {
  /// Makes the engine known to `RunAnywhere`.
  public static func register() { RunAnywhere.register(HibariProvider()) }
}

/// Loads the voice "heart": 24 kHz, American English, with phone and word times and pitch.
/// Speeds and pitches outside 0.5...2 are brought into that range.
public struct HibariProvider: EngineProvider {
  /// The provider; `RunAnywhereHibari.register()` makes and registers one.
  public init() {}

  public var name: String { "hibari" }

  public func canLoad(_ model: ModelInfo) -> Bool { model.format == .hibari }

  public func load(_ model: ModelInfo, folder: URL, options: LoadOptions) async throws -> LoadedEngine {
    let voice = HibariVoice(ModelFiles(model, folder: folder))
    try await voice.load()
    return .tts(voice)
  }
}
