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

  /// Reads a WAV file; refuses one that cannot be read, is damaged or holds no sound.
  static func read(_ path: String) throws -> AudioClip {
    let reader = try SoundReader(path)
    var samples: [Float] = []
    samples.reserveCapacity(reader.sampleCount)
    while let piece = try reader.next() { samples.append(contentsOf: piece) }
    return AudioClip(samples: samples, sampleRate: reader.sampleRate)
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
    let descriptor = systemOpen(path)
    guard descriptor >= 0 else {
      throw FileFault("\(path) cannot be written: \(WriteFault.reason(errno)).")
    }
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

  /// Why a file could not be written, for the user.
  static func unwritable(_ path: String, _ error: any Error) -> FileFault {
    FileFault("\(path) cannot be written: \(WriteFault.reason(error)).")
  }
}

private func systemOpen(_ path: String) -> Int32 {
  #if canImport(Glibc)
    Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  #else
    Darwin.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  #endif
}
