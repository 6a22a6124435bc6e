/// Draws triangles into a frame. All pointers are borrowed from the rasterizer.
struct SpanPainter {
  let pixels: UnsafeMutablePointer<UInt32>
  let width: Int
  let height: Int
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
    let du = Int32(max(-1e9, min(1e9, t.dudx * 65_536)))
    let dv = Int32(max(-1e9, min(1e9, t.dvdx * 65_536)))
    var row = t.top
    while row < t.bottom {
      let (start, end) = t.span(row, width: width)
      if end > start {
        let dx = Float(start) + 0.5 - t.a.x
        let dy = Float(row) + 0.5 - t.a.y
        let u = t.a.u + dx * t.dudx + dy * t.dudy
        let v = t.a.v + dx * t.dvdx + dy * t.dvdy
        let length = end &- start
        let last = Float(length &- 1)
        let near = SIMD2(u, v)
        let far = SIMD2(u + t.dudx * last, v + t.dvdx * last)
        if inside(near, t) && inside(far, t) {
          span(row, start, length, Int32(u * 65_536), Int32(v * 65_536), du, dv, way)
        } else {
          let from = near.clamped(lowerBound: t.low, upperBound: t.high)
          let to = far.clamped(lowerBound: t.low, upperBound: t.high)
          let step = length > 1 ? (to - from) / last * 65_536 : SIMD2<Float>(0, 0)
          span(
            row, start, length, Int32(from.x * 65_536), Int32(from.y * 65_536), Int32(step.x),
            Int32(step.y), way)
        }
      }
      row &+= 1
    }
  }

  @inline(__always)
  private func inside(_ p: SIMD2<Float>, _ t: TriangleSetup) -> Bool {
    p.x >= t.low.x - 0.5 && p.x <= t.high.x + 0.5 && p.y >= t.low.y - 0.5 && p.y <= t.high.y + 0.5
  }

  @inline(__always)
  private func span<Way: SpanWay>(
    _ row: Int, _ start: Int, _ length: Int, _ u: Int32, _ v: Int32, _ du: Int32, _ dv: Int32,
    _ way: Way.Type
  ) {
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
      // Lanes past the end repeat the last pixel, so that no texel outside the triangle is read.
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
