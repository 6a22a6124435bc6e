#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension SHA256Digest {
  /// The digest of a file, read in pieces of 1 MiB.
  ///
  /// - Parameter progress: Gets the bytes read so far after each piece; returning false stops, and
  ///   the result is nil.
  /// - Throws: `CryptoError.unreadable` for a path that is missing, forbidden or no plain file.
  public static func ofFile(
    _ path: String, progress: (Int) -> Bool = { _ in true }
  ) throws(CryptoError) -> SHA256Digest? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: lastReason()) }
    defer { close(descriptor) }
    let hasher = try SHA256Hasher()
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { piece.deallocate() }
    var done = 0
    while true {
      let count = read(descriptor, piece.baseAddress, piece.count)
      if count == 0 { return try hasher.digest() }
      if count < 0 {
        if errno == EINTR { continue }
        throw .unreadable(path: path, reason: lastReason())
      }
      try hasher.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      done += count
      guard progress(done) else { return nil }
    }
  }

  private static func lastReason() -> String {
    String(cString: strerror(errno))
  }
}
