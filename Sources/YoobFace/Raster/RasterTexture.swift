/// One size of an atlas: premultiplied, with a margin that repeats the edge.
///
/// A texel is red | green << 8 | blue << 16 | alpha << 24.
final class RasterTexture {
  /// Texels of margin on every side.
  static let margin = 4

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
