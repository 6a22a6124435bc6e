import Foundation

/// A file that is open for reading, closed with the last reference.
public final class OpenFile: Sendable {
  /// In bytes, when it was opened.
  public let size: Int
  /// Seconds and nanoseconds of the last change before it was opened.
  let modified: (seconds: Int, nanoseconds: Int)
  private let descriptor: Int32

  /// The regular file at `path`; nil when there is none that may be read. The last component is
  /// not followed when it is a link.
  public init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
    #if canImport(Darwin)
      modified = (Int(status.st_mtimespec.tv_sec), Int(status.st_mtimespec.tv_nsec))
    #else
      modified = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    #endif
  }

  deinit { close(descriptor) }

  /// Fills the buffer from `offset` on; the number of bytes read, 0 at the end or on an error.
  func read(into buffer: UnsafeMutableRawBufferPointer, offset: Int) -> Int {
    max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
  }
}
