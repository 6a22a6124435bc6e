import YoobNet
import YoobPack

/// Downloads for tools that have no avatar.
package enum CharacterDownloads {
  /// Fetches from the CDN at `base` with one token for all.
  package static func fetcher(base: String, token: String?) -> any PackFetching {
    CDNFetcher(base: base, http: SystemHTTPClient(), token: { token })
  }
}
