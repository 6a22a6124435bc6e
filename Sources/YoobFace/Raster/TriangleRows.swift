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

/// Where the pixels of a triangle lie in its texture.
struct TexelWalk {
  private let u: PlaceWalk
  private let v: PlaceWalk
  private let top: Int

  @inline(__always)
  init(_ t: TriangleSetup) {
    u = PlaceWalk(t.a.u, t.dudx, t.dudy, t, low: t.low.x, high: t.high.x)
    v = PlaceWalk(t.a.v, t.dvdx, t.dvdy, t, low: t.low.y, high: t.high.y)
    top = t.top
  }

  /// The places of `length` pixels of a row, beginning with pixel `start`.
  @inline(__always)
  func row(_ row: Int, _ start: Int, _ length: Int) -> TexelRow {
    let lines = Int64(truncatingIfNeeded: row &- top)
    let first = Int64(truncatingIfNeeded: start)
    let last = Int64(truncatingIfNeeded: length &- 1)
    var uNear = u.start &+ u.down &* lines &+ u.across &* first
    var vNear = v.start &+ v.down &* lines &+ v.across &* first
    var du = Int32(truncatingIfNeeded: u.across >> 16)
    var dv = Int32(truncatingIfNeeded: v.across >> 16)
    let uFar = uNear &+ u.across &* last
    let vFar = vNear &+ v.across &* last
    if !(u.contains(uNear, uFar) && v.contains(vNear, vFar)) {
      (uNear, du) = u.bounded(uNear, uFar, last)
      (vNear, dv) = v.bounded(vNear, vFar, last)
    }
    return TexelRow(
      u: Int32(truncatingIfNeeded: uNear >> 16), v: Int32(truncatingIfNeeded: vNear >> 16), du: du, dv: dv)
  }
}

extension TriangleSetup {
  /// Calls `body` with the row, the first pixel and the number of pixels of each row that has some.
  @inline(__always)
  func forEachRow(width: Int, _ body: (_ row: Int, _ start: Int, _ length: Int) -> Void) {
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
      row &+= 1
    }
  }
}
