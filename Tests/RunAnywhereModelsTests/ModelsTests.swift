import Foundation
import Testing

@testable import RunAnywhere

@Suite("RunAnywhere.models")
struct ModelsTests {
  let temporary: TemporaryStore
  let registry = EngineRegistry()
  let models: Models

  init() throws {
    temporary = try TemporaryStore()
    models = Models(store: temporary.store, registry: registry)
  }

  private func code(_ work: () async throws -> Void) async -> SDKException.Code? {
    do {
      try await work()
      return nil
    } catch {
      return (error as? SDKException)?.code
    }
  }

  /// Puts a stand-in for the files of a model that has no pinned hash.
  private func placeLFM() throws {
    try temporary.write("weights", to: "LFM2-350M-Q4_K_M.gguf", of: models.get("lfm2-350m-q4_k_m"))
  }

  @Test("an unknown id is modelNotFound")
  func unknown() async {
    #expect(await code { _ = try await models.load("no-such-model") } == .modelNotFound)
  }

  @Test("a model without an engine is modelIncompatible")
  func noEngine() async {
    #expect(await code { _ = try await models.load("silero-vad") } == .modelIncompatible)
  }

  @Test("a model without files is modelNotFound, and a later load tries again")
  func noFiles() async throws {
    registry.register(CountingProvider())
    #expect(await code { _ = try await models.load("lfm2-350m-q4_k_m") } == .modelNotFound)
    try placeLFM()
    #expect(await code { _ = try await models.load("lfm2-350m-q4_k_m") } == nil)
  }

  @Test("loads at the same time share one engine")
  func shared() async throws {
    let provider = CountingProvider()
    registry.register(provider)
    try placeLFM()
    let models = models
    async let first = models.load("lfm2-350m-q4_k_m")
    async let second = models.load("lfm2-350m-q4_k_m")
    #expect(try await [first.backend, second.backend] == ["counting", "counting"])
    #expect(provider.count == 1)
  }

  @Test("other options load anew")
  func otherOptions() async throws {
    let provider = CountingProvider()
    registry.register(provider)
    try placeLFM()
    _ = try await models.load("lfm2-350m-q4_k_m")
    var options = LoadOptions()
    options.threads = 3
    _ = try await models.load("lfm2-350m-q4_k_m", options)
    #expect(provider.count == 2)
  }

  @Test("an unloaded model is no longer listed as loaded")
  func unload() async throws {
    registry.register(CountingProvider())
    try placeLFM()
    _ = try await models.load("lfm2-350m-q4_k_m")
    #expect(await models.state().loaded.map(\.id) == ["lfm2-350m-q4_k_m"])
    await models.unload("lfm2-350m-q4_k_m")
    #expect(await models.state().loaded.isEmpty)
  }

  @Test("a deleted model has no files")
  func delete() async throws {
    try placeLFM()
    #expect(await models.state().storageUsed == 7)
    try await models.delete("lfm2-350m-q4_k_m")
    #expect(await models.state().storageUsed == 0)
  }

  @Test("the default of the category stands in for a model that only its public home has")
  func standIn() throws {
    #expect(try models.available("lfm2-350m-q4_k_m").id == "smollm2-135m-instruct-q4_1")
    #expect(try models.available("vits-piper-en_US-lessac-medium").id == "hibari-heart")
    #expect(try models.available("whisper-base").id == "whisper-base")
    try placeLFM()
    #expect(try models.available("lfm2-350m-q4_k_m").id == "lfm2-350m-q4_k_m")
  }

  @Test("a download of an unknown id fails with modelNotFound")
  func unknownDownload() async {
    #expect(await code { for try await _ in models.download("no-such-model") {} } == .modelNotFound)
  }

  @Test("a download of a model with only a public home says where to put its files")
  func publicHome() async throws {
    var failure: SDKException?
    do {
      for try await event in models.download("lfm2-350m-q4_k_m") {
        if case .failed(let error) = event { failure = error }
      }
    } catch {
      #expect((error as? SDKException)?.code == .serviceNotAvailable)
    }
    #expect(failure?.errorDescription?.contains(temporary.root.path) == true)
  }

  @Test("a download of a model that is there completes at once")
  func alreadyThere() async throws {
    try placeLFM()
    var kinds: [String] = []
    for try await event in models.download("lfm2-350m-q4_k_m") {
      switch event {
      case .started: kinds.append("started")
      case .verifying: kinds.append("verifying")
      case .completed(let model): kinds.append("completed \(model.id)")
      default: kinds.append("other")
      }
    }
    #expect(kinds == ["started", "verifying", "completed lfm2-350m-q4_k_m"])
  }
}

/// Counts what it loads.
private final class CountingProvider: EngineProvider {
  let name = "counting"
  private let lock = NSLock()
  nonisolated(unsafe) private var loads = 0  // guarded by `lock`
  var count: Int { lock.withLock { loads } }

  func canLoad(_ model: ModelInfo) -> Bool { model.format == .gguf }

  func load(_ model: ModelInfo, folder: URL, options: LoadOptions) async throws -> LoadedEngine {
    lock.withLock { loads += 1 }
    return .llm(SilentModel())
  }
}

private struct SilentModel: LlmEngine {
  func generate(
    _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
  ) async throws -> GenerationResult {
    GenerationResult(text: "")
  }
}
