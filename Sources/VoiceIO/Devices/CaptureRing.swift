/// Frames of 10 ms on their way from a device to its listener: the newest second.
struct CaptureRing {
  /// One frame and what the loudspeaker played at that time.
  struct Frame: Equatable {
    var near: [Float]
    var far: [Float]
    /// Samples since capture began.
    var position: Int
  }
  static let capacity = 100
  private(set) var frames: [Frame] = []
  /// Samples lost because nobody took them in time.
  private(set) var dropped = 0

  mutating func append(_ frame: Frame) {
    frames.append(frame)
    if frames.count > Self.capacity { dropped += frames.removeFirst().near.count }
  }

  mutating func takeAll() -> [Frame] {
    defer { frames = [] }
    return frames
  }
}
