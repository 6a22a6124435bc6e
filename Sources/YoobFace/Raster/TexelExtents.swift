/// Where the visible texels of each row of a texture begin and end, and the longest opaque run in it.
///
/// A bilinear sample reads two rows and two columns. A place outside the visible extent of its row reads
/// only texels of alpha 0, a place in its opaque run only texels of full alpha.
final class TexelExtents {
  /// Rows that one question may span.
  static let reach: Int32 = 4

  /// First place and place after the last, margin included; the first is not below the second if there
  /// is none.
  struct Extent {
    var first: Int32
    var end: Int32
  }

  private struct Row {
    var visible: Extent
    var opaque: Extent
  }

  /// Which places of a span count.
  struct Parts {
    /// Those that can show something: how many come before them, and their number.
    var skipped: Int
    var length: Int
    /// Those among them that are known to be opaque.
    var opaqueSkipped: Int
    var opaqueLength: Int
  }

  private let rows: UnsafeMutablePointer<Row>
  private let count: Int32

  init(_ texture: RasterTexture) {
    let total = texture.height + 2 * RasterTexture.margin
    rows = .allocate(capacity: total)
    for y in 0..<total {
      let upper = texture.texels + y * texture.stride
      let lower = y + 1 < total ? upper + texture.stride : upper
      (rows + y).initialize(to: Self.row(upper, lower, texture.stride))
    }
    count = Int32(total)
  }

  deinit { rows.deallocate() }

  private static func row(
    _ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>, _ count: Int
  ) -> Row {
    var visible = Extent(first: 0x7FFF, end: 0)
    var opaque = Extent(first: 0, end: 0)
    var start = 0
    for x in 0..<count {
      let next = min(x + 1, count - 1)
      if (upper[x] | lower[x] | upper[next] | lower[next]) >> 24 != 0 {
        if visible.first == 0x7FFF { visible.first = Int32(x) }
        visible.end = Int32(x) + 1
      }
      if x + 1 < count && (upper[x] & lower[x] & upper[next] & lower[next]) >> 24 == 255 { continue }
      if x - start > Int(opaque.end - opaque.first) { opaque = Extent(first: Int32(start), end: Int32(x)) }
      start = x + 1
    }
    return Row(visible: visible, opaque: opaque)
  }

  /// Divides a span of `length` places.
  @inline(__always)
  func parts(_ place: TexelRow, length: Int) -> Parts {
    let last = Int32(truncatingIfNeeded: length &- 1)
    let begin = place.v >> 16
    let finish = (place.v &+ place.dv &* last) >> 16
    let low = min(begin, finish)
    let high = max(begin, finish)
    guard low >= 0, high < count, high &- low < Self.reach else {
      return Parts(skipped: 0, length: length, opaqueSkipped: 0, opaqueLength: 0)
    }
    var visible = rows[Int(low)].visible
    var opaque = rows[Int(low)].opaque
    var row = low &+ 1
    while row <= high {
      let more = rows[Int(row)]
      visible = Extent(
        first: min(visible.first, more.visible.first), end: max(visible.end, more.visible.end))
      opaque = Extent(first: max(opaque.first, more.opaque.first), end: min(opaque.end, more.opaque.end))
      row &+= 1
    }
    let far = place.u &+ place.du &* last
    let near = min(place.u, far)
    let most = max(place.u, far)
    if near >= opaque.first &<< 16 && most < opaque.end &<< 16 {
      return Parts(skipped: 0, length: length, opaqueSkipped: 0, opaqueLength: length)
    }
    let seen = Self.cut(place, near, most, visible, length: length)
    let full = Self.cut(place, near, most, opaque, length: length)
    return Parts(
      skipped: seen.skipped, length: seen.length, opaqueSkipped: full.skipped, opaqueLength: full.length)
  }

  /// The places of a span that lie in an extent: how many come before them, and their number.
  @inline(__always)
  private static func cut(
    _ place: TexelRow, _ near: Int32, _ most: Int32, _ extent: Extent, length: Int
  ) -> (skipped: Int, length: Int) {
    let from = extent.first &<< 16
    let to = extent.end &<< 16
    if from >= to || most < from || near >= to { return (0, 0) }
    if near >= from && most < to { return (0, length) }
    let u = place.u
    let du = place.du
    var skipped: Int32 = 0
    var final = Int32(truncatingIfNeeded: length &- 1)
    if du > 0 {
      if u < from { skipped = (from &- u &+ du &- 1) / du }
      if most >= to { final = (to &- 1 &- u) / du }
    } else if du < 0 {
      let back = 0 &- du
      if u >= to { skipped = (u &- to) / back &+ 1 }
      if near < from { final = (u &- from) / back }
    }
    return (Int(skipped), max(0, Int(final &- skipped) &+ 1))
  }
}
