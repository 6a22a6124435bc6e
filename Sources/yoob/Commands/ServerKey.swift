import Foundation
import RunAnywhere

/// The key that clients of a server outside the demo must show.
struct ServerKey: Sendable {
  let file: URL
  private let key: [UInt8]

  /// Reads the key of the data folder; makes folder and key where they are missing, readable by
  /// the owner only.
  init(folder: URL) throws {
    file = folder.appendingPathComponent("api-key")
    if let data = FileManager.default.contents(atPath: file.path) {
      key = Array(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines).utf8)
      guard key.count >= 16 else {
        throw SDKException(
          .invalidConfiguration, category: .configuration,
          "The key in \(file.path) has fewer than 16 characters.",
          recoverySuggestion: "Remove the file; the next start makes a new key.")
      }
      return
    }
    var generator = SystemRandomNumberGenerator()
    let digits = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
    key = Array("yoob_".utf8) + (0..<40).map { _ in digits.randomElement(using: &generator) ?? 0x30 }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Self.unwritable(folder.path)
    }
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: Data(key + [0x0A]), attributes: [.posixPermissions: 0o600])
    else { throw Self.unwritable(file.path) }
  }

  private static func unwritable(_ path: String) -> SDKException {
    SDKException(
      .invalidConfiguration, category: .io, "\(path) cannot be written.",
      recoverySuggestion: "Name a folder of your own with --data.")
  }

  /// Whether `candidate` is the key; takes the same time wherever they differ.
  func matches(_ candidate: String?) -> Bool {
    guard let candidate else { return false }
    let bytes = Array(candidate.utf8)
    guard bytes.count == key.count else { return false }
    return zip(bytes, key).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
