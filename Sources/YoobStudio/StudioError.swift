import Foundation

/// Why a picture or a film could not be made.
public enum StudioError: Error, Sendable, Equatable, LocalizedError {
  case unreadablePicture(path: String, reason: String)
  case missingProgram(String)
  case encoderFailed(String)
  case unwritable(path: String, reason: String)
  case unsupportedFormat(String)

  public var errorDescription: String? {
    switch self {
    case .unreadablePicture(let path, let reason):
      "\(path) is not a picture that can be read: \(reason). Use a PNG or JPEG file."
    case .missingProgram(let name):
      "The program “\(name)” is missing. Install it (Debian: apt-get install \(name)) and try again."
    case .encoderFailed(let reason):
      "The film could not be written: \(reason)."
    case .unwritable(let path, let reason):
      "\(path) cannot be written: \(reason)."
    case .unsupportedFormat(let name):
      "\(name) is not a film format that can be written. Use .mp4, or .webm or .mov with --transparent."
    }
  }
}
