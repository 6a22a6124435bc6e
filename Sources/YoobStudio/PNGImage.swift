import Foundation
import YoobFace

#if canImport(CPNG)
  import CPNG
#endif

/// Reads and writes PNG pictures; alpha is straight.
public enum PNGImage {
  /// Largest picture that is read: 8192 pixels a side.
  static let maxSide: UInt32 = 8192

  /// The picture in `bytes`. Throws `StudioError.unreadablePicture` for anything that is no whole PNG.
  public static func decode(_ bytes: [UInt8]) throws(StudioError) -> PixelImage {
    #if canImport(CPNG)
      var image = png_image()
      image.version = UInt32(PNG_IMAGE_VERSION)
      defer { png_image_free(&image) }
      var pixels: [UInt8] = []
      // The library keeps the pointer between its two calls.
      let isRead = bytes.withUnsafeBytes { source in
        guard png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0,
          image.width <= maxSide, image.height <= maxSide
        else { return false }
        image.format = rgba
        pixels = [UInt8](repeating: 0, count: Int(image.width) * Int(image.height) * 4)
        return pixels.withUnsafeMutableBytes {
          png_image_finish_read(&image, nil, $0.baseAddress, 0, nil) != 0
        }
      }
      guard isRead else { throw fault(image) }
      return PixelImage(width: Int(image.width), height: Int(image.height), rgba: pixels)
    #else
      throw .missingProgram("libpng")
    #endif
  }

  /// The bytes of a PNG file.
  public static func encode(_ picture: PixelImage) throws(StudioError) -> [UInt8] {
    #if canImport(CPNG)
      var image = png_image()
      image.version = UInt32(PNG_IMAGE_VERSION)
      image.width = UInt32(picture.width)
      image.height = UInt32(picture.height)
      image.format = rgba
      // Frames are written by the thousand; speed matters more than the last tenth of size.
      image.flags = UInt32(fastFlag)
      defer { png_image_free(&image) }
      var size = 0
      let isMeasured = picture.rgba.withUnsafeBytes {
        png_image_write_to_memory(&image, nil, &size, 0, $0.baseAddress, 0, nil)
      }
      guard isMeasured != 0 else { throw fault(image) }
      var bytes = [UInt8](repeating: 0, count: size)
      let isWritten = bytes.withUnsafeMutableBytes { target in
        picture.rgba.withUnsafeBytes {
          png_image_write_to_memory(&image, target.baseAddress, &size, 0, $0.baseAddress, 0, nil)
        }
      }
      guard isWritten != 0 else { throw fault(image) }
      return Array(bytes.prefix(size))
    #else
      throw .missingProgram("libpng")
    #endif
  }

  #if canImport(CPNG)
    /// PNG_FORMAT_RGBA and PNG_IMAGE_FLAG_FAST, which the importer does not see.
    private static let rgba: UInt32 = 0x03
    private static let fastFlag = 0x02

    private static func fault(_ image: png_image) -> StudioError {
      let text = withUnsafeBytes(of: image.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      return .unreadablePicture(path: "The picture", reason: text.isEmpty ? "it is larger than \(maxSide) pixels a side" : text)
    }
  #endif
}
