import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock between programs, on a file; it ends with this object, and with the program however that ends.
final class FileLock: Sendable {
  enum Kind: Sendable {
    case shared
    case exclusive
  }

  private let descriptor: Int32

  /// Takes the lock; nil when others hold it in a way that excludes this one. The file is made if missing, and
  /// need not be writable.
  ///
  /// Throws `PackError.unwritable` when there is no such file and none can be made.
  static func attempt(_ path: String, _ kind: Kind) throws(PackError) -> FileLock? {
    var descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0, [EROFS, EACCES, EPERM].contains(errno) {
      // A character that is whole starts from a disk that cannot be written, too.
      let fault = FileWriting.fault(path)
      descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { throw fault }
    }
    guard descriptor >= 0 else { throw FileWriting.fault(path) }
    guard hold(descriptor, kind) else {
      close(descriptor)
      return nil
    }
    return FileLock(descriptor)
  }

  /// Takes the lock, waiting up to `patience`; throws `PackError.busy` after that.
  static func wait(_ path: String, _ kind: Kind, patience: Duration) async throws -> FileLock {
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    while true {
      try Task.checkCancellation()
      if let lock = try attempt(path, kind) { return lock }
      guard clock.now < deadline else {
        throw PackError.busy(path: (path as NSString).deletingLastPathComponent)
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Locks an open file without waiting; false when others hold it.
  static func hold(_ descriptor: Int32, _ kind: Kind) -> Bool {
    let operation = kind == .shared ? LOCK_SH : LOCK_EX
    while flock(descriptor, operation | LOCK_NB) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}
