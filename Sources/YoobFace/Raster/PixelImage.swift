/// A picture in memory: 8 bits for red, green, blue and alpha of each pixel, rows from the top.
public struct PixelImage: Sendable, Equatable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int
  /// Four bytes a pixel; whether alpha is premultiplied is said where the picture comes from.
  public var rgba: [UInt8]

  /// A picture; missing bytes are transparent and surplus bytes are dropped.
  public init(width: Int, height: Int, rgba: [UInt8]) {
    self.width = max(0, width)
    self.height = max(0, height)
    let count = self.width * self.height * 4
    if rgba.count == count {
      self.rgba = rgba
    } else {
      self.rgba = Array(rgba.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - rgba.count))
    }
  }
}
