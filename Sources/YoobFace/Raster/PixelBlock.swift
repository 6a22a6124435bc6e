/// Four pixels at a time, split into red-and-blue and green-and-alpha, 16 bits each.
///
/// Lane order of both halves: pixel 0 first; red before blue, green before alpha.
struct PixelBlock {
  var rb: SIMD8<UInt16>
  var ga: SIMD8<UInt16>

  @inline(__always)
  private static var mask: SIMD4<UInt32> { SIMD4(repeating: 0x00FF_00FF) }

  @inline(__always)
  init(rb: SIMD8<UInt16>, ga: SIMD8<UInt16>) {
    self.rb = rb
    self.ga = ga
  }

  /// From four packed pixels.
  @inline(__always)
  init(_ packed: SIMD4<UInt32>) {
    rb = unsafeBitCast(packed & Self.mask, to: SIMD8<UInt16>.self)
    ga = unsafeBitCast((packed &>> 8) & Self.mask, to: SIMD8<UInt16>.self)
  }

  /// Four packed pixels.
  @inline(__always)
  var packed: SIMD4<UInt32> {
    unsafeBitCast(rb, to: SIMD4<UInt32>.self) | (unsafeBitCast(ga, to: SIMD4<UInt32>.self) &<< 8)
  }

  /// Alpha of each pixel, 0...255.
  @inline(__always)
  var alpha: SIMD4<UInt32> { unsafeBitCast(ga, to: SIMD4<UInt32>.self) &>> 16 }

  /// All channels times a factor a pixel, 0...256 for 0...1.
  @inline(__always)
  func scaled(_ factor: SIMD4<UInt32>) -> PixelBlock {
    let f = Self.twice(factor)
    return PixelBlock(rb: (rb &* f) &>> 8, ga: (ga &* f) &>> 8)
  }

  /// The same 16-bit number in both halves of each 32-bit lane.
  @inline(__always)
  static func twice(_ x: SIMD4<UInt32>) -> SIMD8<UInt16> {
    unsafeBitCast(x | (x &<< 16), to: SIMD8<UInt16>.self)
  }

  /// 0...255 to 0...256.
  @inline(__always)
  static func widened(_ x: SIMD4<UInt32>) -> SIMD4<UInt32> { x &+ (x &>> 7) }

  /// This block over another, both premultiplied.
  @inline(__always)
  func over(_ below: PixelBlock) -> PixelBlock {
    let keep = Self.twice(SIMD4(repeating: 256) &- Self.widened(alpha))
    // Rounded, so that what is opaque stays exactly opaque.
    let half = SIMD8<UInt16>(repeating: 128)
    return PixelBlock(
      rb: rb &+ ((below.rb &* keep &+ half) &>> 8), ga: ga &+ ((below.ga &* keep &+ half) &>> 8))
  }

  /// This block multiplied into another: s·d + d·(1 - alpha); the alpha below stays.
  @inline(__always)
  func multiplied(into below: PixelBlock) -> PixelBlock {
    let keep = Self.twice(SIMD4(repeating: 256) &- Self.widened(alpha))
    let top = SIMD8<UInt16>(repeating: 255)
    let fr = Self.least(rb &+ (rb &>> 7) &+ keep, 256)
    let fg = Self.least(ga &+ (ga &>> 7) &+ keep, 256)
    let r = (below.rb &* fr) &>> 8
    let g = (below.ga &* fg) &>> 8
    return PixelBlock(rb: Self.least(r, 255), ga: Self.select(green: g & top, alpha: below.ga))
  }

  /// This block added to another; the alpha below stays.
  @inline(__always)
  func added(to below: PixelBlock) -> PixelBlock {
    let r = Self.least(rb &+ below.rb, 255)
    let g = Self.least(ga &+ below.ga, 255)
    return PixelBlock(rb: r, ga: Self.select(green: g, alpha: below.ga))
  }

  @inline(__always)
  private static func select(green: SIMD8<UInt16>, alpha: SIMD8<UInt16>) -> SIMD8<UInt16> {
    let low = SIMD4<UInt32>(repeating: 0x0000_FFFF)
    let g = unsafeBitCast(green, to: SIMD4<UInt32>.self) & low
    let a = unsafeBitCast(alpha, to: SIMD4<UInt32>.self) & ~low
    return unsafeBitCast(g | a, to: SIMD8<UInt16>.self)
  }

