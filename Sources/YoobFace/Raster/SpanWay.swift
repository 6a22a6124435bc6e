/// What the inner loop does with four sampled pixels; a type, so that each loop is compiled on its own.
protocol SpanWay {
  static func paint(
    _ sample: BilinearSample, _ painter: SpanPainter, _ target: UnsafeMutablePointer<UInt32>, _ place: Int,
    _ count: Int)
}

/// Opaque texels replace what is below.
enum CopySpan: SpanWay {
  @inline(__always)
  static func paint(
    _ sample: BilinearSample, _ painter: SpanPainter, _ target: UnsafeMutablePointer<UInt32>, _ place: Int,
    _ count: Int
  ) {
    SpanPainter.store(sample.block.packed, target, count)
  }
}

/// Translucent texels lie over what is below.
enum OverSpan: SpanWay {
  @inline(__always)
  static func paint(
    _ sample: BilinearSample, _ painter: SpanPainter, _ target: UnsafeMutablePointer<UInt32>, _ place: Int,
    _ count: Int
  ) {
    if sample.isEmpty { return }
    SpanPainter.store(sample.block.over(PixelBlock(SpanPainter.load(target))).packed, target, count)
  }
}

/// As `OverSpan`, for a layer that is not fully opaque.
enum FadedSpan: SpanWay {
  @inline(__always)
  static func paint(
    _ sample: BilinearSample, _ painter: SpanPainter, _ target: UnsafeMutablePointer<UInt32>, _ place: Int,
    _ count: Int
  ) {
    if sample.isEmpty { return }
    let block = sample.block.scaled(SIMD4(repeating: painter.opacity))
    SpanPainter.store(block.over(PixelBlock(SpanPainter.load(target))).packed, target, count)
  }
}

/// Translucent texels whose alpha becomes the mask.
enum OverMaskSpan: SpanWay {
  @inline(__always)
  static func paint(
    _ sample: BilinearSample, _ painter: SpanPainter, _ target: UnsafeMutablePointer<UInt32>, _ place: Int,
    _ count: Int
  ) {
    guard let mask = painter.mask else { return }
    let block = sample.block
    SpanPainter.write(block.alpha, to: mask + place, count)
    SpanPainter.store(block.over(PixelBlock(SpanPainter.load(target))).packed, target, count)
  }
}

/// Texels that are cut by a mask.
enum OverClipSpan: SpanWay {
  @inline(__always)
  static func paint(
    _ sample: BilinearSample, _ painter: SpanPainter, _ target: UnsafeMutablePointer<UInt32>, _ place: Int,
    _ count: Int
  ) {
    guard let clip = painter.clip, !sample.isEmpty else { return }
    let cover = clip + place
    if UnsafeRawPointer(cover).loadUnaligned(as: UInt32.self) == 0 { return }
    let block = SpanPainter.clipped(sample.block, cover)
    SpanPainter.store(block.over(PixelBlock(SpanPainter.load(target))).packed, target, count)
  }
}

/// As `OverClipSpan`, for a layer that is not fully opaque.
enum FadedClipSpan: SpanWay {
  @inline(__always)
  static func paint(
    _ sample: BilinearSample, _ painter: SpanPainter, _ target: UnsafeMutablePointer<UInt32>, _ place: Int,
    _ count: Int
  ) {
    guard let clip = painter.clip, !sample.isEmpty else { return }
    let cover = clip + place
    if UnsafeRawPointer(cover).loadUnaligned(as: UInt32.self) == 0 { return }
    let block = SpanPainter.clipped(sample.block.scaled(SIMD4(repeating: painter.opacity)), cover)
    SpanPainter.store(block.over(PixelBlock(SpanPainter.load(target))).packed, target, count)
  }
}

/// Any combination of masks, clips, opacity and blend modes.
enum GeneralSpan: SpanWay {
  @inline(__always)
  static func paint(
    _ sample: BilinearSample, _ painter: SpanPainter, _ target: UnsafeMutablePointer<UInt32>, _ place: Int,
    _ count: Int
  ) {
    if painter.mask == nil && sample.isEmpty { return }
    painter.general(sample.block, target, place, count)
  }
}
