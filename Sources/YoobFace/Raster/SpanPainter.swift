/// Draws triangles into a frame. All pointers are borrowed from the rasterizer.
struct SpanPainter {
  let pixels: UnsafeMutablePointer<UInt32>
  let width: Int
  let height: Int
  let texels: UnsafePointer<UInt32>
  let stride: Int
  let extents: TexelExtents
  /// Coverage that cuts the layer, or nil.
  let clip: UnsafeMutablePointer<UInt8>?
  /// Coverage that the layer writes, or nil.
  let mask: UnsafeMutablePointer<UInt8>?
  let blend: BlendMode
  /// 0...256.
  let opacity: UInt32
  let paints: Bool

  /// Texels from one pixel to the next up to which three more pixels stay within the margin.
  private static let dense: Float = 1.75

  @inline(__always)
  func fill(_ t: TriangleSetup, content: TriangleTable.Content) {
    guard blend == .normal, paints, opacity == 256 || (clip == nil && mask == nil) else {
      return walk(t, GeneralSpan.self)
    }
    switch (clip != nil, mask != nil) {
    case (false, false):
      if opacity < 256 {
        walk(t, FadedSpan.self)
      } else if content == .opaque {
        walk(t, CopySpan.self)
      } else {
        walk(t, OverSpan.self)
      }
    case (false, true):
      if content == .opaque { walk(t, CopyMaskSpan.self) } else { walk(t, OverMaskSpan.self) }
    case (true, false): walk(t, OverClipSpan.self)
    case (true, true): walk(t, GeneralSpan.self)
    }
  }

  @inline(never)
  private func walk<Way: SpanWay>(_ t: TriangleSetup, _ way: Way.Type) {
    let isDense = abs(t.dudx) < Self.dense && abs(t.dvdx) < Self.dense
    let u = PlaceWalk(t.a.u, t.dudx, t.dudy, t, low: t.low.x, high: t.high.x)
    let v = PlaceWalk(t.a.v, t.dvdx, t.dvdy, t, low: t.low.y, high: t.high.y)
    var left = t.longIsLeft ? t.long : t.upper
    var right = t.longIsLeft ? t.upper : t.long
    var uRow = u.start
    var vRow = v.start
    var row = t.top
    while row < t.bottom {
      if row == t.middle {
        if t.longIsLeft { right = t.lower } else { left = t.lower }
      }
      let start = max(0, left.pixel)
      let length = min(width, right.pixel) &- start
      if length > 0 {
        let last = Int64(truncatingIfNeeded: length &- 1)
        var uNear = uRow &+ u.across &* Int64(truncatingIfNeeded: start)
        var vNear = vRow &+ v.across &* Int64(truncatingIfNeeded: start)
        var du = Int32(truncatingIfNeeded: u.across >> 16)
        var dv = Int32(truncatingIfNeeded: v.across >> 16)
        let uFar = uNear &+ u.across &* last
        let vFar = vNear &+ v.across &* last
        if !(u.contains(uNear, uFar) && v.contains(vNear, vFar)) {
          (uNear, du) = u.bounded(uNear, uFar, last)
          (vNear, dv) = v.bounded(vNear, vFar, last)
        }
        span(
          row, start, length, Int32(truncatingIfNeeded: uNear >> 16),
          Int32(truncatingIfNeeded: vNear >> 16), du, dv, isDense, way)
      }
      left.advance()
      right.advance()
      uRow = uRow &+ u.down
      vRow = vRow &+ v.down
      row &+= 1
    }
  }