  @inline(__always)
  private static func least(_ x: SIMD8<UInt16>, _ limit: UInt16) -> SIMD8<UInt16> {
    let bound = SIMD8<UInt16>(repeating: limit)
    return x.replacing(with: bound, where: x .> bound)
  }
}

/// Four neighbouring places of a span, in a form made for sampling.
struct PlaceQuad {
  /// Places in 1/65536 texel, margin included, never negative.
  private var u: SIMD4<Int32>
  private var v: SIMD4<Int32>
  /// Their fractions, twice each.
  private(set) var fractionU: SIMD8<UInt16>
  private(set) var fractionV: SIMD8<UInt16>

  @inline(__always)
  init(_ row: TexelRow) {
    u = Self.lanes(row.u, row.du)
    v = Self.lanes(row.v, row.dv)
    fractionU = Self.fraction(u)
    fractionV = Self.fraction(v)
  }

  /// As the other, with the places from `count` on the same as the one before them.
  @inline(__always)
  init(_ row: TexelRow, ending count: Int) {
    let lanes = SIMD4<Int32>(0, 1, 2, 3)
    let end = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: count &- 1))
    let capped = lanes.replacing(with: end, where: lanes .> end)
    u = SIMD4(repeating: row.u) &+ capped &* SIMD4(repeating: row.du)
    v = SIMD4(repeating: row.v) &+ capped &* SIMD4(repeating: row.dv)
    fractionU = Self.fraction(u)
    fractionV = Self.fraction(v)
  }

  /// `x`, `x` + `step`, `x` + 2 `step`, `x` + 3 `step`.
  @inline(__always)
  private static func lanes(_ x: Int32, _ step: Int32) -> SIMD4<Int32> {
    let steps = SIMD4(repeating: step)
    let odd = steps & SIMD4(0, -1, 0, -1)
    let high = (steps &<< 1) & SIMD4(0, 0, -1, -1)
    return SIMD4(repeating: x) &+ odd &+ high
  }

  @inline(__always)
  fileprivate static func fraction(_ x: SIMD4<Int32>) -> SIMD8<UInt16> {
    PixelBlock.twice(unsafeBitCast(x, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0xFFFF))
  }

  /// Moves on by four places.
  @inline(__always)
  mutating func advance(_ step: PlaceStep) {
    u = u &+ step.u
    v = v &+ step.v
    fractionU = fractionU &+ step.fractionU
    fractionV = fractionV &+ step.fractionV
  }

  /// Columns and rows of the four places are the upper halves of the lanes.
  @inline(__always)
  var columns: SIMD8<UInt16> { unsafeBitCast(u, to: SIMD8<UInt16>.self) }

  @inline(__always)
  var rows: SIMD8<UInt16> { unsafeBitCast(v, to: SIMD8<UInt16>.self) }
}

/// What is added to four places to come to the next four.
struct PlaceStep {
  let u: SIMD4<Int32>
  let v: SIMD4<Int32>
  let fractionU: SIMD8<UInt16>
  let fractionV: SIMD8<UInt16>

  @inline(__always)
  init(_ row: TexelRow) {
    u = SIMD4(repeating: row.du &* 4)
    v = SIMD4(repeating: row.dv &* 4)
    fractionU = PlaceQuad.fraction(u)
    fractionV = PlaceQuad.fraction(v)
  }
}

/// Bilinear samples of four places in a texture.
struct BilinearSample {
  private let t0: SIMD4<UInt32>
  private let t1: SIMD4<UInt32>
  private let b0: SIMD4<UInt32>
  private let b1: SIMD4<UInt32>
  private let fx: SIMD8<UInt16>
  private let fy: SIMD8<UInt16>

