import Foundation

/// What works in this process, as far as it is known; no promises.
public struct Capabilities: Sendable, Equatable {
  /// Registered engines, such as "llama.cpp".
  public var engines: [String]
  /// Whether sessions without `devices:` have a microphone and a loudspeaker.
  public var hasStandardDevices: Bool
  /// Whether the end of a turn is heard from the sound too: an engine for the turn detector is
  /// registered and its model is here. Otherwise the words alone tell.
  public var hasTurnDetector: Bool
  /// Processors that are at work.
  public var processorCount: Int
  /// Bytes of the machine's memory.
  public var physicalMemory: UInt64
  /// The operating system and its version.
  public var platform: String
}

extension Capabilities {
  static func current() -> Capabilities {
    let machine = ProcessInfo.processInfo
    return Capabilities(
      engines: EngineRegistry.shared.names,
      hasStandardDevices: VoiceDevices.hasStandard,
      hasTurnDetector: hasTurnDetector(EngineRegistry.shared, ModelStore.standard),
      processorCount: machine.activeProcessorCount,
      physicalMemory: machine.physicalMemory,
      platform: machine.operatingSystemVersionString)
  }

  static func hasTurnDetector(_ registry: EngineRegistry, _ store: ModelStore) -> Bool {
    guard let model = ModelCatalogue.model(VoiceEngines.turnModel) else { return false }
    return registry.provider(for: model) != nil && store.status(of: model) == .ready
  }
}
