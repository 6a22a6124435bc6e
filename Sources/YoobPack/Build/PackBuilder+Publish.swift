import Foundation

extension PackBuilder {
  /// Adds a signed pack to a tree as a CDN serves it:
  /// `characters/<id>/<version>.json`, `characters/<id>/latest.json` and `chunks/<sha256>`.
  ///
  /// Chunks come first, `latest.json` last, each whole or not at all, so that a reader never sees a manifest
  /// whose chunks are missing. `latest.json` is only ever moved to a newer version. Publishing the same
  /// version with the same bytes again mends what is missing, and writes nothing else. Files that a killed
  /// publication left half written an hour ago or earlier are removed.
  ///
  /// Throws `PackError.invalidManifest` when the version stands there with other bytes, and what is wrong
  /// with the signature or a file.
  @discardableResult
  public static func publish(
    _ folder: URL, _ signed: SignedManifest, to tree: URL, trusting keys: TrustedKeys
  ) throws(PackError) -> PublishReport {
    let manifest = try signed.open(trusting: keys)
    let place = "characters/\(manifest.character)"
    let version = "\(place)/\(manifest.version).json"
    let latest = "\(place)/latest.json"
    if let published = try envelope(at: tree.appendingPathComponent(version).path),
      published.payload != signed.payload
    {
      throw .invalidManifest(
        reason: "version \(manifest.version) is published with other content; give it a new version")
    }
    var report = PublishReport()
    let chunks = tree.appendingPathComponent("chunks")
    try writeChunks(of: manifest, from: folder, to: chunks, &report)
    try FileWriting.makeFolder(tree.appendingPathComponent(place).path)
    for folder in [chunks, tree.appendingPathComponent(place)] { FileWriting.sweep(folder.path) }
    try write(signed, to: version, in: tree, &report)
    // What stands there may be signed with an older key; it only decides which version is newer.
    if let old = try envelope(at: tree.appendingPathComponent(latest).path),
      let oldManifest = try? old.unverifiedManifest(), let oldVersion = PackVersion(oldManifest.version),
      let newVersion = PackVersion(manifest.version), oldVersion > newVersion
    {
      report.newerLatest = oldVersion
    } else {
      try write(signed, to: latest, in: tree, &report)
    }
    return report
  }

  private static func write(
    _ signed: SignedManifest, to path: String, in tree: URL, _ report: inout PublishReport
  ) throws(PackError) {
    let file = tree.appendingPathComponent(path).path
    let bytes = signed.json
    guard try ReadableFile.contents(of: file, limit: PackLimits.envelopeBytes) != bytes else {
      report.presentManifests.append(path)
      return
    }
    try FileWriting.replace(file, with: bytes)
    report.writtenManifests.append(path)
  }

  private static func envelope(at path: String) throws(PackError) -> SignedManifest? {
    guard let bytes = try ReadableFile.contents(of: path, limit: PackLimits.envelopeBytes) else { return nil }
    return try SignedManifest(json: bytes)
  }

  private static func writeChunks(
    of manifest: CharacterManifest, from folder: URL, to chunks: URL, _ report: inout PublishReport
  ) throws(PackError) {
    try FileWriting.makeFolder(chunks.path)
    var seen = Set<String>()
    for file in manifest.files {
      let opened = try LocalPack.open(file.path, in: folder)
      let whole = try Hashing.hasher()
      for chunk in file.chunks {
        let bytes = try opened.read(chunk.size)
        guard bytes.count == chunk.size, try Hashing.hex(of: bytes) == chunk.sha256 else {
          throw .wrongHash(path: file.path)
        }
        try Hashing.update(whole, bytes)
        guard seen.insert(chunk.sha256).inserted else { continue }
        let path = chunks.appendingPathComponent(chunk.sha256).path
        if try ReadableFile.matches(path, size: chunk.size, sha256: chunk.sha256) {
          report.presentChunks.append("chunks/\(chunk.sha256)")
        } else {
          try FileWriting.replace(path, with: bytes)
          report.writtenChunks.append("chunks/\(chunk.sha256)")
        }
      }
      guard try Hashing.hex(whole) == file.sha256, opened.size == file.size else {
        throw .wrongHash(path: file.path)
      }
    }
  }
}
