/// One visible layer of a frame: 32 bytes, laid out for sharing with graphics code.
public struct DrawCommand: Sendable, Equatable {
  /// First of the layer's indices.
  public var firstIndex: UInt32
  /// Number of indices, three to a triangle.
  public var indexCount: UInt32
  /// 0 normal, 1 multiply, 2 add.
  public var blend: UInt32
  /// Mask channel 1...4 that cuts the layer, or 0.
  public var clip: UInt32
  /// Mask channel 1...4 that the layer writes, or 0.
  public var mask: UInt32
  /// 1: only the mask is written; 2: background.
  public var flags: UInt32
  /// 0...1.
  public var opacity: Float
  /// Always zero.
  public var reserved: UInt32 = 0

  /// Whether only the mask is written.
  public var isMaskOnly: Bool { flags & 1 != 0 }
  /// Whether the layer belongs to the background.
  public var isBackground: Bool { flags & 2 != 0 }
}
