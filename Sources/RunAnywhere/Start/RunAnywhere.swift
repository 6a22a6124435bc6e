import VoiceIO

/// The voice agent: models on this machine, and conversations with them.
///
/// ```swift
/// try RunAnywhere.initialize()
/// let session = try await RunAnywhere.voice.createSession(
///   stt: "sherpa-onnx-whisper-tiny.en", llm: "lfm2-350m-q4_k_m", tts: "hibari-heart")
/// ```
public enum RunAnywhere {
  /// Where an app runs.
  public enum Environment: String, Sendable {
    /// On the maker's desk, in a rehearsal, or with users; told in `events` and without other effect.
    case development, staging, production
  }

  private static let environment = Guarded<Environment?>(nil)

  /// The version of this product.
  public static let version = "0.1.0"

  /// Conversations.
  public static let voice = VoiceNamespace()

  /// Makes the product ready. It works offline and without a key.
  ///
  /// Throws `SDKException`: `alreadyInitialized` on a second call, `invalidConfiguration` when
  /// `baseUrl` is no http or https address.
  public static func initialize(
    apiKey: String? = nil, baseUrl: String? = nil, environment chosen: Environment = .production
  ) throws {
    if let baseUrl, !baseUrl.hasPrefix("https://"), !baseUrl.hasPrefix("http://") {
      throw SDKException(
        .invalidConfiguration, category: .configuration, "\"\(baseUrl)\" is no address.",
        recoverySuggestion: "Give one that begins with https://, or leave it out.")
    }
    let isNew = environment.withLock { environment in
      guard environment == nil else { return false }
      environment = chosen
      return true
    }
    guard isNew else {
      throw SDKException(
        .alreadyInitialized, category: .configuration, "RunAnywhere is initialized already.",
        recoverySuggestion: "Call RunAnywhere.reset() first to initialize it anew.")
    }
    SdkEventHub.shared.send(.initialized(chosen))
  }

  /// Whether `initialize` was called.
  public static var isInitialized: Bool { environment.withLock { $0 != nil } }

  /// Closes every session that was created by model ids, unloads the models and forgets the
  /// initialization; `initialize` may be called again.
  public static func reset() async {
    await SessionRoster.shared.closeAll()
    for category in ModelInfo.Category.allCases { await models.unloadAll(category) }
    environment.withLock { $0 = nil }
    SdkEventHub.shared.send(.reset)
  }

  /// What works in this process.
  public static func capabilities() -> Capabilities { .current() }

  /// What happens in the product as a whole; each access is a subscription of its own.
  public static var events: AsyncStream<SdkEvent> { SdkEventHub.shared.subscribe() }

  /// Makes an engine available; one of the same name is replaced.
  public static func register(_ provider: any EngineProvider) {
    EngineRegistry.shared.register(provider)
  }

  static func requireInitialized() throws(SDKException) {
    guard isInitialized else {
      throw SDKException(
        .notInitialized, category: .configuration, "RunAnywhere is not initialized.",
        recoverySuggestion: "Call RunAnywhere.initialize first.")
    }
  }
}
