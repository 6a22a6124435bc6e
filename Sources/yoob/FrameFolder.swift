import Foundation
import YoobPicture
import YoobStudio

/// A folder of frames as PNG files, named by their number: `frame-000000.png` and so on.
final class FrameFolder {
  private let folder: URL
  /// Where each frame grows, one after another.
  private let part: URL
  private var count = 0

  /// Makes the folder when it is not there, and removes what a film that was killed left in it.
  init(_ path: String) throws {
    folder = URL(fileURLWithPath: path, isDirectory: true)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw FileFault("The folder \(path) cannot be made: \(WriteFault.reason(error)).")
    }
    let frame = folder.appendingPathComponent("frame.png")
    LeftOvers.sweep(film: frame)
    part = LeftOvers.part(of: frame)
  }

  /// Writes the next frame, over one of an earlier film.
  func append(_ picture: Picture) throws {
    let file = try GrowingFile(folder.appendingPathComponent(Self.name(count)).path, part: part)
    try file.write(try PNGImage.encode(picture))
    try file.commit()
    count += 1
  }

  /// Removes the frames of an earlier, longer film.
  func finish() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      let file = folder.appendingPathComponent(name)
      guard let number = Int(name.dropFirst(6).dropLast(4)), number >= count, name == Self.name(number),
        (try? file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == false
      else { continue }
      try? FileManager.default.removeItem(at: file)
    }
  }

  private static func name(_ number: Int) -> String { String(format: "frame-%06d.png", number) }
}
