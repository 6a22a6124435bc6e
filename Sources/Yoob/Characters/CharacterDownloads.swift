import VoiceIO
import YoobNet
import YoobPack

/// Downloads for tools that have no avatar.
package enum CharacterDownloads {
  /// Fetches from the CDN at `base` with one token for all.
  package static func fetcher(base: String, token: String?) -> any PackFetching {
    CDNFetcher(base: base, http: SystemHTTPClient(), token: { token })
  }

  /// Four attempts at each file, with pauses between; what another attempt would find again is final.
  package static var retries: RetryPolicy { CDNFetcher.retries(MonotonicClock()) }

  /// What went wrong with a download, with the address where it did; nil for errors that no server made.
  package static func explanation(of error: any Error, base: String, character: String) -> String? {
    if let fault = error as? FetchFault {
      guard let status = fault.status, [401, 402, 403].contains(status) else { return fault.description }
      return "\(fault.address): \(fault.error.localizedDescription)"
    }
    guard let error = error as? PackError else { return nil }
    return located(error, base: base, character: character)
  }

  /// The words for an error of a pack that a server sent, with the address; nil for faults of this machine.
  static func located(_ error: PackError, base: String, character: String) -> String? {
    let words = error.errorDescription ?? "\(error)"
    switch error {
    case .wrongChunk(let sha256, _): return "\(base)/v1/chunks/\(sha256): \(words)"
    case .invalidManifest, .invalidEnvelope, .unknownKey, .wrongSignature, .otherPack, .downgrade, .wrongHash,
      .unsupported:
      return "\(base)/v1/characters/\(character): \(words)"
    default: return nil
    }
  }
}
