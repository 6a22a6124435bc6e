/// One run of triangles of a pass.
public struct FaceDraw: Sendable, Equatable {
  /// First of its indices.
  public var firstIndex: UInt32 = 0
  /// Number of indices, three to a triangle.
  public var indexCount: UInt32 = 0
  /// 0 normal, 1 multiply, 2 add; says nothing in a pass of masks.
  public var blend: UInt32 = 0
  /// In a pass of pictures, the mask channel 1...4 that cuts it, or 0; in a pass of masks, the channel that it
  /// writes.
  public var channel: UInt32 = 0

  /// A run of no triangles.
  public init() {}
}

/// Draws into one target, in order: all of a pass is done before the next one begins.
public struct FacePass: Sendable, Equatable {
  /// What is drawn into.
  public enum Target: UInt32, Sendable {
    /// The masks: four channels, of which each draw writes its own alpha times its opacity into one.
    case masks
    /// The frame.
    case pictures
  }
  /// What is drawn into.
  public var target = Target.pictures
  /// Whether the target is emptied first.
  public var clears = false
  /// First of its draws.
  public var firstDraw = 0
  /// Number of draws.
  public var drawCount = 0

  /// A pass of no draws.
  public init() {}
}

/// Memory that frames are encoded into. It belongs to the caller, and may be a graphics device's.
public struct FacePassBuffers {
  /// Passes, as many as may be needed.
  public var passes: UnsafeMutableBufferPointer<FacePass>
  /// Draws of all passes, as many as may be needed.
  public var draws: UnsafeMutableBufferPointer<FaceDraw>
  /// `FaceEncoder.numberCount` numbers (`Float`) for each draw.
  public var numbers: UnsafeMutableRawBufferPointer
  /// Bytes from the numbers of one draw to those of the next, at least 64 and a multiple of 4.
  public var stride: Int

  /// Memory of the caller; it must outlive its use. `stride` is in bytes.
  public init(
    passes: UnsafeMutableBufferPointer<FacePass>, draws: UnsafeMutableBufferPointer<FaceDraw>,
    numbers: UnsafeMutableRawBufferPointer, stride: Int
  ) {
    self.passes = passes
    self.draws = draws
    self.numbers = numbers
    self.stride = stride
  }
}
