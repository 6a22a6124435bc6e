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

/// Bilinear samples of four places in a texture.
struct BilinearSample {
  /// Whether nothing can be seen in any of the four.
  let isEmpty: Bool
  private let t0: SIMD4<UInt32>
  private let t1: SIMD4<UInt32>
  private let b0: SIMD4<UInt32>
  private let b1: SIMD4<UInt32>
  private let fx: SIMD4<UInt32>
  private let fy: SIMD4<UInt32>

  /// `u` and `v` are places in 1/65536 texel, margin included, never negative.
  @inline(__always)
  init(_ texels: UnsafePointer<UInt32>, stride: UInt32, _ u: SIMD4<UInt32>, _ v: SIMD4<UInt32>) {
    let column = u &>> 16
    let row = v &>> 16
    let down = Int(stride) &* 4
    if row[0] == row[3] && column[3] &- column[0] == 3 {
      // Places on one line that end three columns further are neighbours.
      let p = UnsafeRawPointer(texels + Int(row[0] &* stride &+ column[0]))
      t0 = p.loadUnaligned(as: SIMD4<UInt32>.self)
      t1 = (p + 4).loadUnaligned(as: SIMD4<UInt32>.self)
      b0 = (p + down).loadUnaligned(as: SIMD4<UInt32>.self)
      b1 = (p + down + 4).loadUnaligned(as: SIMD4<UInt32>.self)
      let any = unsafeBitCast(t0 | t1 | b0 | b1, to: SIMD2<UInt64>.self)
      isEmpty = any[0] | any[1] == 0
    } else {
      let place = row &* SIMD4(repeating: stride) &+ column
      let p0 = UnsafeRawPointer(texels + Int(place[0]))
      let p1 = UnsafeRawPointer(texels + Int(place[1]))
      let p2 = UnsafeRawPointer(texels + Int(place[2]))
      let p3 = UnsafeRawPointer(texels + Int(place[3]))
      let a0 = p0.loadUnaligned(as: UInt64.self)
      let a1 = p1.loadUnaligned(as: UInt64.self)
      let a2 = p2.loadUnaligned(as: UInt64.self)
      let a3 = p3.loadUnaligned(as: UInt64.self)
      let c0 = (p0 + down).loadUnaligned(as: UInt64.self)
      let c1 = (p1 + down).loadUnaligned(as: UInt64.self)
      let c2 = (p2 + down).loadUnaligned(as: UInt64.self)
      let c3 = (p3 + down).loadUnaligned(as: UInt64.self)
      isEmpty = a0 | a1 | a2 | a3 | c0 | c1 | c2 | c3 == 0
      let top = SIMD8<UInt32>(lowHalf: Self.pair(a0, a1), highHalf: Self.pair(a2, a3))
      let bottom = SIMD8<UInt32>(lowHalf: Self.pair(c0, c1), highHalf: Self.pair(c2, c3))
      t0 = top.evenHalf
      t1 = top.oddHalf
      b0 = bottom.evenHalf
      b1 = bottom.oddHalf
    }
    fx = (u &>> 9) & SIMD4(repeating: 0x7F)
    fy = (v &>> 9) & SIMD4(repeating: 0x7F)
  }

  @inline(__always)
  private static func pair(_ a: UInt64, _ b: UInt64) -> SIMD4<UInt32> {
    unsafeBitCast(SIMD2<UInt64>(a, b), to: SIMD4<UInt32>.self)
  }

  /// The four colours.
  @inline(__always)
  var block: PixelBlock {
    let x = PixelBlock.twice(fx)
    let y = PixelBlock.twice(fy)
    let left = SIMD8<UInt16>(repeating: 128) &- x
    let w2 = (left &* y) &>> 6
    let w3 = (y &<< 1) &- w2
    let w0 = (left &* (SIMD8<UInt16>(repeating: 128) &- y)) &>> 6
    let w1 = SIMD8<UInt16>(repeating: 256) &- (y &<< 1) &- w0
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
