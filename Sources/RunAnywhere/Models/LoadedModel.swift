/// A model in memory.
public struct LoadedModel: Sendable, Identifiable {
  /// Which model.
  public var info: ModelInfo
  /// What runs it, such as "llama.cpp".
  public var backend: String
  /// Where it runs.
  public var device: String
  /// Milliseconds that checking and loading took.
  public var loadMs: Double
  /// What it does, ready for use.
  public var engine: LoadedEngine

  public var id: String { info.id }

  /// A model in memory, as an engine's provider makes it.
  public init(
    info: ModelInfo, backend: String, device: String = "CPU", loadMs: Double = 0, engine: LoadedEngine
  ) {
    self.info = info
    self.backend = backend
    self.device = device
    self.loadMs = loadMs
    self.engine = engine
  }
}

/// What is in memory and on the disk.
public struct ModelsState: Sendable {
  /// Sorted by id.
  public var loaded: [LoadedModel]
  /// Bytes of all models of the catalogue on the disk.
  public var storageUsed: Int
  /// Bytes free on that disk; nil when the system does not say.
  public var storageFree: Int?

  /// A state of these numbers.
  public init(loaded: [LoadedModel], storageUsed: Int, storageFree: Int?) {
    self.loaded = loaded
    self.storageUsed = storageUsed
    self.storageFree = storageFree
  }
}
