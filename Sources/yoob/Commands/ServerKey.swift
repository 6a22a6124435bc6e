import Foundation
import RunAnywhere
import YoobStudio

/// The key that clients of a server outside the demo must show.
struct ServerKey: Sendable {
  let file: URL
  private let key: [UInt8]

  /// Reads the key of the data folder; makes folder and key where they are missing, readable by
  /// the owner only. A key that others can read is closed to them, and `note` is told.
  init(folder: URL, note: (String) -> Void) throws {
    file = folder.appendingPathComponent("api-key")
    if let data = FileManager.default.contents(atPath: file.path) {
      try Self.close(file.path, note: note)
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
      throw Self.unwritable(folder.path, WriteFault.reason(error))
    }
    // Nobody else may see the key at any time, nor put a file of theirs in its place.
    let descriptor = open(file.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.unwritable(file.path, WriteFault.reason(errno)) }
    do {
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(key + [0x0A]))
    } catch {
      unlink(file.path)
      throw Self.unwritable(file.path, WriteFault.reason(error))
    }
  }

  /// Takes from others the right to read the file.
  private static func close(_ path: String, note: (String) -> Void) throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    guard chmod(path, status.st_mode & 0o700) == 0 else {
      throw SDKException(
        .invalidConfiguration, category: .io, "Others can read the key in \(path).",
        recoverySuggestion: "Run: chmod 600 \(path)")
    }
    note("Others could read the key in \(path); only its owner can now. Remove it for a new key.")
  }

  private static func unwritable(_ path: String, _ reason: String) -> SDKException {
    SDKException(
      .invalidConfiguration, category: .io, "\(path) cannot be written: \(reason).",
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
