import Foundation

extension RunAnywhere {
  /// The models of this machine.
  public static var models: Models { Models.shared }
}

/// Finds, loads and removes models.
///
/// ```swift
/// let voice = try await RunAnywhere.models.load("hibari-heart")
/// if case .tts(let engine) = voice.engine { … }
/// ```
public actor Models {
  static let shared = Models(store: .standard, registry: .shared)

  /// Where the files lie.
  public nonisolated let store: ModelStore
  private let registry: EngineRegistry
  private var loads: [String: Load] = [:]

  private struct Load {
    let options: LoadOptions
    let task: Task<LoadedModel, any Error>
    let number: Int
  }
  private var loadCount = 0

  init(store: ModelStore, registry: EngineRegistry) {
    self.store = store
    self.registry = registry
  }

  /// The catalogue's models that `filter` lets through.
  public nonisolated func list(filter: (ModelInfo) -> Bool = { _ in true }) -> [ModelInfo] {
    ModelCatalogue.models.filter(filter)
  }

  /// The model with this id. Throws `modelNotFound` when the catalogue has none.
  public nonisolated func get(_ id: String) throws -> ModelInfo {
    guard let model = ModelCatalogue.model(id) else {
      throw SDKException(
        .modelNotFound, category: .model, "There is no model “\(id)”.",
        recoverySuggestion: "`yoob models list` names those there are.")
    }
    return model
  }

  /// The model itself where its files are, otherwise the default of its category.
  ///
  /// Models that have only a public home cannot be fetched on every machine; this names what stands
  /// in for them. Throws `modelNotFound` for an id that the catalogue has not.
  public nonisolated func available(_ id: String) throws -> ModelInfo {
    let model = try get(id)
    if ModelCatalogue.preparable.contains(id) || store.status(of: model) != .absent { return model }
    return ModelCatalogue.defaultModel(model.category) ?? model
  }

  /// Checks a model's files and loads it; a model that is loaded with the same options is shared.
  ///
  /// - Throws: `SDKException`: `modelNotFound`, `modelStorageCorrupted` or `checksumMismatch` for
  ///   its files, `modelIncompatible` when no registered engine loads it, and what the engine throws.
  public func load(_ id: String, _ options: LoadOptions = LoadOptions()) async throws -> LoadedModel {
    let model = try get(id)
    if let load = loads[id], load.options == options { return try await load.task.value }
    guard let provider = registry.provider(for: model) else {
      throw SDKException(
        .modelIncompatible, category: .component, "No engine here loads \(model.name) (\(id)).",
        recoverySuggestion: "Register the engine's provider with RunAnywhere.register first.")
    }
    let store = store
    let task = Task {
      let clock = ContinuousClock()
      let start = clock.now
      let folder = try store.checkedFolder(of: model)
      let engine = try await provider.load(model, folder: folder, options: options)
      let spent = (clock.now - start).components
      return LoadedModel(
        info: model, backend: provider.name,
        loadMs: Double(spent.seconds) * 1000 + Double(spent.attoseconds) / 1e15, engine: engine)
    }
    loadCount += 1
    let number = loadCount
    loads[id] = Load(options: options, task: task, number: number)
    do {
      return try await task.value
    } catch {
      if loads[id]?.number == number { loads[id] = nil }
      throw error
    }
  }

  /// Lets go of a loaded model; its memory is freed when nobody uses it any more.
  public func unload(_ id: String) {
    loads[id] = nil
  }

  /// Lets go of every loaded model of a category.
  public func unloadAll(_ category: ModelInfo.Category) {
    for id in loads.keys where ModelCatalogue.model(id)?.category == category { loads[id] = nil }
  }

  /// What is in memory and on the disk. Waits for loads that are under way.
  public func state() async -> ModelsState {
    var loaded: [LoadedModel] = []
    for load in loads.values {
      if let model = try? await load.task.value { loaded.append(model) }
    }
    return ModelsState(
      loaded: loaded.sorted { $0.id < $1.id },
      storageUsed: ModelCatalogue.models.reduce(0) { $0 + store.bytesUsed(by: $1) },
      storageFree: store.bytesFree)
  }

  /// Unloads a model and removes its files.
  public func delete(_ id: String) throws {
    let model = try get(id)
    loads[id] = nil
    try store.remove(model)
  }
}
