/// The pixels of a frame that layers in front cover completely, one bit each.
///
/// Layers are looked at from the front to the back. What is left out of a layer because it is hidden would
/// have been replaced, so that the picture is the same with and without.
final class HiddenPixels {
  private static let bandHeight = 8
  /// Bits that one question can see, wherever it begins in a byte.
  private static let reach = 57
  /// Bytes of room before the first and after the last row.
  private static let room = 8

  private let height: Int
  /// Bytes from one row to the next.
  private let stride: Int
  private let store: UnsafeMutablePointer<UInt8>
  private let rows: UnsafeMutableRawPointer
  /// For each band of rows, the pixels that are hidden in all of them.
  private let bands: UnsafeMutableRawPointer
  private let count: Int

  init(width: Int, height: Int) {
    self.height = height
    stride = (width + 63) / 64 * 8
    count = (height + (height + Self.bandHeight - 1) / Self.bandHeight) * stride + 3 * Self.room
    store = .allocate(capacity: count)
    store.initialize(repeating: 0, count: count)
    rows = UnsafeMutableRawPointer(store + Self.room)
    bands = rows + height * stride + Self.room
  }

  deinit { store.deallocate() }

  /// Nothing is hidden.
  func clear() { store.update(repeating: 0, count: count) }

  /// Hides `length` pixels of a row from `start` on.
  @inline(__always)
  func cover(_ row: Int, _ start: Int, _ length: Int) {
    var at = start
    var rest = length
    while rest > 0 {
      let part = min(rest, Self.reach)
      let word = rows + (row &* stride &+ at >> 3)
      let bits =
        ((1 as UInt64) &<< UInt64(truncatingIfNeeded: part) &- 1) &<< UInt64(truncatingIfNeeded: at & 7)
      word.storeBytes(of: word.loadUnaligned(as: UInt64.self) | bits, as: UInt64.self)
      at &+= part
      rest &-= part
    }
  }

  /// Brings what `hides` knows of some rows up to date.
  func settle(from top: Int, to bottom: Int) {
    var y = max(0, top) / Self.bandHeight * Self.bandHeight
    while y < min(height, bottom) {
      let band = bands + y / Self.bandHeight * stride
      let end = min(height, y + Self.bandHeight)
      for byte in Swift.stride(from: 0, to: stride, by: 8) {
        var all = UInt64.max
        for row in y..<end {
          all &= rows.loadUnaligned(fromByteOffset: row &* stride &+ byte, as: UInt64.self)
        }
        band.storeBytes(of: all, toByteOffset: byte, as: UInt64.self)
      }
      y = end
    }
  }

  /// Whether every pixel of a rectangle is known to be hidden; `right` and `bottom` belong to it.
  @inline(__always)
  func hides(left: Int, top: Int, right: Int, bottom: Int) -> Bool {
    var band = top / Self.bandHeight
    let last = bottom / Self.bandHeight
    while band <= last {
      var at = left
      while at <= right {
        let part = min(right &- at &+ 1, Self.reach)
        let bits = (1 as UInt64) &<< UInt64(truncatingIfNeeded: part) &- 1
        if hiddenBits(bands, band, at) & bits != bits { return false }
        at &+= part
      }
      band &+= 1
    }
    return true
  }

  /// Cuts hidden pixels off both ends of a span of at least one pixel; returns how many at the start, and
  /// how many remain.
  @inline(__always)
  func trim(_ row: Int, _ start: Int, _ length: Int) -> (skipped: Int, length: Int) {
    var first = 0
    while true {
      let seen = ~hiddenBits(rows, row, start &+ first)
      let gap = seen.trailingZeroBitCount
      if gap < Self.reach {
        first &+= gap
        break
      }
      first &+= Self.reach
      if first >= length { return (0, 0) }
    }
    if first >= length { return (0, 0) }
    // A pixel is seen, so the search from the end finds one.
    var end = length
    while true {
      let after = start &+ end
      let word = rows.loadUnaligned(
        fromByteOffset: row &* stride &+ ((after &+ 7) >> 3) &- 8, as: UInt64.self)
      let seen = ~(word &<< UInt64(truncatingIfNeeded: (0 &- after) & 7))
      let gap = seen.leadingZeroBitCount
      if gap < Self.reach { return (first, end &- gap &- first) }
      end &-= Self.reach
    }
  }

  /// Calls `body` with the runs of a row that are not hidden, in whole words of 64 pixels.
  @inline(__always)
  func forEachOpen(_ row: Int, width: Int, _ body: (_ start: Int, _ length: Int) -> Void) {
    var start = 0
    var x = 0
    while x < width {
      if rows.loadUnaligned(fromByteOffset: row &* stride &+ x >> 3, as: UInt64.self) == UInt64.max {
        if x > start { body(start, x &- start) }
        start = x &+ 64
      }
      x &+= 64
    }
    if width > start { body(start, width &- start) }
  }

  /// At least `reach` bits from pixel `x` of a line on.
  @inline(__always)
  private func hiddenBits(_ lines: UnsafeMutableRawPointer, _ line: Int, _ x: Int) -> UInt64 {
    lines.loadUnaligned(fromByteOffset: line &* stride &+ x >> 3, as: UInt64.self)
      &>> UInt64(truncatingIfNeeded: x & 7)
  }
}
