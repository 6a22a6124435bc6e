import VoiceIO
import YoobNet
import YoobPack

/// Downloads for tools that have no avatar.
package enum CharacterDownloads {
  /// Fetches from the CDN at `base` with one token for all.
  package static func fetcher(base: String, token: String?) -> any PackFetching {
    CDNFetcher(base: base, http: SystemHTTPClient(), token: { token })
  }

  /// Four attempts at each file, with pauses between; what the server refuses is final.
  package static var retries: RetryPolicy { CDNFetcher.retries(MonotonicClock()) }

  /// What a server's refusal means; nil for other errors.
  package static func meaning(of error: any Error) -> YoobError? { (error as? CDNFetcher.Refusal)?.error }
}
