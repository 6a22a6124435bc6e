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
    var fetched = index
    while index > range.lowerBound {
      if index == fetched {
        fetched = max(range.lowerBound, index &- Self.ahead)
        fetch(spans, fetched..<index)
      }
      index &-= 1
      let next = spans[index]
      let place = Int(next.place)
      let length = Int(next.length)
      switch next.kind {
      case .blend: span(place, length, next.texel, way)
      case .over: span(place, length, next.texel, OverSpan.self)
      case .copy: span(place, length, next.texel, CopySpan.self)
      case .fill: mask?.advanced(by: place).update(repeating: 255, count: length)
      }
    }
  }

  /// Reads a texel and a pixel of each span, so that memory has them at hand when they are needed.
  ///
  /// Painting waits for memory most of the time otherwise: between two spans lies more work than the
  /// processor looks ahead.
  @inline(__always)
  private func fetch(_ spans: SpanBuffer, _ range: Range<Int>) {
    var sum: UInt32 = 0
    for index in range {
      let next = spans[index]
      let last = Int32(truncatingIfNeeded: next.length &- 1)
      let line = texels + Int((next.texel.v &+ next.texel.dv &* last) >> 16) &* stride
      sum |= line[Int(next.texel.u >> 16)]
      sum |= line[Int((next.texel.u &+ next.texel.du &* last) >> 16)]
      sum |= pixels[Int(next.place)] | pixels[Int(next.place) &+ Int(last)]
    }
    spans.fetched |= sum
  }

  /// Spans that are fetched together; what they touch fits the second cache.
  private static let ahead = 160

  @inline(__always)
  private func span<Way: SpanWay>(_ place: Int, _ length: Int, _ texel: TexelRow, _ way: Way.Type) {
    let line = pixels + place
    let down = stride &* 4
    let row = texel.v >> 16
    let last = (texel.v &+ texel.dv &* Int32(truncatingIfNeeded: length &- 1)) >> 16
    if row == last && abs(texel.du) < Self.dense {
      // Lanes past the end stay within the margin of the texture.
      let texels = UnsafeRawPointer(texels) + Int(row) &* down
      walk(line, place, length, texel, way) { places, _, _ in
        BilinearSample(line: texels, down: down, places)
      }
    } else {
      let texels = UnsafeRawPointer(texels)
      let isDense = abs(texel.du) < Self.dense && abs(texel.dv) < Self.dense
      walk(line, place, length, texel, way) { places, done, rest in
        // Otherwise they repeat the last place, so that no texel outside the texture is read.
        if rest == 4 || isDense { return BilinearSample(texels: texels, down: down, places) }
        var end = texel
        end.skip(done)
        return BilinearSample(texels: texels, down: down, PlaceQuad(end, ending: rest))
      }
    }
  }

  @inline(__always)
  private func walk<Way: SpanWay>(
    _ line: UnsafeMutablePointer<UInt32>, _ place: Int, _ length: Int, _ texel: TexelRow, _ way: Way.Type,
    _ sample: (_ places: PlaceQuad, _ done: Int, _ count: Int) -> BilinearSample
  ) {
    var places = PlaceQuad(texel)
    let step = PlaceStep(texel)
    var x = 0
    while x &+ 4 <= length {
      Way.paint(sample(places, x, 4), self, line + x, place &+ x, 4)
      places.advance(step)
      x &+= 4
    }
    let rest = length &- x
    if rest > 0 { Way.paint(sample(places, x, rest), self, line + x, place &+ x, rest) }
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
