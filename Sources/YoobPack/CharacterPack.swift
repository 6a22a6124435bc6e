/// A character whose files can be read: a folder (`LocalPack`) or the cache (`LoadedPack`).
public protocol CharacterPack: Sendable {
  /// What the pack says about itself; checked when the pack was opened.
  var manifest: CharacterManifest { get }

  /// The bytes of one file, after its size and SHA-256 were found right.
  ///
  /// Throws `PackError.missingFile`, `.wrongSize` or `.wrongHash` when it is not what the manifest says.
  func read(_ path: String) throws(PackError) -> [UInt8]
}
