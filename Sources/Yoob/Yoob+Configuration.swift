import Foundation
import VoiceIO
import YoobPack

extension Yoob {
  /// Where the SDK finds its services, and what it trusts.
  struct Settings: Sendable {
    /// Keys that may sign characters; nil trusts those of each session.
    var trustedKeys: [String: String]?
    var apiBase = "http://127.0.0.1:8787"
    var cdnBase = "http://127.0.0.1:8787"
    /// Hosts that voice sessions may name; nil is the host of the API.
    var voiceHosts: [String]?
    var cacheFolder = Yoob.defaultCacheFolder
  }
  static let settings = Guarded(Settings())
  private static let caches = Guarded<[String: PackCache]>([:])

  /// Sets what a session does not say. Call it before the first avatar is made; nil keeps what is set.
  ///
  /// - Parameters:
  ///   - trustedKeys: Public keys by their ids, in base64. They alone may sign characters then; without
  ///     them a session's own keys count.
  ///   - apiBase: Where sessions are kept alive, `https`, or `http` on this machine.
  ///   - cdnBase: Where characters are downloaded.
  ///   - voiceHosts: Hosts that voice sessions may name; `*.example.org` stands for subdomains.
  ///   - cacheFolder: Where characters are kept.
  public static func configure(
    trustedKeys: [String: String]? = nil, apiBase: String? = nil, cdnBase: String? = nil,
    voiceHosts: [String]? = nil, cacheFolder: URL? = nil
  ) {
    settings.withLock { settings in
      settings.trustedKeys = trustedKeys ?? settings.trustedKeys
      settings.apiBase = apiBase ?? settings.apiBase
      settings.cdnBase = cdnBase ?? settings.cdnBase
      settings.voiceHosts = voiceHosts ?? settings.voiceHosts
      settings.cacheFolder = cacheFolder ?? settings.cacheFolder
    }
  }

  /// Removes the characters on this machine's disk, except those that are shown now.
  ///
  /// Throws `YoobError.renderer` while another program is loading one.
  public static func clearCache() async throws {
    do { try await cache.clear() } catch let error as PackError { throw YoobError(error) }
  }

  /// The characters on this machine's disk, shared by all avatars.
  static var cache: PackCache { cache(settings.withLock { $0.cacheFolder }) }

  static func cache(_ folder: URL) -> PackCache {
    caches.withLock { caches in
      if let cache = caches[folder.path] { return cache }
      let cache = PackCache(folder: folder)
      caches[folder.path] = cache
      return cache
    }
  }

  private static var defaultCacheFolder: URL {
    #if canImport(Darwin)
      let base =
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        ?? FileManager.default.temporaryDirectory
      return base.appendingPathComponent("Yoob/characters")
    #else
      let environment = ProcessInfo.processInfo.environment
      if let home = environment["YOOB_HOME"], !home.isEmpty {
        return URL(fileURLWithPath: home).appendingPathComponent("characters")
      }
      return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache/yoob/characters")
    #endif
  }
}
