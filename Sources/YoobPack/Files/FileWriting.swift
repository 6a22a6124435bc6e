import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes files that are there whole or not at all.
enum FileWriting {
  /// How the name of a file ends that is not whole.
  static let leftoverSuffix = ".part"

  /// Writes `bytes` beside `path`, flushes them to the disk and renames the file into place.
  ///
  /// The file's first name begins with a dot, so that one that a killed program left belongs to no pack, and is
  /// short, so that `path` may be as long as the system allows.
  static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o644) throws(PackError) {
    let folder = (path as NSString).deletingLastPathComponent
    let temporary = (folder as NSString).appendingPathComponent(".\(UUID().uuidString)\(leftoverSuffix)")
    let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw fault(path) }
    do throws(PackError) {
      defer { close(descriptor) }
      try write(bytes, to: descriptor, path: path)
      guard fsync(descriptor) == 0 else { throw fault(path) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let reason = fault(path)
      unlink(temporary)
      throw reason
    }
    flushFolder(of: path)
  }

  /// Removes from a folder what `replace` left there when its program was killed. A file that was written to
  /// within the last hour may be another program's, and stays; so does what cannot be removed.
  static func sweep(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.hasPrefix("."), name.hasSuffix(leftoverSuffix),
        UUID(uuidString: String(name.dropFirst().dropLast(leftoverSuffix.count))) != nil
      else { continue }
      let path = (folder as NSString).appendingPathComponent(name)
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      #if canImport(Darwin)
        let written = status.st_mtimespec.tv_sec
      #else
        let written = status.st_mtim.tv_sec
      #endif
      if time(nil) - written >= 3600 { unlink(path) }
    }
  }

  /// Writes all bytes to an open file.
  static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(PackError) {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        systemWrite(descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw fault(path)
      }
      done += written
    }
  }

  /// Makes a folder and those above it; does nothing where it is there.
  static func makeFolder(_ path: String, mode: mode_t = 0o755) throws(PackError) {
    if isFolder(path) || mkdir(path, mode) == 0 { return }
    var code = errno
    let above = (path as NSString).deletingLastPathComponent
    if code == ENOENT, !above.isEmpty, above != path {
      try makeFolder(above, mode: mode)
      if mkdir(path, mode) == 0 { return }
      code = errno
    }
    // Another program may have made it meanwhile.
    guard !isFolder(path) else { return }
    throw .unwritable(
      path: path, reason: code == EEXIST ? "a file is in its place" : String(cString: strerror(code)))
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Makes the names in the folder of `path` last through a power cut.
  static func flushFolder(of path: String) {
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    _ = fsync(folder)
    close(folder)
  }

  /// The system's last error about `path`.
  static func fault(_ path: String) -> PackError {
    .unwritable(path: path, reason: String(cString: strerror(errno)))
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Glibc)
    return Glibc.write(descriptor, bytes, count)
  #else
    return Darwin.write(descriptor, bytes, count)
  #endif
}
