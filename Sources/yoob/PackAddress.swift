import Foundation
import Yoob
import YoobPack

/// Where a published character is, as `yoob pack` is told it.
struct PackAddress: Equatable {
  /// The server, to which `/v1/characters/…` belongs.
  let base: String
  let character: String
  /// Nil for the latest.
  let version: String?

  private static let middle = "/v1/characters/"

  /// Whether a word is an address rather than a folder.
  static func isAddress(_ word: String) -> Bool { word.contains("://") }

  /// Reads `https://HOST/v1/characters/ID`, with `/VERSION` or `/latest` and `.json` or without.
  init(_ text: String) throws {
    let fault = UsageError(
      "\(text) is not the address of a character: https://HOST/v1/characters/ID, or …/ID/VERSION.json.")
    guard let place = text.range(of: Self.middle), !text.contains("?"), !text.contains("#") else {
      throw fault
    }
    var parts = text[place.upperBound...].split(separator: "/", omittingEmptySubsequences: false).map(
      String.init)
    if parts.count > 1, parts.last == "" { parts.removeLast() }
    guard (1...2).contains(parts.count), CharacterManifest.isCharacterID(parts[0]) else { throw fault }
    var version = parts.count == 2 ? parts[1] : "latest"
    if version.hasSuffix(".json") { version.removeLast(".json".count) }
    guard version == "latest" || PackVersion(version) != nil else { throw fault }
    base = String(text[..<place.lowerBound])
    character = parts[0]
    self.version = version == "latest" ? nil : version
  }

  /// Fetches from there, with the token in YOOB_DOWNLOAD_TOKEN when it is set.
  var fetcher: any PackFetching {
    CharacterDownloads.fetcher(base: base, token: ProcessInfo.processInfo.environment["YOOB_DOWNLOAD_TOKEN"])
  }

  /// What the server says, unchecked.
  func manifest() async throws -> (manifest: CharacterManifest, keyID: String) {
    try await reading {
      let signed = try SignedManifest(
        json: try await fetcher.manifest(character: character, version: version))
      return (try CharacterManifest(json: signed.payload), signed.keyID)
    }
  }

  /// Fetches what `cache` lacks of the character; every file of the result was found right.
  func load(
    into cache: PackCache, trusting keys: TrustedKeys,
    progress: @escaping @Sendable (_ completed: Int, _ total: Int) -> Void
  ) async throws -> LoadedPack {
    guard let sdk = SDKVersion(Yoob.version) else { throw FileFault("This program has no version.") }
    let request = PackRequest(character: character, version: version, keys: keys, sdk: sdk)
    return try await reading {
      try await cache.load(request, from: fetcher, retrying: CharacterDownloads.retries, progress: progress)
    }
  }

  /// Says what went wrong, and at which address.
  private func reading<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch {
      guard let text = CharacterDownloads.explanation(of: error, base: base, character: character) else {
        throw error
      }
      throw FileFault(text)
    }
  }
}
