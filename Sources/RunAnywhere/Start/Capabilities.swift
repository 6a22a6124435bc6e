import Foundation

/// What works in this process, as far as it is known; no promises.
public struct Capabilities: Sendable, Equatable {
  /// Registered engines, such as "llama.cpp".
  public var engines: [String]
  /// Whether sessions without `devices:` have a microphone and a loudspeaker.
  public var hasStandardDevices: Bool
  public var processorCount: Int
  /// Bytes of the machine's memory.
  public var physicalMemory: UInt64
  public var platform: String
}

extension Capabilities {
  static func current() -> Capabilities {
    let machine = ProcessInfo.processInfo
    return Capabilities(
      engines: EngineRegistry.shared.names,
      hasStandardDevices: VoiceDevices.hasStandard,
      processorCount: machine.activeProcessorCount,
      physicalMemory: machine.physicalMemory,
      platform: machine.operatingSystemVersionString)
  }
}
