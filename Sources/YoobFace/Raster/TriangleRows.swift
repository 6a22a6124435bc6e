/// A row of a triangle's pixels and where they lie in its texture, in 1/65536 texel.
struct TexelRow {
  /// Place of the first pixel, and what is added from a pixel to the next.
  var u: Int32
  var v: Int32
  let du: Int32
  let dv: Int32

  @inline(__always)
  mutating func skip(_ count: Int) {
    let skipped = Int32(truncatingIfNeeded: count)
    u = u &+ du &* skipped
    v = v &+ dv &* skipped
  }
}

/// Where the pixels of a triangle lie in its texture, row by row.
struct TexelWalk {
  private let u: PlaceWalk
  private let v: PlaceWalk
  /// The places of pixel 0 of the row.
  private var uRow: Int64
  private var vRow: Int64
  /// Whether every pixel is known to lie between the corners.
  private let isTame: Bool

  @inline(__always)
  init(_ t: TriangleSetup) {
    u = PlaceWalk(t.a.u, t.dudx, t.dudy, t, low: t.low.x, high: t.high.x)
    v = PlaceWalk(t.a.v, t.dvdx, t.dvdy, t, low: t.low.y, high: t.high.y)
    uRow = u.start
    vRow = v.start
    isTame = t.isTame
  }

  @inline(__always)
  mutating func advance() {
    uRow = uRow &+ u.down
    vRow = vRow &+ v.down
  }

  /// The places of `length` pixels of the row, beginning with pixel `start`; the first `skipped` of them
  /// are left out.
  @inline(__always)
  func row(_ start: Int, _ length: Int, skipped: Int = 0) -> TexelRow {
    let first = Int64(truncatingIfNeeded: start)
    let uNear = uRow &+ u.across &* first
    let vNear = vRow &+ v.across &* first
    var row = TexelRow(
      u: Int32(truncatingIfNeeded: uNear >> 16), v: Int32(truncatingIfNeeded: vNear >> 16),
      du: Int32(truncatingIfNeeded: u.across >> 16), dv: Int32(truncatingIfNeeded: v.across >> 16))
    if !isTame { row = bounded(uNear, vNear, length, row) }
    row.skip(skipped)
    return row
  }

  @inline(__always)
  private func bounded(_ uNear: Int64, _ vNear: Int64, _ length: Int, _ row: TexelRow) -> TexelRow {
    let last = Int64(truncatingIfNeeded: length &- 1)
    let uFar = uNear &+ u.across &* last
    let vFar = vNear &+ v.across &* last
    if u.contains(uNear, uFar) && v.contains(vNear, vFar) { return row }
    let (uFirst, du) = u.bounded(uNear, uFar, last)
    let (vFirst, dv) = v.bounded(vNear, vFar, last)
    return TexelRow(
      u: Int32(truncatingIfNeeded: uFirst >> 16), v: Int32(truncatingIfNeeded: vFirst >> 16), du: du, dv: dv)
  }
}

extension TriangleSetup {
  /// Whether the texture changes so evenly that no pixel lies more than half a texel beyond the corners.
  ///
  /// The places follow from one corner; where they meet the other two within a quarter, they keep to the
  /// triangle, and edges are too exact to add another.
  @inline(__always)
  var isTame: Bool {
    let steepest = max(abs(dudx), abs(dudy), abs(dvdx), abs(dvdy))
    let b = SIMD2(self.b.x - a.x, self.b.y - a.y)
    let c = SIMD2(self.c.x - a.x, self.c.y - a.y)
    let worst = max(
      abs(a.u + b.x * dudx + b.y * dudy - self.b.u), abs(a.u + c.x * dudx + c.y * dudy - self.c.u),
      abs(a.v + b.x * dvdx + b.y * dvdy - self.b.v), abs(a.v + c.x * dvdx + c.y * dvdy - self.c.v))
    return steepest < 64 && worst < 0.25
  }

  /// Calls `row` with the row, the first pixel and the number of pixels of each row that has some, and
  /// `next` after every row.
  @inline(__always)
  func forEachRow(
    width: Int, _ body: (_ row: Int, _ start: Int, _ length: Int) -> Void, next: () -> Void
  ) {
    var left = longIsLeft ? long : upper
    var right = longIsLeft ? upper : long
    var row = top
    while row < bottom {
      if row == middle {
        if longIsLeft { right = lower } else { left = lower }
      }
      let start = max(0, left.pixel)
      let length = min(width, right.pixel) &- start
      if length > 0 { body(row, start, length) }
      left.advance()
      right.advance()
      next()
      row &+= 1
    }
  }
}
