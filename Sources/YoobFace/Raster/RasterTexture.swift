/// One size of an atlas: premultiplied, with a margin that repeats the edge.
///
/// A texel is red | green << 8 | blue << 16 | alpha << 24.
final class RasterTexture {
  /// Texels of margin on every side.
  static let margin = 7

  let width: Int
  let height: Int
  /// Texels from one row to the next.
  let stride: Int
  let texels: UnsafeMutablePointer<UInt32>

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
    stride = width + 2 * Self.margin
    let count = stride * (height + 2 * Self.margin)
    texels = .allocate(capacity: count)
    texels.initialize(repeating: 0, count: count)
  }

  deinit { texels.deallocate() }

  /// From a picture with straight alpha.
  convenience init(straight image: PixelImage) {
    self.init(width: image.width, height: image.height)
    for y in 0..<height {
      let row = texels + (y + Self.margin) * stride + Self.margin
      for x in 0..<width {
        let i = (y * width + x) * 4
        let a = UInt32(image.rgba[i + 3])
        let r = (UInt32(image.rgba[i]) * a + 127) / 255
        let g = (UInt32(image.rgba[i + 1]) * a + 127) / 255
        let b = (UInt32(image.rgba[i + 2]) * a + 127) / 255
        row[x] = r | g << 8 | b << 16 | a << 24
      }
    }
    repeatEdges()
  }

  /// Half the size of another, each texel the mean of four.
  convenience init(half other: RasterTexture) {
    self.init(width: (other.width + 1) / 2, height: (other.height + 1) / 2)
    for y in 0..<height {
      let row = texels + (y + Self.margin) * stride + Self.margin
      let top = other.texels + (2 * y + Self.margin) * other.stride + Self.margin
      let bottom = top + other.stride
      for x in 0..<width {
        row[x] = Self.mean(top[2 * x], top[2 * x + 1], bottom[2 * x], bottom[2 * x + 1])
      }
    }
    repeatEdges()
  }

  /// The part of another that begins at `x`, `y` and has the given size, all within it.
  convenience init(_ other: RasterTexture, x: Int, y: Int, width: Int, height: Int) {
    self.init(width: width, height: height)
    for row in 0..<height {
      (texels + (row + Self.margin) * stride + Self.margin).update(
        from: other.texels + (y + row + Self.margin) * other.stride + x + Self.margin, count: width)
    }
    repeatEdges()
  }

  /// A smaller copy, `factor` (below 1) times the size of another, by a stretched cubic filter.
  convenience init(_ other: RasterTexture, reducedBy factor: Float) {
    self.init(
      width: max(1, Int(Float(other.width) * factor + 0.5)),
      height: max(1, Int(Float(other.height) * factor + 0.5)))
    let columns = ReductionFilter(from: other.width, to: width)
    let rows = ReductionFilter(from: other.height, to: height)
    // Rows of the source, already narrowed; each is needed for a few rows of the copy.
    let kept = rows.taps
    let lines = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: (kept + 1) * width)
    lines.initialize(repeating: .zero, count: (kept + 1) * width)
    defer { lines.deallocate() }
    var narrowed = -1
    for y in 0..<height {
      let first = rows.firsts[y]
      while narrowed < min(other.height - 1, first + kept - 1) {
        narrowed += 1
        guard narrowed >= first else { continue }
        let source = other.texels + (narrowed + Self.margin) * other.stride + Self.margin
        columns.narrow(source, to: lines + (narrowed % kept) * width, count: width)
      }
      let sums = lines + kept * width
      sums.update(repeating: .zero, count: width)
      for tap in 0..<kept {
        let line = lines + ((first + tap) % kept) * width
        let weight = rows.weights[y * kept + tap]
        for x in 0..<width { sums[x] += line[x] * weight }
      }
      let row = texels + (y + Self.margin) * stride + Self.margin
      for x in 0..<width { row[x] = Self.packed(sums[x]) }
    }
    repeatEdges()
  }

  /// Rounds, and keeps colours within their alpha.
  private static func packed(_ colour: SIMD4<Float>) -> UInt32 {
    let alpha = max(0, min(255, colour.w + 0.5))
    let limit = SIMD4(repeating: alpha)
    let bounded = (colour + 0.5).clamped(lowerBound: .zero, upperBound: limit)
    return UInt32(bounded.x) | UInt32(bounded.y) << 8 | UInt32(bounded.z) << 16 | UInt32(alpha) << 24
  }

  private static func mean(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
    let mask: UInt32 = 0x00FF_00FF
    let half: UInt32 = 0x0002_0002
    let even = ((a & mask) + (b & mask) + (c & mask) + (d & mask) + half) >> 2 & mask
    let odd = ((a >> 8 & mask) + (b >> 8 & mask) + (c >> 8 & mask) + (d >> 8 & mask) + half) >> 2 & mask
    return even | odd << 8
  }

  private func repeatEdges() {
    guard width > 0, height > 0 else { return }
    let m = Self.margin
    for y in m..<(m + height) {
      let row = texels + y * stride
      for x in 0..<m {
        row[x] = row[m]
        row[m + width + x] = row[m + width - 1]
      }
    }
    for y in 0..<m {
      (texels + y * stride).update(from: texels + m * stride, count: stride)
      (texels + (m + height + y) * stride).update(from: texels + (m + height - 1) * stride, count: stride)
    }
  }
}

/// Weights for making a row of pixels shorter.
private struct ReductionFilter {
  /// Source pixels that a target pixel is made of.
  let taps: Int
  /// First of them, for each target pixel.
  let firsts: [Int]
  /// `taps` weights for each target pixel; they sum to 1.
  let weights: [Float]

  init(from source: Int, to target: Int) {
    let ratio = max(1, Float(source) / Float(target))
    let taps = min(source, Int(4 * ratio) + 2)
    var firsts: [Int] = []
    var weights: [Float] = []
    for index in 0..<target {
      let centre = (Float(index) + 0.5) * Float(source) / Float(target) - 0.5
      let first = max(0, min(source - taps, Int(centre - 2 * ratio + 1)))
      let row = (0..<taps).map { Self.cubic((Float(first + $0) - centre) / ratio) }
      let sum = row.reduce(0, +)
      firsts.append(first)
      weights += row.map { $0 / sum }
    }
    self.taps = taps
    self.firsts = firsts
    self.weights = weights
  }

  /// Catmull and Rom's cubic.
  private static func cubic(_ x: Float) -> Float {
    let t = abs(x)
    if t >= 2 { return 0 }
    return t < 1 ? (1.5 * t - 2.5) * t * t + 1 : ((-0.5 * t + 2.5) * t - 4) * t + 2
  }

  func narrow(_ source: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    for x in 0..<count {
      var sum = SIMD4<Float>.zero
      for tap in 0..<taps {
        let texel = source[firsts[x] + tap]
        let colour = SIMD4<Float>(
          Float(texel & 255), Float(texel >> 8 & 255), Float(texel >> 16 & 255), Float(texel >> 24))
        sum += colour * weights[x * taps + tap]
      }
      target[x] = sum
    }
  }
}
