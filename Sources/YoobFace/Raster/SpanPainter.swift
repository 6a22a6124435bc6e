/// Paints the spans of one layer into a frame. All pointers are borrowed from the rasterizer.
struct SpanPainter {
  let pixels: UnsafeMutablePointer<UInt32>
  let texels: UnsafePointer<UInt32>
  let stride: Int
  /// Coverage that cuts the layer, or nil.
  let clip: UnsafeMutablePointer<UInt8>?
  /// Coverage that the layer writes, or nil.
  let mask: UnsafeMutablePointer<UInt8>?
  let blend: BlendMode
  /// 0...256.
  let opacity: UInt32
  let paints: Bool

  /// Texels (1/65536) from one pixel to the next up to which three more pixels stay within the margin.
  private static let dense: Int32 = 114_688

  /// Whether opaque texels replace what is below.
  var replaces: Bool { paints && blend == .normal && opacity == 256 && clip == nil }
  /// Whether opaque texels fill the mask.
  var fills: Bool { mask != nil && opacity == 256 && clip == nil && (blend == .normal || !paints) }

  /// Paints spans, the last first.
  func paint(_ spans: SpanBuffer, _ range: Range<Int>) {
    guard blend == .normal, paints else { return paint(spans, range, GeneralSpan.self) }
    switch (clip != nil, mask != nil) {
    case (false, false) where opacity == 256: paint(spans, range, OverSpan.self)
    case (false, false): paint(spans, range, FadedSpan.self)
    case (false, true) where opacity == 256: paint(spans, range, OverMaskSpan.self)
    case (true, false) where opacity == 256: paint(spans, range, OverClipSpan.self)
    case (true, false): paint(spans, range, FadedClipSpan.self)
    default: paint(spans, range, GeneralSpan.self)
    }
  }

  @inline(never)
  private func paint<Way: SpanWay>(_ spans: SpanBuffer, _ range: Range<Int>, _ way: Way.Type) {
    var index = range.upperBound
    while index > range.lowerBound {
      index &-= 1
      let next = spans[index]
      let place = Int(next.place)
      let length = Int(next.length)
      switch next.kind {
      case .blend: span(place, length, next.texel, way)
      case .copy: span(place, length, next.texel, CopySpan.self)
      case .fill: mask?.advanced(by: place).update(repeating: 255, count: length)
      }
    }
  }

  @inline(__always)
  private func span<Way: SpanWay>(_ place: Int, _ length: Int, _ texel: TexelRow, _ way: Way.Type) {
    let (u, v, du, dv) = (texel.u, texel.v, texel.du, texel.dv)
    let line = pixels + place
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
      if abs(du) < Self.dense && abs(dv) < Self.dense {
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
