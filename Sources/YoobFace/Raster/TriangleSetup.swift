/// A corner on the screen with its place in a texture.
struct RasterCorner {
  /// Pixels.
  var x: Float
  var y: Float
  /// Texels, margin included, at the centre convention of bilinear sampling.
  var u: Float
  var v: Float
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
  private let longSlope: Float
  private let upperSlope: Float
  private let lowerSlope: Float
  private let longIsLeft: Bool

  /// Nil if no pixel of a frame of this size can belong to the triangle.
  @inline(__always)
  init?(_ p: RasterCorner, _ q: RasterCorner, _ r: RasterCorner, width: Int, height: Int) {
    let left = min(p.x, q.x, r.x)
    let right = max(p.x, q.x, r.x)
    let upper = min(p.y, q.y, r.y)
    let lower = max(p.y, q.y, r.y)
    // The comparisons are false for values that are not numbers.
    guard right > 0, left < Float(width), lower > 0, upper < Float(height), left > -30_000,
      right < 30_000, upper > -30_000, lower < 30_000
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
    longSlope = (c.x - a.x) / (c.y - a.y)
    upperSlope = b.y > a.y ? (b.x - a.x) / (b.y - a.y) : 0
    lowerSlope = c.y > b.y ? (c.x - b.x) / (c.y - b.y) : 0
    longIsLeft = area > 0
  }

  /// First pixel and pixel after the last of a row, cut to the frame.
  @inline(__always)
  func span(_ row: Int, width: Int) -> (start: Int, end: Int) {
    let centre = Float(row) + 0.5
    let long = a.x + (centre - a.y) * longSlope
    let short =
      row < middle ? a.x + (centre - a.y) * upperSlope : b.x + (centre - b.y) * lowerSlope
    let left = longIsLeft ? long : short
    let right = longIsLeft ? short : long
    return (max(0, Self.ceiling(left - 0.5)), min(width, Self.ceiling(right - 0.5)))
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