  @inline(__always)
  private func span<Way: SpanWay>(
    _ row: Int, _ start: Int, _ length: Int, _ u: Int32, _ v: Int32, _ du: Int32, _ dv: Int32,
    _ isDense: Bool, _ way: Way.Type
  ) {
    var start = start
    var length = length
    var u = u
    var v = v
    if Way.skipsEmpty {
      let seen = extents.trim(u: u, v: v, du: du, dv: dv, length: length)
      if seen.length == 0 { return }
      let skipped = Int32(truncatingIfNeeded: seen.skipped)
      start &+= seen.skipped
      length = seen.length
      u = u &+ du &* skipped
      v = v &+ dv &* skipped
    }
    let place = row &* width &+ start
    let line = pixels + place
    Way.begin(self, place, length)
    let su = SIMD4<Int32>(0, du, du &* 2, du &* 3)
    let sv = SIMD4<Int32>(0, dv, dv &* 2, dv &* 3)
    var us = SIMD4<Int32>(repeating: u) &+ su
    var vs = SIMD4<Int32>(repeating: v) &+ sv
    let du4 = SIMD4<Int32>(repeating: du &* 4)
    let dv4 = SIMD4<Int32>(repeating: dv &* 4)
    var x = 0
    while x &+ 4 <= length {
      four(line + x, place &+ x, us, vs, 4, way)
      us = us &+ du4
      vs = vs &+ dv4
      x &+= 4
    }
    let rest = length &- x
    if rest > 0 {
      if isDense {
        // Lanes past the end stay within the margin of the texture.
        four(line + x, place &+ x, us, vs, rest, way)
        return
      }
      // Lanes past the end repeat the last pixel, so that no texel outside the texture is read.
      let lanes = SIMD4<Int32>(0, 1, 2, 3)
      let end = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: rest &- 1))
      let capped = lanes.replacing(with: end, where: lanes .> end)
      let ut = SIMD4<Int32>(repeating: us[0]) &+ capped &* SIMD4(repeating: du)
      let vt = SIMD4<Int32>(repeating: vs[0]) &+ capped &* SIMD4(repeating: dv)
      four(line + x, place &+ x, ut, vt, rest, way)
    }
  }

  @inline(__always)
  private func four<Way: SpanWay>(
    _ target: UnsafeMutablePointer<UInt32>, _ place: Int, _ u: SIMD4<Int32>, _ v: SIMD4<Int32>,
    _ count: Int, _ way: Way.Type
  ) {
    let sample = BilinearSample(
      texels, stride: UInt32(truncatingIfNeeded: stride), unsafeBitCast(u, to: SIMD4<UInt32>.self),
      unsafeBitCast(v, to: SIMD4<UInt32>.self))
    Way.paint(sample, self, target, place, count)
  }

  @inline(__always)
  func general(
    _ colour: PixelBlock, _ target: UnsafeMutablePointer<UInt32>, _ place: Int, _ count: Int
  ) {
    var block = colour
    if opacity != 256 { block = block.scaled(SIMD4(repeating: opacity)) }
    if let clip { block = Self.clipped(block, clip + place) }
    if let mask { Self.write(block.alpha, to: mask + place, count) }
    guard paints else { return }
    let below = PixelBlock(Self.load(target))
    switch blend {
    case .normal: Self.store(block.over(below).packed, target, count)
    case .multiply: Self.store(block.multiplied(into: below).packed, target, count)
    case .add: Self.store(block.added(to: below).packed, target, count)
    }
  }

  /// A block cut by the coverage of its pixels.
  @inline(__always)
  static func clipped(_ block: PixelBlock, _ cover: UnsafeMutablePointer<UInt8>) -> PixelBlock {
    block.scaled(
      PixelBlock.widened(
        SIMD4<UInt32>(UInt32(cover[0]), UInt32(cover[1]), UInt32(cover[2]), UInt32(cover[3]))))
  }

  @inline(__always)
  static func write(
    _ alpha: SIMD4<UInt32>, to cover: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for lane in 0..<count { cover[lane] = UInt8(truncatingIfNeeded: alpha[lane]) }
  }

  /// Four pixels; the frame has room for three more than its last.
  @inline(__always)
  static func load(_ source: UnsafeMutablePointer<UInt32>) -> SIMD4<UInt32> {
    UnsafeRawPointer(source).loadUnaligned(as: SIMD4<UInt32>.self)
  }

  @inline(__always)
  static func store(
    _ packed: SIMD4<UInt32>, _ target: UnsafeMutablePointer<UInt32>, _ count: Int
  ) {
    if count == 4 {
      UnsafeMutableRawPointer(target).storeBytes(of: packed, as: SIMD4<UInt32>.self)
    } else {
      // The pixels past the end are written back as they were: no branch depends on their number.
      let end = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: count))
      let merged = load(target).replacing(with: packed, where: SIMD4<Int32>(0, 1, 2, 3) .< end)
      UnsafeMutableRawPointer(target).storeBytes(of: merged, as: SIMD4<UInt32>.self)
    }
  }
}
