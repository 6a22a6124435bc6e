import Foundation
import YoobCrypto

/// A character in a folder on this machine.
///
/// ```swift
/// let pack = try LocalPack.open(folder)
/// let puppet = try pack.read("puppet.bin")
/// ```
public struct LocalPack: CharacterPack {
  /// The folder that holds `character.json` or `character.signed.json`.
  public let folder: URL
  public let manifest: CharacterManifest
  /// The envelope whose signature was found right; nil for an unsigned pack.
  public let signed: SignedManifest?

  /// Name of an unsigned manifest.
  public static let manifestName = "character.json"
  /// Name of a signed one: the envelope that a CDN serves, unchanged.
  public static let signedManifestName = "character.signed.json"
  /// Largest manifest that is read: 4 MiB.
  public static let maxManifestBytes = PackLimits.manifestBytes

  /// Reads and checks the manifest; the files are checked when they are read.
  ///
  /// A folder with `character.signed.json` is opened by that alone: its signature must be by one of `keys`.
  /// A folder with only `character.json` is opened unsigned: whoever ships the files vouches for them.
  ///
  /// Throws `PackError.keyNeeded` for a signed pack when there are no keys, `.unknownKey` when the one it
  /// names is not among them, and what is wrong with the manifest.
  public static func open(_ folder: URL, trusting keys: TrustedKeys = [:]) throws(PackError) -> LocalPack {
    if let bytes = try manifestBytes(signedManifestName, in: folder, limit: PackLimits.envelopeBytes) {
      let signed = try SignedManifest(json: bytes)
      guard !keys.isEmpty else { throw .keyNeeded(id: signed.keyID) }
      return LocalPack(folder: folder, manifest: try signed.open(trusting: keys), signed: signed)
    }
    let path = folder.appendingPathComponent(manifestName).path
    guard let bytes = try manifestBytes(manifestName, in: folder, limit: PackLimits.manifestBytes) else {
      throw .unreadable(path: path)
    }
    return LocalPack(folder: folder, manifest: try CharacterManifest(json: bytes), signed: nil)
  }

  /// What a folder says about itself, and the id of the key it says it is signed with: to show, not to use.
  package static func inspect(_ folder: URL) throws(PackError) -> (CharacterManifest, keyID: String?) {
    if let bytes = try manifestBytes(signedManifestName, in: folder, limit: PackLimits.envelopeBytes) {
      let signed = try SignedManifest(json: bytes)
      return (try signed.unverifiedManifest(), signed.keyID)
    }
    return (try open(folder).manifest, nil)
  }

  /// The bytes of one file, after its size and SHA-256 were found right.
  public func read(_ path: String) throws(PackError) -> [UInt8] {
    guard let file = manifest.files.first(where: { $0.path == path }) else {
      throw .missingFile(path: path)
    }
    let opened = try Self.open(path, in: folder)
    guard opened.size == file.size else {
      throw .wrongSize(path: path, expected: file.size, found: opened.size)
    }
    let bytes = try opened.read(file.size + 1)
    guard bytes.count == file.size else {
      throw .wrongSize(path: path, expected: file.size, found: bytes.count)
    }
    guard try Hashing.hex(of: bytes) == file.sha256 else { throw .wrongHash(path: path) }
    return bytes
  }

  /// Reads every file once, a chunk at a time; throws for the first that is missing or damaged.
  public func verify() throws(PackError) {
    for file in manifest.files { try verify(file) }
  }

  private func verify(_ file: CharacterManifest.File) throws(PackError) {
    let opened = try Self.open(file.path, in: folder)
    guard opened.size == file.size else {
      throw .wrongSize(path: file.path, expected: file.size, found: opened.size)
    }
    let whole = try Hashing.hasher()
    for chunk in file.chunks {
      let bytes = try opened.read(chunk.size)
      guard bytes.count == chunk.size, try Hashing.hex(of: bytes) == chunk.sha256 else {
        throw .wrongHash(path: file.path)
      }
      try Hashing.update(whole, bytes)
    }
    guard try Hashing.hex(whole) == file.sha256 else { throw .wrongHash(path: file.path) }
  }

  /// Opens a file of the folder; links are followed as long as they stay inside it.
  static func open(_ path: String, in folder: URL) throws(PackError) -> ReadableFile {
    guard let root = realPath(folder.path) else { throw .unreadable(path: folder.path) }
    guard let resolved = realPath(folder.appendingPathComponent(path).path) else {
      throw .missingFile(path: path)
    }
    guard resolved.hasPrefix(root == "/" ? root : root + "/") else {
      throw .invalidManifest(reason: "\(PackPath.shown(path)) leads out of the folder")
    }
    return try ReadableFile(resolved)
  }

  /// The bytes of a manifest, nil when it is not there.
  private static func manifestBytes(
    _ name: String, in folder: URL, limit: Int
  ) throws(PackError) -> [UInt8]? {
    let path = folder.appendingPathComponent(name).path
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw .unreadable(path: path) }
      return nil
    }
    let file = try open(name, in: folder)
    guard file.size <= limit else { throw .invalidManifest(reason: "it is larger than 4 MiB") }
    return try file.read(limit + 1)
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
