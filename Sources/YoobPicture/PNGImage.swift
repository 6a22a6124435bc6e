import Foundation

#if canImport(CPNG)
  import CPNG
#elseif canImport(CoreGraphics)
  import CoreGraphics
  import YoobFace
#endif

/// PNG pictures in memory.
public enum PNGImage {
  /// Longest side that is read or written, in pixels.
  public static let longestSide = 16_384
  /// Most pixels that are read or written; a few bytes of PNG can ask for gigabytes.
  public static let mostPixels = 1 << 26

  /// Reads a PNG of any kind as RGBA, 8 bits each, straight alpha.
  ///
  /// Throws: `PictureError.unreadable`; `name` stands for the picture in its message.
  public static func decode(_ bytes: [UInt8], name: String = "The picture") throws(PictureError) -> Picture {
    #if canImport(CPNG)
      var image = png_image()
      image.version = UInt32(PNG_IMAGE_VERSION)
      defer { png_image_free(&image) }
      // The bytes must stay where they are between the two calls.
      var pixels: [UInt8]?
      bytes.withUnsafeBytes { source in
        guard png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0,
          image.width <= longestSide, image.height <= longestSide,
          Int(image.width) * Int(image.height) <= mostPixels
        else { return }
        image.format = rgba
        var target = [UInt8](repeating: 0, count: Int(image.width) * Int(image.height) * 4)
        if png_image_finish_read(&image, nil, &target, 0, nil) != 0 { pixels = target }
      }
      guard let pixels else {
        throw .unreadable(name: name, reason: tooLarge(image) ?? message(image))
      }
      return Picture(width: Int(image.width), height: Int(image.height), pixels: pixels)
    #elseif canImport(CoreGraphics)
      guard let image = CGImage.decoded(bytes), image.width <= longestSide, image.height <= longestSide,
        image.width * image.height <= mostPixels, let pixels = image.premultipliedPixels()
      else { throw .unreadable(name: name, reason: "its bytes are damaged, or it is too large") }
      return Picture(
        premultiplied: PixelImage(width: image.width, height: image.height, rgba: pixels))
    #else
      throw .notAvailable
    #endif
  }

  /// Reads a PNG file as RGBA, 8 bits each, straight alpha.
  public static func decode(contentsOf url: URL) throws(PictureError) -> Picture {
    guard let data = try? Data(contentsOf: url) else {
      throw .unreadable(name: url.path, reason: "the file cannot be opened")
    }
    return try decode([UInt8](data), name: url.path)
  }

  /// Writes a picture with straight alpha as a PNG.
  ///
  /// Throws: `PictureError.notWritten` for a picture without pixels or with too few.
  public static func encode(_ picture: Picture) throws(PictureError) -> [UInt8] {
    #if canImport(CPNG)
      guard (1...longestSide).contains(picture.width), (1...longestSide).contains(picture.height),
        picture.width * picture.height <= mostPixels,
        picture.pixels.count == picture.width * picture.height * 4
      else { throw .notWritten(reason: "the picture has no pixels or too many") }
      let count = picture.pixels.count
      var image = png_image()
      image.version = UInt32(PNG_IMAGE_VERSION)
      image.width = UInt32(picture.width)
      image.height = UInt32(picture.height)
      image.format = rgba
      defer { png_image_free(&image) }
      // Room for the worst case: stored rows, with their headers.
      var size: png_alloc_size_t = count + count / 100 + picture.height * 16 + 4096
      var bytes = [UInt8](repeating: 0, count: Int(size))
      guard png_image_write_to_memory(&image, &bytes, &size, 0, picture.pixels, 0, nil) != 0 else {
        throw .notWritten(reason: message(image))
      }
      return Array(bytes.prefix(Int(size)))
    #else
      throw .notAvailable
    #endif
  }

  #if canImport(CPNG)
    private static let rgba = UInt32(PNG_FORMAT_FLAG_COLOR) | UInt32(PNG_FORMAT_FLAG_ALPHA)

    private static func tooLarge(_ image: png_image) -> String? {
      let side = max(image.width, image.height)
      if side > longestSide { return "it is \(side) pixels wide or high, and \(longestSide) are the most" }
      let pixels = Int(image.width) * Int(image.height)
      return pixels > mostPixels ? "it has \(pixels) pixels, and \(mostPixels) are the most" : nil
    }

    private static func message(_ image: png_image) -> String {
      withUnsafeBytes(of: image.message) { raw in
        let text = String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? "its bytes are damaged" : text
      }
    }
  #endif
}
