import Foundation
import YoobStudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is written piece by piece and appears whole or not at all; pipes and devices are written as
/// they are.
final class GrowingFile {
  private static let block = 1 << 16

  private let path: String
  private let target: URL
  /// Where the file grows; nil for a pipe or a device.
  private let part: URL?
  private let handle: FileHandle
  private var waiting: [UInt8] = []
  private var isOpen = true

  /// Begins a file. Call `commit()` in the end, or `cancel()`.
  ///
  /// `part` is where it grows, in the same folder; by default a name of its own, after those that programs
  /// that were killed left behind are removed.
  init(_ path: String, part place: URL? = nil) throws {
    self.path = path
    target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    guard !SoundFile.isSpecial(path) else {
      part = nil
      handle = try SoundFile.open(path)
      return
    }
    let part = place ?? LeftOvers.part(of: target)
    if place == nil { LeftOvers.sweep(film: target) }
    TemporaryFiles.add(part)
    let descriptor = openAnew(part.path, O_NOFOLLOW)
    guard descriptor >= 0 else {
      let reason = WriteFault.reason(errno)
      TemporaryFiles.remove(part)
      throw FileFault("\(path) cannot be written: \(reason).")
    }
    var status = stat()
    if stat(target.path, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o7777) }
    self.part = part
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    waiting.reserveCapacity(2 * Self.block)
  }

  deinit { cancel() }

  /// Adds bytes at the end.
  func write(_ bytes: some Sequence<UInt8>) throws {
    waiting.append(contentsOf: bytes)
    if waiting.count >= Self.block { try flush() }
  }

  /// Puts the file in its place.
  func commit() throws {
    guard isOpen else { return }
    try flush()
    do {
      try handle.close()
      if let part, rename(part.path, target.path) != 0 {
        throw FileFault("\(path) cannot be written: \(WriteFault.reason(errno)).")
      }
    } catch let fault as FileFault {
      throw fault
    } catch {
      throw SoundFile.unwritable(path, error)
    }
    isOpen = false
    if let part { TemporaryFiles.keep(part) }
  }

  /// Gives the file up, unless it is in its place.
  func cancel() {
    guard isOpen else { return }
    isOpen = false
    try? handle.close()
    if let part { TemporaryFiles.remove(part) }
  }

  private func flush() throws {
    do { try handle.write(contentsOf: Data(waiting)) } catch { throw SoundFile.unwritable(path, error) }
    waiting.removeAll(keepingCapacity: true)
  }
}
