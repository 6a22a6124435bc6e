import Testing

@testable import YoobFace

@Suite("Hidden pixels")
struct HiddenPixelsTests {
  private static let width = 150
  private static let height = 21

  @Test("spans and rectangles are told apart as by a plain table of pixels")
  func matchesTable() {
    var random = SeededGenerator(seed: 12)
    let width = Self.width
    let height = Self.height
    for round in 0..<30 {
      let hidden = HiddenPixels(width: width, height: height)
      var table = [Bool](repeating: false, count: width * height)
      for _ in 0..<(round * 12) {
        let row = Int(random.next() % UInt64(height))
        let start = Int(random.next() % UInt64(width))
        let length = 1 + Int(random.next() % UInt64(width - start))
        hidden.cover(row, start, length)
        for x in start..<(start + length) { table[row * width + x] = true }
      }
      hidden.settle(from: 0, to: height)
      for _ in 0..<300 {
        let row = Int(random.next() % UInt64(height))
        let start = Int(random.next() % UInt64(width))
        let length = 1 + Int(random.next() % UInt64(width - start))
        let seen = (0..<length).filter { !table[row * width + start + $0] }
        let kept = hidden.trim(row, start, length)
        #expect(kept.length == (seen.isEmpty ? 0 : seen[seen.count - 1] - seen[0] + 1))
        #expect(seen.isEmpty || kept.skipped == seen[0])
        let bottom = row + Int(random.next() % UInt64(height - row))
        let box = (row...bottom).flatMap { y in (0..<length).map { table[y * width + start + $0] } }
        if hidden.hides(left: start, top: row, right: start + length - 1, bottom: bottom) {
          #expect(box.allSatisfy { $0 })
        }
      }
    }
  }

  @Test("a rectangle of hidden bands is known to be hidden, and nothing is after a clear")
  func bands() {
    let hidden = HiddenPixels(width: Self.width, height: Self.height)
    for row in 0..<16 { hidden.cover(row, 3, 140) }
    hidden.settle(from: 0, to: 16)
    #expect(hidden.hides(left: 3, top: 1, right: 142, bottom: 15))
    #expect(!hidden.hides(left: 2, top: 1, right: 142, bottom: 15))
    #expect(!hidden.hides(left: 3, top: 1, right: 143, bottom: 15))
    #expect(!hidden.hides(left: 3, top: 1, right: 142, bottom: 16))
    hidden.clear()
    #expect(!hidden.hides(left: 3, top: 1, right: 3, bottom: 1))
    #expect(hidden.trim(4, 0, 150) == (0, 150))
  }

  @Test("whole words that are hidden are left out of a row")
  func open() {
    let hidden = HiddenPixels(width: 200, height: 2)
    hidden.cover(1, 60, 70)
    var runs: [[Int]] = []
    hidden.forEachOpen(1, width: 200) { runs.append([$0, $1]) }
    #expect(runs == [[0, 64], [128, 72]])
    runs = []
    hidden.forEachOpen(0, width: 200) { runs.append([$0, $1]) }
    #expect(runs == [[0, 200]])
  }
}
