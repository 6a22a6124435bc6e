#if canImport(CoreGraphics)
  import CoreGraphics
  import ImageIO

  extension CGImage {
    /// The image in the bytes of a PNG, JPEG or other format of the system; nil if there is none.
    package static func decoded(_ bytes: [UInt8]) -> CGImage? {
      guard let provider = CGDataProvider.holding(bytes),
        let source = CGImageSourceCreateWithDataProvider(provider, nil)
      else { return nil }
      return CGImageSourceCreateImageAtIndex(source, 0, nil)
    }

    /// An image of premultiplied RGBA, 8 bits each, rows from the top.
    package static func made(premultiplied rgba: [UInt8], width: Int, height: Int) -> CGImage? {
      guard width > 0, height > 0, rgba.count >= width * height * 4,
        let provider = CGDataProvider.holding(rgba)
      else { return nil }
      return CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
        space: .pictures, bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue),
        provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    }

    /// Its pixels as premultiplied RGBA, 8 bits each, rows from the top; nil if there is no memory.
    func premultipliedPixels() -> [UInt8]? {
      var pixels = [UInt8](repeating: 0, count: width * height * 4)
      let isDrawn = pixels.withUnsafeMutableBytes { memory in
        guard
          let context = CGContext(
            data: memory.baseAddress, width: width, height: height, bitsPerComponent: 8,
            bytesPerRow: width * 4, space: .pictures,
            bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        else { return false }
        context.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
        return true
      }
      return isDrawn ? pixels : nil
    }
  }

  extension CGColorSpace {
    /// The colours of every picture of a character.
    static var pictures: CGColorSpace {
      CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB()
    }
  }

  extension CGDataProvider {
    /// A provider with a copy of some bytes.
    fileprivate static func holding(_ bytes: [UInt8]) -> CGDataProvider? {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
      memory.copyBytes(from: bytes)
      guard let start = memory.baseAddress,
        let provider = CGDataProvider(
          dataInfo: start, data: start, size: bytes.count, releaseData: { info, _, _ in info?.deallocate() })
      else {
        memory.deallocate()
        return nil
      }
      return provider
    }
  }
#endif
