import VoiceIO

/// The engines that this process can load models with.
final class EngineRegistry: Sendable {
  static let shared = EngineRegistry()
  private let providers = Guarded<[any EngineProvider]>([])

  func register(_ provider: any EngineProvider) {
    providers.withLock { providers in
      providers.removeAll { $0.name == provider.name }
      providers.append(provider)
    }
  }

  func provider(for model: ModelInfo) -> (any EngineProvider)? {
    providers.withLock { $0.last { $0.canLoad(model) } }
  }

  var names: [String] { providers.withLock { $0.map(\.name) } }
}
