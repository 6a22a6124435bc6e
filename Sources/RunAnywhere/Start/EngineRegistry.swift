import Foundation

/// The engines that this process can load models with.
final class EngineRegistry: Sendable {
  static let shared = EngineRegistry()
  private let lock = NSLock()
  nonisolated(unsafe) private var providers: [any EngineProvider] = []  // guarded by `lock`

  func register(_ provider: any EngineProvider) {
    lock.withLock {
      providers.removeAll { $0.name == provider.name }
      providers.append(provider)
    }
  }

  func provider(for model: ModelInfo) -> (any EngineProvider)? {
    lock.withLock { providers.last { $0.canLoad(model) } }
  }

  var names: [String] { lock.withLock { providers.map(\.name) } }
}
