import Foundation
import VoiceIO
import YoobNet
import YoobPack
import YoobWire

/// Brings a character from the CDN or the disk.
struct CharacterLoader: Sendable {
  let cache: PackCache
  let http: any HTTPClient
  let clock: any PacingClock

  /// What a session allows to load.
  struct Access: Sendable {
    var character: String
    var version: String?
    var keys: TrustedKeys
    var cdnBase: String
    var token: @Sendable () -> String?
  }

  /// The pack with every file found right; what is here already is not fetched again.
  ///
  /// Without the network, or without room for a newer one, the newest complete version starts, where none was
  /// asked for by its number.
  func load(
    _ access: Access, progress: @escaping @Sendable (YoobProgress) -> Void,
    poster: @escaping @Sendable (LoadedPack) -> Void
  ) async throws -> LoadedPack {
    guard let sdk = SDKVersion(Yoob.version) else {
      throw YoobError.unsupported("the SDK has no version")
    }
    let request = PackRequest(
      character: access.character, version: access.version, keys: access.keys, sdk: sdk)
    let fetcher = CDNFetcher(base: access.cdnBase, http: http, token: access.token)
    do {
      let pack = try await cache.load(
        request, from: fetcher, retrying: CDNFetcher.retries(clock),
        progress: { done, total in progress(YoobProgress(completedBytes: done, totalBytes: total)) },
        tierReady: { tier, pack in if tier == 0 { poster(pack) } })
      _ = try? await cache.prune()
      return pack
    } catch let fault as FetchFault where fault.isRefusal {
      throw fault.error
    } catch let error as PackError {
      if case .unwritable = error, let pack = await older(access, request) {
        poster(pack)
        return pack
      }
      if case .invalidAssets = YoobError(error),
        let text = CharacterDownloads.located(error, base: access.cdnBase, character: access.character)
      {
        throw YoobError.invalidAssets(text)
      }
      throw YoobError(error)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      if let pack = await older(access, request) {
        poster(pack)
        return pack
      }
      throw (error as? FetchFault)?.error ?? YoobError.network("\(error)")
    }
  }

  /// The newest version that is complete here; nil where one was asked for by its number.
  private func older(_ access: Access, _ request: PackRequest) async -> LoadedPack? {
    guard access.version == nil else { return nil }
    return try? await cache.newestComplete(request)
  }
}