  /// Places that lie on one row, which begins at `line`; the next is `down` bytes further.
  @inline(__always)
  init(line: UnsafeRawPointer, down: Int, _ places: PlaceQuad) {
    let columns = places.columns
    let first = Int(columns[1])
    let p = line + first &* 4
    if Int(columns[7]) &- first == 3 {
      // Places that end three columns further are neighbours.
      t0 = p.loadUnaligned(as: SIMD4<UInt32>.self)
      t1 = (p + 4).loadUnaligned(as: SIMD4<UInt32>.self)
      b0 = (p + down).loadUnaligned(as: SIMD4<UInt32>.self)
      b1 = (p + down + 4).loadUnaligned(as: SIMD4<UInt32>.self)
    } else {
      let q = line + Int(columns[3]) &* 4
      let r = line + Int(columns[5]) &* 4
      let s = line + Int(columns[7]) &* 4
      (t0, t1) = Self.columns(p, q, r, s)
      (b0, b1) = Self.columns(p + down, q + down, r + down, s + down)
    }
    fx = places.fractionU &>> 9
    fy = places.fractionV &>> 9
  }

  /// Places anywhere.
  @inline(__always)
  init(texels: UnsafeRawPointer, down: Int, _ places: PlaceQuad) {
    let columns = places.columns
    let rows = places.rows
    let p = texels + Int(rows[1]) &* down + Int(columns[1]) &* 4
    let q = texels + Int(rows[3]) &* down + Int(columns[3]) &* 4
    let r = texels + Int(rows[5]) &* down + Int(columns[5]) &* 4
    let s = texels + Int(rows[7]) &* down + Int(columns[7]) &* 4
    (t0, t1) = Self.columns(p, q, r, s)
    (b0, b1) = Self.columns(p + down, q + down, r + down, s + down)
    fx = places.fractionU &>> 9
    fy = places.fractionV &>> 9
  }

  /// The texels at four places, and those to the right of them.
  @inline(__always)
  private static func columns(
    _ p: UnsafeRawPointer, _ q: UnsafeRawPointer, _ r: UnsafeRawPointer, _ s: UnsafeRawPointer
  ) -> (SIMD4<UInt32>, SIMD4<UInt32>) {
    let even = unsafeBitCast(
      SIMD4(lowHalf: Self.pair(p), highHalf: Self.pair(r)), to: SIMD2<UInt64>.self)
    let odd = unsafeBitCast(
      SIMD4(lowHalf: Self.pair(q), highHalf: Self.pair(s)), to: SIMD2<UInt64>.self)
    let low = SIMD2<UInt64>(repeating: 0xFFFF_FFFF)
    let left = (even & low) | (odd &<< 32)
    let right = (even &>> 32) | (odd & ~low)
    return (unsafeBitCast(left, to: SIMD4<UInt32>.self), unsafeBitCast(right, to: SIMD4<UInt32>.self))
  }

  @inline(__always)
  private static func pair(_ p: UnsafeRawPointer) -> SIMD2<UInt32> {
    p.loadUnaligned(as: SIMD2<UInt32>.self)
  }

  /// Whether nothing can be seen in any of the four.
  @inline(__always)
  var isEmpty: Bool {
    let any = unsafeBitCast(t0 | t1 | b0 | b1, to: SIMD2<UInt64>.self)
    return any[0] | any[1] == 0
  }

  /// The four colours.
  @inline(__always)
  var block: PixelBlock {
    let left = SIMD8<UInt16>(repeating: 128) &- fx
    let w2 = (left &* fy) &>> 6
    let w3 = (fy &<< 1) &- w2
    let w0 = (left &* (SIMD8<UInt16>(repeating: 128) &- fy)) &>> 6
    let w1 = SIMD8<UInt16>(repeating: 256) &- (fy &<< 1) &- w0
    let a = PixelBlock(t0)
    let b = PixelBlock(t1)
    let c = PixelBlock(b0)
    let d = PixelBlock(b1)
    let half = SIMD8<UInt16>(repeating: 128)
    let rb = (a.rb &* w0) &+ (b.rb &* w1) &+ (c.rb &* w2) &+ (d.rb &* w3) &+ half
    let ga = (a.ga &* w0) &+ (b.ga &* w1) &+ (c.ga &* w2) &+ (d.ga &* w3) &+ half
    return PixelBlock(rb: rb &>> 8, ga: ga &>> 8)
  }
}
