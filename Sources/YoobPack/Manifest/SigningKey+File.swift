import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension SigningKey {
  /// Reads a key file that only its owner can read.
  ///
  /// Throws `PackError.missingFile` or `.unreadable` for the path, `.invalidKey` when others can read the
  /// file or it holds no key.
  public init(file path: String) throws(PackError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw errno == ENOENT ? .missingFile(path: path) : .unreadable(path: path)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .invalidKey(reason: "others can read or change \(path). Run: chmod 600 \(path)")
    }
    guard let resolved = realpath(path, nil) else { throw .unreadable(path: path) }
    defer { free(resolved) }
    let file = try ReadableFile(String(cString: resolved))
    guard file.size <= 1 << 16 else {
      throw .invalidKey(reason: "\(path) is too large for the file of a key")
    }
    try self.init(json: file.read(1 << 16))
  }

  /// Writes the key to a new file that only its owner can read, whole or not at all.
  ///
  /// Throws `PackError.unwritable` when a file is there already: the key in it may be the only one.
  public func create(at path: String) throws(PackError) {
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw FileWriting.fault(path) }
      throw .unwritable(path: path, reason: "it is there already, and a key that is lost signs nothing again")
    }
    defer { close(descriptor) }
    do throws(PackError) {
      try FileWriting.write(json, to: descriptor, path: path)
      guard fsync(descriptor) == 0 else { throw FileWriting.fault(path) }
    } catch {
      unlink(path)
      throw error
    }
    FileWriting.flushFolder(of: path)
  }
}

extension TrustedKeys {
  /// Reads a file of trusted keys, or that of one signing key; see `init(json:)`.
  public init(file path: String) throws(PackError) {
    guard let resolved = realpath(path, nil) else { throw .missingFile(path: path) }
    defer { free(resolved) }
    let file = try ReadableFile(String(cString: resolved))
    guard file.size <= 1 << 20 else { throw .invalidKey(reason: "\(path) is too large for a file of keys") }
    try self.init(json: file.read(1 << 20))
  }
}
