import Foundation

/// Why a picture could not be read or written.
public enum PictureError: Error, Sendable, Equatable, LocalizedError {
  /// The bytes are no PNG, damaged, or too large; `name` is the file or what stands for it.
  case unreadable(name: String, reason: String)
  /// The picture has no pixels, too many, or fewer than its size says.
  case notWritten(reason: String)
  /// This build has no library for PNG.
  case notAvailable

  /// What is wrong, and what to do.
  public var errorDescription: String? {
    switch self {
    case .unreadable(let name, let reason):
      "\(name) is not a picture that can be read: \(reason). PNG is."
    case .notWritten(let reason): "The picture could not be written: \(reason)."
    case .notAvailable: "This build cannot read PNG pictures. Build it with libpng."
    }
  }
}
