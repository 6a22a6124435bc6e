import Foundation
import VoiceAudio
import YoobStudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that could not be read or written; the text says why and what to do.
struct FileFault: Error, LocalizedError {
  let errorDescription: String?
  init(_ text: String) { errorDescription = text }
}

/// Reads and writes the sound files that commands are given.
enum SoundFile {
  /// Largest file that is read; it is held in memory several times over while it is worked on.
  static let maxBytes = 512 << 20

  /// Most hours of sound that are held in memory, and of a film, whose sound is held several times.
  static let longest = 4.0
  static let longestFilm = 2.0

  /// Reads a WAV file; refuses one that cannot be read, is damaged, holds no sound or is too long.
  static func read(_ path: String) throws -> AudioClip { try read([path], hours: longest)[0] }

  /// Reads WAV files that may last `hours` together.
  static func read(_ paths: [String], hours: Double) throws -> [AudioClip] {
    let readers = try paths.map(SoundReader.init)
    let seconds = readers.reduce(0) { $0 + $1.duration }
    guard seconds <= hours * 3600 else {
      let name = paths.count == 1 ? "\(paths[0]) lasts" : "These recordings last"
      throw FileFault(
        "\(name) \(String(format: "%.1f", seconds / 3600)) hours, and \(Int(hours)) are the most. "
          + "Cut the sound into parts (for example with sox or ffmpeg).")
    }
    return try readers.map { try $0.read() }
  }

  /// Writes 16-bit PCM; the file appears whole or not at all.
  static func write(_ clip: AudioClip, to path: String) throws {
    try write(Data(WAV.encode(clip)), to: path)
  }

  /// Writes a file whole or not at all; pipes and devices are written as they are.
  static func write(_ data: Data, to path: String) throws {
    let file = try GrowingFile(path)
    try file.write(data)
    try file.commit()
  }

  /// Opens a file to be written from its start; what it held is gone.
  static func open(_ path: String) throws -> FileHandle {
    // A pipe that nobody reads must be an error, not a wait without end.
    let descriptor = openAnew(path, O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno != ENXIO else {
        throw FileFault("\(path) is a pipe that nobody reads. Start its reader first, or name a file.")
      }
      throw FileFault("\(path) cannot be written: \(WriteFault.reason(errno)).")
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Whether a path names a pipe or a device, which must never be replaced by a file.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
      && status.st_mode & S_IFMT != S_IFDIR
  }

  /// Refuses a command line that would write over its own input or write two results into one file.
  static func checkDistinct(inputs: [String], outputs: [String?]) throws {
    func place(_ path: String) -> String {
      URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
    var taken = Set(inputs.map(place))
    for path in outputs.compactMap({ $0 }) where !isSpecial(path) {
      guard taken.insert(place(path)).inserted else {
        throw UsageError("\(path) is named twice: it would be written over.")
      }
    }
  }

  /// Refuses early what could not be written at the end of long work.
  static func checkWritable(_ path: String) throws {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
      isFolder.boolValue
    else { throw FileFault("The folder \(folder.path) does not exist. Create it, or write elsewhere.") }
    guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || !isFolder.boolValue
    else { throw FileFault("\(path) is a folder. Name a file.") }
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw FileFault("You may not write into \(folder.path). Write elsewhere.")
    }
  }

  /// Refuses early a folder that is none.
  static func checkFolder(_ path: String) throws {
    var isFolder: ObjCBool = false
    guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || isFolder.boolValue
    else { throw FileFault("\(path) is a file. Name a folder.") }
  }

  /// Refuses early what is no regular file to read.
  static func checkReadable(_ path: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw FileFault("\(path) does not exist. Name a file.")
    }
    guard !isFolder.boolValue else { throw FileFault("\(path) is a folder. Name a file.") }
    guard !isSpecial(path) else { throw FileFault("\(path) is a pipe or a device. Name a file.") }
  }

  /// Why a file could not be written, for the user.
  static func unwritable(_ path: String, _ error: any Error) -> FileFault {
    FileFault("\(path) cannot be written: \(WriteFault.reason(error)).")
  }
}

/// The descriptor of a file that is written from its start, or -1 and `errno`.
func openAnew(_ path: String, _ flag: Int32) -> Int32 {
  let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | flag
  #if canImport(Glibc)
    return Glibc.open(path, flags, 0o644)
  #else
    return Darwin.open(path, flags, 0o644)
  #endif
}
