import Foundation

extension PackBuilder {
  /// Adds a signed pack to a tree as a CDN serves it:
  /// `characters/<id>/<version>.json`, `characters/<id>/latest.json` and `chunks/<sha256>`.
  ///
  /// Chunks come first, `latest.json` last, each whole or not at all, so that a reader never sees a manifest
  /// whose chunks are missing. `latest.json` is only ever moved to a newer version. Publishing the same
  /// version with the same bytes again mends what is missing.
  ///
  /// Throws `PackError.invalidManifest` when the version stands there with other bytes, and what is wrong
  /// with the signature or a file.
  public static func publish(
    _ folder: URL, _ signed: SignedManifest, to tree: URL, trusting keys: TrustedKeys
  ) throws(PackError) {
    let manifest = try signed.open(trusting: keys)
    let characterFolder = tree.appendingPathComponent("characters/\(manifest.character)")
    let versionPath = characterFolder.appendingPathComponent("\(manifest.version).json").path
    let latestPath = characterFolder.appendingPathComponent("latest.json").path
    if let published = try envelope(at: versionPath), published.payload != signed.payload {
      throw .invalidManifest(
        reason: "version \(manifest.version) is published with other content; give it a new version")
    }
    try writeChunks(of: manifest, from: folder, to: tree.appendingPathComponent("chunks"))
    try FileWriting.makeFolder(characterFolder.path)
    try FileWriting.replace(versionPath, with: signed.json)
    // What stands there may be signed with an older key; it only decides which version is newer.
    if let latest = try envelope(at: latestPath), let old = try? latest.unverifiedManifest(),
      let oldVersion = PackVersion(old.version), let version = PackVersion(manifest.version),
      oldVersion > version
    {
      return
    }
    try FileWriting.replace(latestPath, with: signed.json)
  }

  private static func envelope(at path: String) throws(PackError) -> SignedManifest? {
    guard let bytes = try ReadableFile.contents(of: path, limit: PackLimits.envelopeBytes) else { return nil }
    return try SignedManifest(json: bytes)
  }

  private static func writeChunks(
    of manifest: CharacterManifest, from folder: URL, to chunks: URL
  ) throws(PackError) {
    try FileWriting.makeFolder(chunks.path)
    for file in manifest.files {
      let opened = try LocalPack.open(file.path, in: folder)
      let whole = try Hashing.hasher()
      for chunk in file.chunks {
        let bytes = try opened.read(chunk.size)
        guard bytes.count == chunk.size, try Hashing.hex(of: bytes) == chunk.sha256 else {
          throw .wrongHash(path: file.path)
        }
        try Hashing.update(whole, bytes)
        let path = chunks.appendingPathComponent(chunk.sha256).path
        if try ReadableFile.matches(path, size: chunk.size, sha256: chunk.sha256) { continue }
        try FileWriting.replace(path, with: bytes)
      }
      guard try Hashing.hex(whole) == file.sha256, opened.size == file.size else {
        throw .wrongHash(path: file.path)
      }
    }
  }
}
