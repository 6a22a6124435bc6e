import Foundation
import VoiceAudio
import YoobStudio

/// Reads the sound of a file in pieces, for work that does not need all of it at once.
final class SoundReader {
  /// Samples of a piece at most: a quarter of a second at 192 kHz.
  private static let piece = 48_000
  /// Bytes that are read at once while the chunks are walked.
  private static let block = 4096

  /// The number of samples of one channel, and how many make a second.
  var sampleCount: Int { outline.sampleCount }
  var sampleRate: Int { outline.sampleRate }
  /// Seconds.
  var duration: Double { Double(sampleCount) / Double(sampleRate) }

  private let path: String
  private let outline: WAVOutline
  private var handle: FileHandle?
  private var done = 0

  /// Opens a WAV file; refuses one that cannot be read, is damaged or holds no sound.
  init(_ path: String) throws {
    self.path = path
    let size = try Self.size(of: path)
    let handle = try Self.open(path)
    defer { try? handle.close() }
    var held: (start: Int, bytes: [UInt8]) = (0, [])
    var failure: (any Error)?
    do {
      outline = try WAVOutline(size: size) { offset, count in
        if offset < held.start || offset + count > held.start + held.bytes.count {
          do {
            held = (offset, try Self.bytes(handle, at: offset, count: max(count, Self.block)))
          } catch {
            failure = failure ?? error
            held = (offset, [])
          }
        }
        let from = min(offset - held.start, held.bytes.count)
        return Array(held.bytes[from..<min(from + count, held.bytes.count)])
      }
    } catch {
      throw failure.map { Self.unreadable(path, $0) } ?? FileFault("\(path): \(error.message)")
    }
    if let failure { throw Self.unreadable(path, failure) }
    guard outline.sampleCount > 0 else { throw FileFault("\(path) holds no sound. Record it again.") }
  }

  /// The next samples, mono; nil at the end.
  func next() throws -> [Float]? {
    guard done < outline.sampleCount else {
      try? handle?.close()
      handle = nil
      return nil
    }
    let file = try handle ?? Self.open(path)
    handle = file
    let end = min(done + Self.piece, outline.sampleCount)
    let place = outline.bytes(of: done..<end)
    let bytes: [UInt8]
    do {
      bytes = try Self.bytes(file, at: place.lowerBound, count: place.count)
    } catch {
      throw Self.unreadable(path, error)
    }
    guard bytes.count == place.count else {
      throw FileFault("\(path) was cut while it was read. Try again when it is whole.")
    }
    done = end
    return outline.samples(of: bytes)
  }

  /// The rest of the sound, up to about `seconds` of it.
  func read(seconds: Double = .infinity) throws -> AudioClip {
    let most = min(Double(sampleCount - done), seconds * Double(sampleRate))
    var samples: [Float] = []
    samples.reserveCapacity(Int(most) + Self.piece)
    while Double(samples.count) < most, let piece = try next() { samples.append(contentsOf: piece) }
    return AudioClip(samples: samples, sampleRate: sampleRate)
  }

  private static func size(of path: String) throws -> Int {
    guard !path.isEmpty else { throw UsageError("A recording's name is empty. Name a WAV file.") }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw FileFault("\(path) does not exist. Name a WAV file.")
    }
    guard !isFolder.boolValue else { throw FileFault("\(path) is a folder. Name a WAV file.") }
    guard !SoundFile.isSpecial(path) else {
      throw FileFault("\(path) is a pipe or a device. Name a WAV file.")
    }
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let size = (try? FileManager.default.attributesOfItem(atPath: target)[.size] as? Int) ?? 0
    guard size > 0 else { throw FileFault("\(path) is empty. Record it again.") }
    guard size <= SoundFile.maxBytes else {
      throw FileFault("\(path) is larger than 512 MiB. Cut it into parts (for example with sox or ffmpeg).")
    }
    return size
  }

  private static func open(_ path: String) throws -> FileHandle {
    do { return try FileHandle(forReadingFrom: URL(fileURLWithPath: path)) } catch {
      throw unreadable(path, error)
    }
  }

  /// Bytes at an offset, fewer where the file ends.
  private static func bytes(_ handle: FileHandle, at offset: Int, count: Int) throws -> [UInt8] {
    try handle.seek(toOffset: UInt64(offset))
    return Array(try handle.read(upToCount: count) ?? Data())
  }

  private static func unreadable(_ path: String, _ error: any Error) -> FileFault {
    FileFault("\(path) cannot be read: \(WriteFault.reading(error)).")
  }
}
