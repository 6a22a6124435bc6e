/// Where an edge crosses the middles of rows, in 1/2³² pixel.
///
/// Both triangles that share an edge walk it from the same end and row, so their places are equal.
struct EdgeWalk {
  private var place: Int64
  private let step: Int64

  /// From `p` down to `q`; `row` is the first row of the frame whose middle is not above `p`.
  @inline(__always)
  init(_ p: RasterCorner, _ q: RasterCorner, row: Int) {
    let slope = q.y > p.y ? (q.x - p.x) / (q.y - p.y) : 0
    let x = p.x + (Float(row) + 0.5 - p.y) * slope
    place = Int64(max(-100_000, min(100_000, x)) * PlaceWalk.unit)
    // An edge flatter than the limit crosses the middle of one row at most: its step is not used.
    step = Int64(max(-70_000, min(70_000, slope)) * PlaceWalk.unit)
  }

  /// First pixel of the row whose middle is not left of the edge.
  @inline(__always)
  var pixel: Int { Int(truncatingIfNeeded: (place &+ 0x7FFF_FFFF) >> 32) }

  @inline(__always)
  mutating func advance() { place = place &+ step }
}

/// One texture coordinate along the rows of a triangle, in 1/2³² texel.
struct PlaceWalk {
  static let unit: Float = 4_294_967_296

  /// At pixel 0 of the triangle's first row.
  let start: Int64
  /// From a pixel to the next, and from a row to the next.
  let across: Int64
  let down: Int64
  private let low: Int64
  private let high: Int64
  private static let half: Int64 = 1 << 31

  /// `place` belongs to the uppermost corner of the triangle; its corners lie within `low`...`high`.
  @inline(__always)
  init(_ place: Float, _ across: Float, _ down: Float, _ t: TriangleSetup, low: Float, high: Float) {
    let unit = Double(Self.unit)
    let x = Double(max(-4096, min(4096, across)))
    let y = Double(max(-4096, min(4096, down)))
    let first = Double(place) + (0.5 - Double(t.a.x)) * x + (Double(t.top) + 0.5 - Double(t.a.y)) * y
    start = Int64(first * unit)
    self.across = Int64(x * unit)
    self.down = Int64(y * unit)
    self.low = Int64(low * Self.unit)
    self.high = Int64(high * Self.unit)
  }

  /// Whether both ends of a row are within half a texel of the corners.
  @inline(__always)
  func contains(_ near: Int64, _ far: Int64) -> Bool {
    min(near, far) >= low &- Self.half && max(near, far) <= high &+ Self.half
  }

  /// The start and the step (1/65536 texel) of a row whose ends are moved to between the corners.
  @inline(__always)
  func bounded(_ near: Int64, _ far: Int64, _ last: Int64) -> (near: Int64, step: Int32) {
    let from = max(low, min(high, near))
    let to = max(low, min(high, far))
    return (from, last > 0 ? Int32(truncatingIfNeeded: ((to &- from) / last) >> 16) : 0)
  }
}
