import Foundation
import YoobCrypto

/// Why a character pack is refused, or cannot be had.
public enum PackError: Error, Sendable, Equatable, LocalizedError {
  /// A file or folder cannot be read.
  case unreadable(path: String)
  /// A manifest breaks a rule of Docs/FORMAT.md; `reason` says which.
  case invalidManifest(reason: String)
  /// The signed envelope around a manifest breaks a rule; `reason` says which.
  case invalidEnvelope(reason: String)
  /// A manifest is signed with a key that is not trusted.
  case unknownKey(id: String)
  /// A signed pack was opened without any key; `id` is the one it needs.
  case keyNeeded(id: String)
  /// A manifest's signature was not made over its bytes with the key it names.
  case wrongSignature(keyID: String)
  /// A manifest is that of another character or version than asked for; `reason` says which.
  case otherPack(reason: String)
  /// The version offered as the latest is older than one that is complete here.
  case downgrade(character: String, offered: String, complete: String)
  /// A listed file, or the manifest, is not there.
  case missingFile(path: String)
  /// A file has other bytes than the manifest says.
  case wrongSize(path: String, expected: Int, found: Int)
  /// A file's SHA-256 is not the manifest's.
  case wrongHash(path: String)
  /// The bytes that came for a chunk are not the chunk; `reason` says how that was seen.
  case wrongChunk(sha256: String, reason: String)
  /// This version cannot draw the character.
  case unsupported(reason: String)
  /// The file of a signing key, or a set of trusted keys, cannot be used.
  case invalidKey(reason: String)
  /// A file or folder cannot be written; `reason` is the system's.
  case unwritable(path: String, reason: String)
  /// Other programs kept the cache locked for longer than is waited.
  case busy(path: String)
  /// The cryptographic library failed.
  case crypto(CryptoError)

  public var errorDescription: String? {
    switch self {
    case .unreadable(let path):
      "\(path) cannot be read. Check that the folder is a character pack and that you may read it."
    case .invalidManifest(let reason):
      "The character's manifest is not valid: \(reason). Build or download the character again."
    case .invalidEnvelope(let reason):
      "The character's signed manifest is not valid: \(reason). Sign or download the character again."
    case .unknownKey(let id):
      "The character is signed with the key “\(id)”, which is not trusted here. Add its public key to the "
        + "trusted keys, or get the character from where it is published."
    case .keyNeeded(let id):
      "The character is signed with the key “\(id)”. Give the public key of that id to open it."
    case .wrongSignature(let keyID):
      "The character's manifest does not match its signature by the key “\(keyID)”. Download the character "
        + "again, from where it is published."
    case .otherPack(let reason):
      "This is not the character that was asked for: \(reason). Check where it is downloaded from."
    case .downgrade(let character, let offered, let complete):
      "The latest version of \(character) is said to be \(offered), older than \(complete) that is here. "
        + "Check where it is downloaded from, or ask for a version by its number."
    case .missingFile(let path):
      "\(path) is missing from the character pack. Build or download the character again."
    case .wrongSize(let path, let expected, let found):
      "\(path) has \(found) bytes instead of \(expected). Build or download the character again."
    case .wrongHash(let path):
      "\(path) is damaged: its SHA-256 is not the one in the manifest. Build or download the character again."
    case .wrongChunk(let sha256, let reason):
      "The chunk \(sha256.prefix(12)) did not arrive as it was published: \(reason). Download the character again."
    case .unsupported(let reason):
      "This version cannot draw the character: \(reason). Update yoob, or choose another character."
    case .invalidKey(let reason):
      "The key cannot be used: \(reason)."
    case .unwritable(let path, let reason):
      "\(path) cannot be written: \(reason). Check free space and permissions, or write elsewhere."
    case .busy(let path):
      "Another program uses the characters in \(path). Try again when it is done."
    case .crypto(let error):
      error.description
    }
  }
}
