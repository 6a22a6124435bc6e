import YoobFace

/// A picture in memory: RGBA, 8 bits each, straight alpha, rows from the top.
public struct Picture: Sendable, Equatable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Four bytes a pixel.
  public var pixels: [UInt8]

  /// A picture of these pixels.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}

extension Picture {
  /// A frame of the rasterizer, with its premultiplied alpha made straight.
  public init(premultiplied frame: PixelImage) {
    var pixels = frame.rgba
    for pixel in stride(from: 0, to: pixels.count, by: 4) {
      let alpha = Int(pixels[pixel + 3])
      if alpha == 255 { continue }
      for channel in pixel..<(pixel + 3) {
        pixels[channel] = alpha == 0 ? 0 : UInt8(min(255, (Int(pixels[channel]) * 255 + alpha / 2) / alpha))
      }
    }
    self.init(width: frame.width, height: frame.height, pixels: pixels)
  }

  /// The picture as the rasterizer takes an atlas: straight alpha.
  public var atlas: PixelImage { PixelImage(width: width, height: height, rgba: pixels) }
}
