/// The coverage that layers write for others to be cut by: one plane a channel, one byte a pixel.
final class MaskPlanes {
  private let width: Int
  private let channels: Int
  private let planeSize: Int
  private let store: UnsafeMutablePointer<UInt8>
  /// What was written in each plane since it was cleared.
  private let written: UnsafeMutablePointer<PixelBox>
  /// Where the layers in front are cut by each plane.
  private let wanted: UnsafeMutablePointer<PixelBox>

  init(width: Int, height: Int, channels: Int) {
    self.width = width
    self.channels = channels
    // Four pixels are read at a time.
    planeSize = width * height + 4
    store = .allocate(capacity: max(1, channels * planeSize))
    store.initialize(repeating: 0, count: max(1, channels * planeSize))
    written = .allocate(capacity: max(1, channels))
    wanted = .allocate(capacity: max(1, channels))
    written.initialize(repeating: .none, count: max(1, channels))
    wanted.initialize(repeating: .none, count: max(1, channels))
  }

  deinit {
    store.deallocate()
    written.deallocate()
    wanted.deallocate()
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

  /// Remembers that layers behind have to write a part of a plane.
  func want(_ channel: UInt32, _ box: PixelBox) {
    guard channel >= 1, channel <= channels else { return }
    wanted[Int(channel) - 1].formUnion(box)
  }

  /// The part of a plane that has to be written.
  func wanted(_ channel: UInt32) -> PixelBox {
    channel >= 1 && channel <= channels ? wanted[Int(channel) - 1] : .none
  }

  /// Clears what was written, and forgets what was wanted.
  func clear() {
    for channel in 0..<channels {
      let box = written[channel]
      written[channel] = .none
      wanted[channel] = .none
      guard box.bottom >= box.top, box.right >= box.left else { continue }
      for row in box.top...box.bottom {
        (store + channel * planeSize + row * width + box.left).update(
          repeating: 0, count: box.right - box.left + 1)
      }
    }
  }
}
