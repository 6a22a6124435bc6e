/// An atlas in the sizes that a graphics device reads it in: premultiplied, each half of the one before.
public struct AtlasPyramid: Sendable {
  /// Smaller sizes: three halvings keep the margins of the atlas' parts apart.
  private static let halvings = 3

  /// The sizes, the largest first; premultiplied.
  public let levels: [PixelImage]

  /// The sizes of an atlas with straight alpha.
  public init(straight atlas: PixelImage) {
    var levels = [Self.premultiplied(atlas)]
    for index in 0..<Self.halvings {
      let last = levels[index]
      guard last.width > 1, last.height > 1, last.width % 2 == 0, last.height % 2 == 0 else { break }
      levels.append(Self.half(last))
    }
    self.levels = levels
  }

  private static func premultiplied(_ image: PixelImage) -> PixelImage {
    var pixels = image.rgba
    pixels.withUnsafeMutableBufferPointer { pixels in
      var at = 0
      while at + 3 < pixels.count {
        let alpha = UInt32(pixels[at + 3])
        if alpha < 255 {
          pixels[at] = UInt8((UInt32(pixels[at]) * alpha + 127) / 255)
          pixels[at + 1] = UInt8((UInt32(pixels[at + 1]) * alpha + 127) / 255)
          pixels[at + 2] = UInt8((UInt32(pixels[at + 2]) * alpha + 127) / 255)
        }
        at += 4
      }
    }
    return PixelImage(width: image.width, height: image.height, rgba: pixels)
  }

  /// Each texel the mean of four.
  private static func half(_ image: PixelImage) -> PixelImage {
    let (width, height) = (image.width / 2, image.height / 2)
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { target, count in
      image.rgba.withUnsafeBufferPointer { source in
        for y in 0..<height {
          let top = 2 * y * image.width * 4
          let bottom = top + image.width * 4
          for x in 0..<(width * 4) {
            let at = (x / 4) * 8 + x % 4
            let sum =
              UInt32(source[top + at]) + UInt32(source[top + at + 4]) + UInt32(source[bottom + at])
              + UInt32(source[bottom + at + 4])
            target[y * width * 4 + x] = UInt8((sum + 2) / 4)
          }
        }
      }
      count = width * height * 4
    }
    return PixelImage(width: width, height: height, rgba: pixels)
  }
}
