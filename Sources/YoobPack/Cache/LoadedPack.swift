/// A character in the cache. Its version is kept from being removed for as long as a copy of this lives.
public struct LoadedPack: CharacterPack {
  public let manifest: CharacterManifest
  /// The envelope whose signature was found right.
  public let signed: SignedManifest
  /// Which version of which character it is.
  public let reference: PackReference
  let store: ChunkStore
  let lock: FileLock

  /// The bytes of one file, after its size and SHA-256 were found right.
  ///
  /// Throws `PackError.missingFile` for a file that is not listed or has not arrived yet, `.wrongHash` for
  /// one that was damaged on the disk since it arrived; loading the character again mends it.
  public func read(_ path: String) throws(PackError) -> [UInt8] {
    guard let file = manifest.files.first(where: { $0.path == path }) else {
      throw .missingFile(path: path)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(file.size)
    try store.verify(file) { bytes += $0 }
    return bytes
  }
}
