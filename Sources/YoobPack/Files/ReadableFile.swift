import YoobCrypto

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A plain file that is open for reading; closed when it goes out of scope.
struct ReadableFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  /// Bytes at the time of opening.
  let size: Int

  /// Opens a plain file; a link, a pipe or a folder at the end of the path is refused.
  ///
  /// Throws `PackError.missingFile` when nothing is there, `PackError.unreadable` for the rest.
  init(_ path: String) throws(PackError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    self.path = path
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOENT ? .missingFile(path: path) : .unreadable(path: path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable(path: path)
    }
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// The next bytes, at most `count`; none at the end.
  func read(_ count: Int) throws(PackError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        systemRead(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
      }
      if got == 0 { break }
      if got < 0 {
        if errno == EINTR { continue }
        throw .unreadable(path: path)
      }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// All bytes of a file of at most `limit`, nil when there is none.
  static func contents(of path: String, limit: Int) throws(PackError) -> [UInt8]? {
    guard size(of: path) != nil else { return nil }
    let file = try ReadableFile(path)
    guard file.size <= limit else { throw .wrongSize(path: path, expected: limit, found: file.size) }
    let bytes = try file.read(file.size + 1)
    guard bytes.count == file.size else { throw .unreadable(path: path) }
    return bytes
  }

  /// The size of the plain file at `path`, nil when there is none.
  static func size(of path: String) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Whether the file at `path` has this size and digest; read in pieces of 1 MiB.
  static func matches(_ path: String, size: Int, sha256: String) throws(PackError) -> Bool {
    let file: ReadableFile
    do { file = try ReadableFile(path) } catch { return false }
    guard file.size == size else { return false }
    let hasher = try Hashing.hasher()
    var left = size
    while left > 0 {
      let piece = try file.read(min(left, 1 << 20))
      guard !piece.isEmpty else { return false }
      try Hashing.update(hasher, piece)
      left -= piece.count
    }
    return try Hashing.hex(hasher) == sha256
  }
}

/// SHA-256 with the errors of packs.
enum Hashing {
  static func hasher() throws(PackError) -> SHA256Hasher {
    do { return try SHA256Hasher() } catch { throw .crypto(error) }
  }

  static func update(_ hasher: SHA256Hasher, _ bytes: [UInt8]) throws(PackError) {
    do { try hasher.update(bytes) } catch { throw .crypto(error) }
  }

  static func hex(_ hasher: SHA256Hasher) throws(PackError) -> String {
    do { return try hasher.digest().hex } catch { throw .crypto(error) }
  }

  static func hex(of bytes: [UInt8]) throws(PackError) -> String {
    do { return try SHA256Digest.of(bytes).hex } catch { throw .crypto(error) }
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  #if canImport(Glibc)
    return Glibc.read(descriptor, bytes, count)
  #else
    return Darwin.read(descriptor, bytes, count)
  #endif
}
