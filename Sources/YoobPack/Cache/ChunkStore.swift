import Foundation

/// The folder of a cache: chunks by their hash, manifests by character and version, locks.
///
/// Nothing in it is believed: a chunk is hashed, a manifest's signature is checked whenever it is used.
struct ChunkStore: Sendable {
  typealias Chunk = CharacterManifest.File.Chunk

  let root: String
  var chunks: String { root + "/chunks" }
  var partial: String { root + "/partial" }
  var manifests: String { root + "/manifests" }
  var locks: String { root + "/locks" }
  /// Held shared while a load runs, exclusive while something is removed.
  var gate: String { root + "/lock" }

  private var folders: [String] { [root, chunks, partial, manifests, locks] }

  /// Makes the folders; only the owner may read them.
  func prepare() throws(PackError) {
    for folder in folders { try FileWriting.makeFolder(folder, mode: 0o700) }
  }

  /// Whether the folders are there.
  var isPrepared: Bool { folders.allSatisfy(FileWriting.isFolder) }

  func path(of sha256: String) -> String { chunks + "/" + sha256 }

  func manifestPath(_ reference: PackReference) -> String {
    "\(manifests)/\(reference.character)/\(reference.version).json"
  }

  /// Held shared while a version is loaded or in use; only taken or removed under the gate.
  func lockPath(_ reference: PackReference) -> String {
    "\(locks)/\(reference.character)@\(reference.version)"
  }

  /// Whether a chunk is here and is what its name says.
  func verifies(_ chunk: Chunk) throws(PackError) -> Bool {
    try ReadableFile.matches(path(of: chunk.sha256), size: chunk.size, sha256: chunk.sha256)
  }

  /// Whether files with the names and sizes of all chunks are here; their bytes are not read.
  func seemsComplete(_ manifest: CharacterManifest) -> Bool {
    manifest.files.allSatisfy { file in
      file.chunks.allSatisfy { ReadableFile.size(of: path(of: $0.sha256)) == $0.size }
    }
  }

  /// Whether every file of the manifest is here, byte for byte.
  func verifies(_ manifest: CharacterManifest) throws(PackError) -> Bool {
    for file in manifest.files {
      do throws(PackError) { try verify(file) } catch {
        switch error {
        case .missingFile, .wrongSize, .wrongHash, .unreadable: return false
        default: throw error
        }
      }
    }
    return true
  }

  /// Reads a file chunk by chunk and checks its hash; `take` gets the bytes.
  func verify(
    _ file: CharacterManifest.File, take: ([UInt8]) -> Void = { _ in }
  ) throws(PackError) {
    let whole = try Hashing.hasher()
    for chunk in file.chunks {
      let opened: ReadableFile
      do throws(PackError) { opened = try ReadableFile(path(of: chunk.sha256)) } catch {
        throw .missingFile(path: file.path)
      }
      guard opened.size == chunk.size else { throw .wrongHash(path: file.path) }
      var left = chunk.size
      while left > 0 {
        let bytes = try opened.read(min(left, 1 << 20))
        guard !bytes.isEmpty else { throw .wrongHash(path: file.path) }
        try Hashing.update(whole, bytes)
        take(bytes)
        left -= bytes.count
      }
    }
    guard try Hashing.hex(whole) == file.sha256 else { throw .wrongHash(path: file.path) }
  }

  /// The envelope that is kept for a version, nil when there is none that can be read.
  func envelope(_ reference: PackReference) -> SignedManifest? {
    guard
      let bytes = try? ReadableFile.contents(
        of: manifestPath(reference), limit: PackLimits.envelopeBytes)
    else { return nil }
    return try? SignedManifest(json: bytes)
  }

  /// The manifest that is kept for a version, nil unless one of `keys` signed it.
  func manifest(_ reference: PackReference, trusting keys: TrustedKeys) -> CharacterManifest? {
    guard let manifest = try? envelope(reference)?.open(trusting: keys),
      manifest.character == reference.character, manifest.version == "\(reference.version)"
    else { return nil }
    return manifest
  }

  /// Keeps an envelope, unless it is here already.
  func keep(_ signed: SignedManifest, as reference: PackReference) throws(PackError) {
    guard envelope(reference) != signed else { return }
    try FileWriting.makeFolder("\(manifests)/\(reference.character)", mode: 0o700)
    try FileWriting.replace(manifestPath(reference), with: signed.json, mode: 0o600)
  }

  /// The versions of a character that have a manifest here, newest first.
  func versions(of character: String) -> [PackReference] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(manifests)/\(character)")) ?? []
    return
      names
      .compactMap { $0.hasSuffix(".json") ? PackVersion(String($0.dropLast(5))) : nil }
      .sorted(by: >)
      .map { PackReference(character: character, version: $0) }
  }

  /// The characters that have manifests here.
  func characters() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: manifests)) ?? []
    return names.filter(CharacterManifest.isCharacterID).sorted()
  }
}
