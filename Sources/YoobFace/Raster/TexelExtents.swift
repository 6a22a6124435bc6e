/// Where the visible texels of each row of a texture begin and end.
///
/// A bilinear sample reads two rows and two columns; a place outside the extent of its row reads only
/// texels of alpha 0.
final class TexelExtents {
  /// First place and place after the last that can be seen in a row, margin included; the first is not
  /// below the second if there is none.
  struct Extent {
    var first: Int32
    var end: Int32
  }

  /// Rows that one question may span.
  static let reach: Int32 = 4

  private let rows: UnsafeMutablePointer<Extent>
  private let count: Int32

  init(_ texture: RasterTexture) {
    let total = texture.height + 2 * RasterTexture.margin
    var own: [Extent] = []
    own.reserveCapacity(total + 1)
    for y in 0..<total {
      let texels = texture.texels + y * texture.stride
      var extent = Extent(first: Int32.max, end: 0)
      for x in 0..<texture.stride where texels[x] >> 24 != 0 {
        if extent.first == Int32.max { extent.first = Int32(x) }
        extent.end = Int32(x) + 1
      }
      own.append(extent)
    }
    own.append(Extent(first: Int32.max, end: 0))
    rows = .allocate(capacity: total)
    for y in 0..<total {
      let first = min(own[y].first, own[y + 1].first)
      // The place before the first visible texel blends it in.
      (rows + y).initialize(
        to: Extent(
          first: first == Int32.max ? 0x7FFF : max(0, first - 1), end: max(own[y].end, own[y + 1].end)))
    }
    count = Int32(total)
  }

  deinit { rows.deallocate() }

  /// Cuts a span of `length` places to those that can show something. Places are in 1/65536 texel.
  ///
  /// Returns the number of places to leave out at the start, and the number that remain.
  @inline(__always)
  func trim(
    u: Int32, v: Int32, du: Int32, dv: Int32, length: Int
  ) -> (skipped: Int, length: Int) {
    let last = Int32(truncatingIfNeeded: length &- 1)
    let begin = v >> 16
    let finish = (v &+ dv &* last) >> 16
    let low = min(begin, finish)
    let high = max(begin, finish)
    guard low >= 0, high < count, high &- low < Self.reach else { return (0, length) }
    var first = rows[Int(low)].first
    var end = rows[Int(low)].end
    var row = low &+ 1
    while row <= high {
      first = min(first, rows[Int(row)].first)
      end = max(end, rows[Int(row)].end)
      row &+= 1
    }
    if first >= end { return (0, 0) }
    // Places from `from` to before `to` can be seen.
    let from = first &<< 16
    let to = end &<< 16
    let far = u &+ du &* last
    if u >= from && u < to && far >= from && far < to { return (0, length) }
    if du == 0 { return (0, u >= from && u < to ? length : 0) }
    var skipped: Int32 = 0
    var final = last
    if du > 0 {
      if u < from { skipped = (from &- u &+ du &- 1) / du }
      if far >= to { final = u < to ? (to &- 1 &- u) / du : -1 }
    } else {
      let back = 0 &- du
      if u >= to { skipped = (u &- to) / back &+ 1 }
      if far < from { final = u >= from ? (u &- from) / back : -1 }
    }
    return (Int(skipped), max(0, Int(final &- skipped) &+ 1))
  }
}
