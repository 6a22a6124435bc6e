import Foundation
import YoobCrypto

/// Makes a pack of a folder: its manifest with hashes and chunks, and the tree that a CDN serves.
///
/// ```swift
/// let manifest = try PackBuilder.build(folder)
/// let signed = try key.sign(manifest: manifest.json)
/// try PackBuilder.publish(folder, signed, to: tree, trusting: [key.id: key.privateKey.publicKey])
/// ```
public enum PackBuilder {
  /// Bytes of the chunks that files are cut into: 1 MiB.
  public static let chunkBytes = 1 << 20

  /// The manifest of a folder whose `character.json` describes it.
  ///
  /// The description has the fields of a manifest; `files` may be left out, or give only `path` and `tier`.
  /// Files that it lists come first, in its order and with its tiers; every other file of the folder
  /// follows, in order of its path. Left out are the manifests and names that begin with a dot.
  /// A file without a tier gets 0 for the poster and for the two pictures that may stand beside it
  /// (`scene.jpg`, `figure.png`), 1 for idle frames, else 2.
  ///
  /// Throws `PackError.missingFile` for a listed file that is not there, `.invalidManifest` for a link that
  /// leaves the folder and for every rule that the result would break.
  public static func build(_ folder: URL) throws(PackError) -> CharacterManifest {
    let description = try description(in: folder)
    let listed = description.files ?? []
    let names = Set(listed.map(\.path))
    var entries = listed.map { ($0.path, $0.tier) }
    for path in try FolderListing.files(in: folder) where !names.contains(path) {
      entries.append((path, nil))
    }
    guard entries.count <= PackLimits.files else {
      throw .invalidManifest(reason: "\(entries.count) files; 1 to \(PackLimits.files) are accepted")
    }
    let idleFrames = Set(description.idle?.frames ?? [])
    let stills: Set = [description.poster, "scene.jpg", "figure.png"]
    var files: [CharacterManifest.File] = []
    for (path, tier) in entries {
      if let fault = PackPath.fault(in: path) { throw .invalidManifest(reason: fault) }
      let usual = stills.contains(path) ? 0 : idleFrames.contains(path) ? 1 : 2
      files.append(try file(path, in: folder, tier: tier ?? usual))
    }
    let manifest = description.manifest(with: files)
    try manifest.validate()
    guard manifest.json.count <= PackLimits.manifestBytes else {
      throw .invalidManifest(reason: "it is larger than 4 MiB")
    }
    return manifest
  }

  /// Writes a manifest as the folder's `character.json`, whole or not at all.
  ///
  /// Removes a `character.signed.json` whose signature was over another manifest.
  public static func write(_ manifest: CharacterManifest, to folder: URL) throws(PackError) {
    try FileWriting.makeFolder(folder.path)
    let bytes = manifest.json
    try FileWriting.replace(folder.appendingPathComponent(LocalPack.manifestName).path, with: bytes)
    let signedPath = folder.appendingPathComponent(LocalPack.signedManifestName).path
    guard let old = try? ReadableFile.contents(of: signedPath, limit: PackLimits.envelopeBytes),
      (try? SignedManifest(json: old))?.payload != bytes
    else { return }
    guard unlink(signedPath) == 0 else { throw FileWriting.fault(signedPath) }
  }

  /// Copies the files of a manifest from one folder to another, each read back by its hash.
  public static func copy(
    _ manifest: CharacterManifest, from source: URL, to folder: URL
  ) throws(PackError) {
    let pack = LocalPack(folder: source, manifest: manifest, signed: nil)
    for file in manifest.files {
      let target = folder.appendingPathComponent(file.path)
      try FileWriting.makeFolder(target.deletingLastPathComponent().path)
      try FileWriting.replace(target.path, with: pack.read(file.path))
    }
  }

  /// Signs a folder's `character.json`, byte for byte, into `character.signed.json`, after every file
  /// was found right.
  @discardableResult
  public static func sign(_ folder: URL, with key: SigningKey) throws(PackError) -> SignedManifest {
    let path = folder.appendingPathComponent(LocalPack.manifestName).path
    guard let bytes = try ReadableFile.contents(of: path, limit: PackLimits.manifestBytes) else {
      throw .unreadable(path: path)
    }
    let signed = try key.sign(manifest: bytes)
    try LocalPack(folder: folder, manifest: CharacterManifest(json: bytes), signed: signed).verify()
    try FileWriting.replace(
      folder.appendingPathComponent(LocalPack.signedManifestName).path, with: signed.json)
    return signed
  }

  private static func description(in folder: URL) throws(PackError) -> PackDescription {
    let path = folder.appendingPathComponent(LocalPack.manifestName).path
    let file: ReadableFile
    do throws(PackError) {
      file = try LocalPack.open(LocalPack.manifestName, in: folder)
    } catch { throw .unreadable(path: path) }
    guard file.size <= PackLimits.manifestBytes else {
      throw .invalidManifest(reason: "it is larger than 4 MiB")
    }
    switch JSONReading.decode(PackDescription.self, from: try file.read(PackLimits.manifestBytes + 1)) {
    case .failure(let fault): throw .invalidManifest(reason: fault.reason)
    case .success(let description): return description
    }
  }

  private static func file(
    _ path: String, in folder: URL, tier: Int
  ) throws(PackError) -> CharacterManifest.File {
    let opened = try LocalPack.open(path, in: folder)
    guard opened.size <= PackLimits.bytes else {
      throw .invalidManifest(reason: "more than \(PackLimits.bytes >> 20) MiB in all")
    }
    let whole = try Hashing.hasher()
    var chunks: [CharacterManifest.File.Chunk] = []
    var size = 0
    while size <= PackLimits.bytes {
      let bytes = try opened.read(chunkBytes)
      if bytes.isEmpty { break }
      try Hashing.update(whole, bytes)
      chunks.append(.init(sha256: try Hashing.hex(of: bytes), size: bytes.count))
      size += bytes.count
    }
    return .init(path: path, size: size, sha256: try Hashing.hex(whole), tier: tier, chunks: chunks)
  }
}
