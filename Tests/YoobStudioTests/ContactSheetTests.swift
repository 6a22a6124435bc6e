import Testing
import YoobFace
import YoobPicture

@testable import YoobStudio

@Suite("Contact sheets")
struct ContactSheetTests {
  private static func tile(_ value: UInt8, side: Int) -> [UInt8] {
    [UInt8](repeating: value, count: side * side * 4)
  }

  private static func red(_ picture: Picture, _ x: Int, _ y: Int) -> UInt8 {
    picture.pixels[(y * picture.width + x) * 4]
  }

  @Test("the longest row decides the width, the rows and their texts the height")
  func size() {
    let sheet = ContactSheet(labels: [["a", "b", "c"], ["d"]], side: 128)
    #expect(sheet.picture.width == 3 * 128 + 2 * ContactSheet.gap)
    #expect(sheet.picture.height == 2 * (128 + sheet.captionHeight))
    #expect(sheet.picture.pixels.count == sheet.picture.width * sheet.picture.height * 4)
    #expect(sheet.captionHeight == 16)
  }

  @Test("a sheet without labels has no pixels")
  func empty() {
    let sheet = ContactSheet(labels: [], side: 128)
    #expect(sheet.picture.width == 0 && sheet.picture.height == 0 && sheet.picture.pixels.isEmpty)
  }

  @Test("each picture stands in its own place and leaves the paper around it alone")
  func places() {
    var sheet = ContactSheet(labels: [["a", "b"], ["c"]], side: 16)
    let paper = Self.red(sheet.picture, 0, 0)
    for (row, column, value) in [(0, 0, 10), (0, 1, 20), (1, 0, 30)] as [(Int, Int, UInt8)] {
      Self.tile(value, side: 16).withUnsafeBytes { sheet.place($0, row: row, column: column) }
    }
    for (row, column, value) in [(0, 0, 10), (0, 1, 20), (1, 0, 30)] as [(Int, Int, UInt8)] {
      let (x, y) = sheet.origin(row: row, column: column)
      for (dx, dy) in [(0, 0), (15, 0), (0, 15), (15, 15)] {
        #expect(Self.red(sheet.picture, x + dx, y + dy) == value)
      }
      #expect(Self.red(sheet.picture, x, y + 16) == paper)
    }
    #expect(Self.red(sheet.picture, 16, 0) == paper)
    #expect(Self.red(sheet.picture, sheet.picture.width - 1, sheet.picture.height - 1) == paper)
  }

  @Test("a picture of another size or place is left out")
  func refused() {
    var sheet = ContactSheet(labels: [["a"], []], side: 16)
    let before = sheet.picture
    Self.tile(1, side: 15).withUnsafeBytes { sheet.place($0, row: 0, column: 0) }
    for (row, column) in [(0, 1), (1, 0), (2, 0), (-1, 0), (0, -1)] {
      Self.tile(1, side: 16).withUnsafeBytes { sheet.place($0, row: row, column: column) }
    }
    #expect(sheet.picture == before)
  }

  @Test(
    "labels fill rows from the left", arguments: [(0, []), (1, [1]), (3, [3]), (7, [3, 3, 1]), (6, [3, 3])])
  func rows(count: Int, lengths: [Int]) {
    let labels = (0..<count).map { "\($0)" }
    let rows = ContactSheet.rows(of: labels, columns: 3)
    #expect(rows.map(\.count) == lengths)
    #expect(rows.flatMap { $0 } == labels)
  }

  @Test("every label has one line of caption below its picture")
  func captions() {
    let sheet = ContactSheet(labels: [["one", "two"], ["three"]], side: 128)
    let lines = sheet.captions.split(separator: "\n").filter { $0.hasPrefix("Dialogue") }
    #expect(lines.count == 3)
    #expect(lines[1].hasSuffix("{\\pos(196,136)}two"))
    #expect(lines[2].hasSuffix("{\\pos(64,280)}three"))
  }

  @Test("the sheet of a character shows every viseme, emotion, state and gesture once")
  func everything() {
    let labels = CharacterSheet.labels.flatMap { $0 }
    #expect(Set(labels).count == labels.count)
    #expect(CharacterSheet.labels.allSatisfy { $0.count <= 8 })
    for viseme in Viseme.allCases { #expect(labels.contains("\(viseme.name)")) }
    for emotion in FaceEmotion.allCases {
      for ending in ["", ", saying aa", ", saying PP"] {
        #expect(labels.contains("\(emotion)\(ending)"))
      }
    }
    for gesture in FaceGesture.allCases { #expect(labels.contains("\(gesture)")) }
    for name in [
      "is listening", "is thinking", "is speaking", "blink", "yaw −20°", "yaw +20°", "pitch +15°",
      "roll −10°",
    ] {
      #expect(labels.contains(name))
    }
  }

  @Test(
    "a strip has a picture every 80 ms and an end",
    arguments: [(0.0, 1, "0.00 s"), (0.8, 10, "0.72 s"), (0.81, 11, "0.80 s"), (60, 120, "9.52 s")])
  func strip(duration: Double, count: Int, last: String) {
    let labels = Filmstrip.labels(duration: duration)
    #expect(labels.reduce(0) { $0 + $1.count } == count)
    #expect(labels.allSatisfy { $0.count <= Filmstrip.columns })
    #expect(labels.last?.last == last)
  }
}
