/// A corner on the screen with its place in a texture.
struct RasterCorner {
  /// Pixels.
  var x: Float
  var y: Float
  /// Texels, margin included, at the centre convention of bilinear sampling.
  var u: Float
  var v: Float

  @inline(__always)
  init(x: Float, y: Float, u: Float, v: Float) {
    self.x = x
    self.y = y
    self.u = u
    self.v = v
  }

  @inline(__always)
  init(_ seen: SIMD2<Float>, _ place: SIMD2<Float>) {
    self.init(x: seen.x, y: seen.y, u: place.x, v: place.y)
  }
}

/// A triangle made ready for walking its rows.
///
/// A pixel belongs to it when its centre lies inside; a centre on a left or top edge does, on a right or
/// bottom edge does not. Every edge is walked from its upper end with the same arithmetic for both
/// triangles that share it, so that they neither leave a gap nor draw a pixel twice.
struct TriangleSetup {
  let a: RasterCorner
  let b: RasterCorner
  let c: RasterCorner
  let top: Int
  let middle: Int
  let bottom: Int
  let dudx: Float
  let dvdx: Float
  let dudy: Float
  let dvdy: Float
  let low: SIMD2<Float>
  let high: SIMD2<Float>
  /// The edge from the upper to the lower end, and the two on the other side, which meet at `middle`.
  let long: EdgeWalk
  let upper: EdgeWalk
  let lower: EdgeWalk
  let longIsLeft: Bool

  /// Nil if no pixel of a frame of this size can belong to the triangle.
  @inline(__always)
  init?(_ p: RasterCorner, _ q: RasterCorner, _ r: RasterCorner, width: Int, height: Int) {
    let left = min(p.x, q.x, r.x)
    let right = max(p.x, q.x, r.x)
    let highest = min(p.y, q.y, r.y)
    let lowest = max(p.y, q.y, r.y)
    // The comparisons are false for values that are not numbers.
    guard right > 0, left < Float(width), lowest > 0, highest < Float(height), left > -30_000,
      right < 30_000, highest > -30_000, lowest < 30_000
    else { return nil }
    var a = p
    var b = q
    var c = r
    if Self.isBelow(a, b) { swap(&a, &b) }
    if Self.isBelow(b, c) { swap(&b, &c) }
    if Self.isBelow(a, b) { swap(&a, &b) }
    let top = Self.ceiling(a.y - 0.5)
    let bottom = Self.ceiling(c.y - 0.5)
    guard bottom > top else { return nil }
    let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
    guard abs(area) > 1e-4 else { return nil }
    self.a = a
    self.b = b
    self.c = c
    middle = max(0, min(height, Self.ceiling(b.y - 0.5)))
    self.top = max(0, top)
    self.bottom = min(height, bottom)
    let scale = 1 / area
    dudx = ((b.u - a.u) * (c.y - a.y) - (c.u - a.u) * (b.y - a.y)) * scale
    dvdx = ((b.v - a.v) * (c.y - a.y) - (c.v - a.v) * (b.y - a.y)) * scale
    dudy = ((b.x - a.x) * (c.u - a.u) - (c.x - a.x) * (b.u - a.u)) * scale
    dvdy = ((b.x - a.x) * (c.v - a.v) - (c.x - a.x) * (b.v - a.v)) * scale
    low = SIMD2(min(a.u, b.u, c.u), min(a.v, b.v, c.v))
    high = SIMD2(max(a.u, b.u, c.u), max(a.v, b.v, c.v))
    long = EdgeWalk(a, c, row: self.top)
    upper = EdgeWalk(a, b, row: self.top)
    lower = EdgeWalk(b, c, row: middle)
    longIsLeft = area > 0
  }

  @inline(__always)
  private static func isBelow(_ p: RasterCorner, _ q: RasterCorner) -> Bool {
    p.y > q.y || (p.y == q.y && p.x > q.x)
  }

  /// Smallest whole number not below `x`.
  @inline(__always)
  private static func ceiling(_ x: Float) -> Int {
    let whole = Int(x)
    return Float(whole) < x ? whole + 1 : whole
  }
}
