/// The coverage that layers write for others to be cut by: one plane a channel, one byte a pixel.
final class MaskPlanes {
  private let width: Int
  private let channels: Int
  private let planeSize: Int
  private let store: UnsafeMutablePointer<UInt8>
  /// What was written in each plane since it was cleared.
  private let written: UnsafeMutablePointer<PixelBox>

  init(width: Int, height: Int, channels: Int) {
    self.width = width
    self.channels = channels
    // Four pixels are read at a time.
    planeSize = width * height + 4
    store = .allocate(capacity: max(1, channels * planeSize))
    store.initialize(repeating: 0, count: max(1, channels * planeSize))
    written = .allocate(capacity: max(1, channels))
    written.initialize(repeating: .none, count: max(1, channels))
  }

  deinit {
    store.deallocate()
    written.deallocate()
  }

  /// The plane of a channel, 1 for the first, or nil.
  func plane(_ channel: UInt32) -> UnsafeMutablePointer<UInt8>? {
    guard channel >= 1, channel <= channels else { return nil }
    return store + (Int(channel) - 1) * planeSize
  }

  /// Remembers that a part of a plane will be written.
  func note(_ channel: UInt32, _ box: PixelBox) {
    guard channel >= 1, channel <= channels else { return }
    written[Int(channel) - 1].formUnion(box)
  }

  /// Clears what was written.
  func clear() {
    for channel in 0..<channels {
      let box = written[channel]
      written[channel] = .none
      guard box.bottom >= box.top, box.right >= box.left else { continue }
      for row in box.top...box.bottom {
        (store + channel * planeSize + row * width + box.left).update(
          repeating: 0, count: box.right - box.left + 1)
      }
    }
  }
}
