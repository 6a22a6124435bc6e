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

  /// What is known of the rows of a span.
  struct Row {
    var visible: Extent
    var opaque: Extent

    /// Whether all places of a span are known to be opaque.
    @inline(__always)
    func isOpaque(_ reach: TexelReach) -> Bool {
      reach.near >= opaque.first &<< 16 && reach.far < opaque.end &<< 16
    }

    /// The places that are known to be opaque: how many come before them, and their number.
    @inline(__always)
    func opaque(_ place: TexelRow, _ reach: TexelReach, length: Int) -> (skipped: Int, length: Int) {
      opaque.cut(place, reach, length: length)
    }

    /// The places that can show something: how many come before them, and their number.
    @inline(__always)
    func visible(_ place: TexelRow, _ reach: TexelReach, length: Int) -> (skipped: Int, length: Int) {
      visible.cut(place, reach, length: length)
    }
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

  /// What the rows of a span have in common, or nil if they are too many.
  @inline(__always)
  func extent(_ reach: TexelReach) -> Row? {
    guard reach.top >= 0, reach.bottom < count else { return nil }
    var all = rows[Int(reach.top)]
    if reach.top == reach.bottom { return all }
    guard reach.bottom &- reach.top < Self.reach else { return nil }
    var row = reach.top
    while row < reach.bottom {
      row &+= 1
      let more = rows[Int(row)]
      all.visible.first = min(all.visible.first, more.visible.first)
      all.visible.end = max(all.visible.end, more.visible.end)
      all.opaque.first = max(all.opaque.first, more.opaque.first)
      all.opaque.end = min(all.opaque.end, more.opaque.end)
    }
    return all
  }
}

/// What a span of places touches of a texture, its ends included.
struct TexelReach {
  /// Rows.
  let top: Int32
  let bottom: Int32
  /// Least and greatest place along the rows, in 1/65536 texel.
  let near: Int32
  let far: Int32

  @inline(__always)
  init(_ place: TexelRow, length: Int) {
    let last = Int32(truncatingIfNeeded: length &- 1)
    let begin = place.v >> 16
    let finish = (place.v &+ place.dv &* last) >> 16
    top = min(begin, finish)
    bottom = max(begin, finish)
    let end = place.u &+ place.du &* last
    near = min(place.u, end)
    far = max(place.u, end)
  }
}

extension TexelExtents.Extent {
  /// The places of a span that lie in the extent: how many come before them, and their number.
  @inline(__always)
  func cut(_ place: TexelRow, _ reach: TexelReach, length: Int) -> (skipped: Int, length: Int) {
    let from = first &<< 16
    let to = end &<< 16
    if from >= to || reach.far < from || reach.near >= to { return (0, 0) }
    if reach.near >= from && reach.far < to { return (0, length) }
    let u = place.u
    let du = place.du
    var skipped: Int32 = 0
    var final = Int32(truncatingIfNeeded: length &- 1)
    if du > 0 {
      if u < from { skipped = (from &- u &+ du &- 1) / du }
      if reach.far >= to { final = (to &- 1 &- u) / du }
    } else if du < 0 {
      let back = 0 &- du
      if u >= to { skipped = (u &- to) / back &+ 1 }
      if reach.near < from { final = (u &- from) / back }
    }
    return (Int(skipped), max(0, Int(final &- skipped) &+ 1))
  }
}
