import Foundation

/// Why a character pack is refused.
public enum PackError: Error, Sendable, Equatable, LocalizedError {
  case unreadable(path: String)
  case invalidManifest(reason: String)
  case missingFile(path: String)
  case wrongSize(path: String, expected: Int, found: Int)
  case wrongHash(path: String)
  case unsupported(reason: String)

  public var errorDescription: String? {
    switch self {
    case .unreadable(let path):
      "\(path) cannot be read. Check that the folder is a character pack and that you may read it."
    case .invalidManifest(let reason):
      "The character's manifest is not valid: \(reason). Build or download the character again."
    case .missingFile(let path):
      "\(path) is missing from the character pack. Build or download the character again."
    case .wrongSize(let path, let expected, let found):
      "\(path) has \(found) bytes instead of \(expected). Build or download the character again."
    case .wrongHash(let path):
      "\(path) is damaged: its SHA-256 is not the one in the manifest. Build or download the character again."
    case .unsupported(let reason):
      "This version cannot draw the character: \(reason). Update yoob, or choose another character."
    }
  }
}
