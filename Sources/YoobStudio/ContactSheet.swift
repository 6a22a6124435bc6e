import Foundation
import YoobFace
import YoobPicture

/// Small square pictures in rows, each with a line of text below it.
public struct ContactSheet: Sendable {
  /// The text below each picture, row by row.
  public let labels: [[String]]
  /// Width and height of each picture in pixels.
  public let side: Int
  /// Pixels below each picture that its text takes.
  public let captionHeight: Int
  /// The sheet without its texts.
  public private(set) var picture: Picture

  /// Pixels between two pictures of a row.
  public static let gap = 4
  private static let paper: UInt8 = 250

  /// An empty sheet of pictures of `side` x `side` pixels.
  public init(labels: [[String]], side: Int) {
    self.labels = labels
    self.side = side
    captionHeight = max(14, side / 8)
    let columns = labels.map(\.count).max() ?? 0
    let width = max(0, (side + Self.gap) * columns - Self.gap)
    let height = (side + captionHeight) * labels.count
    picture = Picture(
      width: width, height: height, pixels: [UInt8](repeating: Self.paper, count: width * height * 4))
    for alpha in stride(from: 3, to: picture.pixels.count, by: 4) { picture.pixels[alpha] = 255 }
  }

  /// Labels in rows of at most `columns`.
  public static func rows(of labels: [String], columns: Int) -> [[String]] {
    stride(from: 0, to: labels.count, by: max(1, columns)).map {
      Array(labels[$0..<min($0 + max(1, columns), labels.count)])
    }
  }

  /// The left upper corner of a picture, in pixels.
  public func origin(row: Int, column: Int) -> (x: Int, y: Int) {
    (column * (side + Self.gap), row * (side + captionHeight))
  }

  /// Puts an opaque picture of `side` x `side` pixels in its place: RGBA, rows from the top. Anything
  /// else is left out.
  public mutating func place(_ pixels: UnsafeRawBufferPointer, row: Int, column: Int) {
    guard labels.indices.contains(row), labels[row].indices.contains(column),
      pixels.count == side * side * 4
    else { return }
    let (x, y) = origin(row: row, column: column)
    let sheetWidth = picture.width
    picture.pixels.withUnsafeMutableBytes { sheet in
      for line in 0..<side {
        let target = ((y + line) * sheetWidth + x) * 4
        let source = UnsafeRawBufferPointer(rebasing: pixels[line * side * 4..<(line + 1) * side * 4])
        UnsafeMutableRawBufferPointer(rebasing: sheet[target..<target + side * 4]).copyMemory(from: source)
      }
    }
  }

  /// The sheet with its texts, drawn as the subtitles of films are: by `ffmpeg`.
  public func captioned() throws(StudioError) -> Picture {
    let folder = LeftOvers.temporaryName()
    TemporaryFiles.add(folder)
    defer { TemporaryFiles.remove(folder) }
    let plain = folder.appendingPathComponent("sheet.png")
    let bytes: [UInt8]
    do {
      bytes = try PNGImage.encode(picture)
    } catch {
      throw .encoderFailed(error.localizedDescription)
    }
    do {
      try LeftOvers.makeFolder(folder)
      try Data(bytes).write(to: plain)
      try Data(captions.utf8).write(to: folder.appendingPathComponent("captions.ass"))
    } catch {
      throw .unwritable(path: folder.path, reason: WriteFault.reason(error))
    }
    let data = try ChildProcess.output(
      "ffmpeg",
      [
        "-hide_banner", "-loglevel", "error", "-nostdin", "-i", plain.path, "-frames:v", "1",
        "-vf", "format=rgb24,subtitles=captions.ass", "-f", "rawvideo", "-pix_fmt", "rgba", "pipe:1",
      ], in: folder)
    guard let data, data.count == picture.pixels.count else {
      throw .encoderFailed("ffmpeg could not draw the texts")
    }
    return Picture(width: picture.width, height: picture.height, pixels: Array(data))
  }

  /// The texts in the form of Advanced SubStation, one event each.
  var captions: String {
    var text = """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: \(picture.width)
      PlayResY: \(picture.height)
      WrapStyle: 2

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, Outline, Shadow, Alignment
      Style: Caption,Sans,\(captionHeight * 3 / 4),&H00382A28,0,0,5

      [Events]
      Format: Start, End, Style, Text

      """
    for (row, line) in labels.enumerated() {
      for (column, label) in line.enumerated() {
        let (x, y) = origin(row: row, column: column)
        let place = "{\\pos(\(x + side / 2),\(y + side + captionHeight / 2))}"
        text += "Dialogue: 0:00:00.00,0:01:00.00,Caption,\(place)\(label)\n"
      }
    }
    return text
  }
}
