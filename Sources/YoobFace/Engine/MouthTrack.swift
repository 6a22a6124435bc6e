/// What the mouth does along one utterance: a window of 10 ms frames that follows the playhead.
///
/// Frames that were heard are dropped, so that memory follows what is still to be heard.
final class MouthTrack {
  /// Frames per second.
  static let rate = 100.0
  /// Frames of the window at most: ten minutes. One late frame makes all before it, so this bounds memory.
  static let maximumFrames = 60_000
  private static let stride = 18
  private static let levelLane = 15
  private static let stressLane = 16
  private static let knownLane = 17

  private var frames: UnsafeMutablePointer<Float>
  private var capacity: Int
  /// Number of the oldest frame that is kept.
  private(set) var first = 0
  /// Number of the frame after the last that has visemes.
  private(set) var visemeEnd = 0
  /// Number of the frame after the last that has a level.
  private(set) var levelEnd = 0
  private var end = 0

  init() {
    capacity = 512
    frames = .allocate(capacity: capacity * Self.stride)
    frames.initialize(repeating: 0, count: capacity * Self.stride)
  }

  deinit { frames.deallocate() }

  /// Bytes that the window takes.
  var byteCount: Int { capacity * Self.stride * MemoryLayout<Float>.size }

  func reset() {
    first = 0
    visemeEnd = 0
    levelEnd = 0
    end = 0
  }

  /// Forgets the frames before `frame`.
  func discard(before frame: Int) {
    first = max(first, frame)
    end = max(end, first)
  }

  /// Writes the 15 weights of a frame; weights that come from known phones win over heard ones.
  func writeVisemes(_ frame: Int, _ weights: UnsafePointer<Float>, known: Bool) {
    guard frame >= first, let slot = slot(frame) else { return }
    visemeEnd = max(visemeEnd, frame + 1)
    if !known && slot[Self.knownLane] != 0 { return }
    for lane in 0..<15 { slot[lane] = weights[lane].isFinite ? max(0, weights[lane]) : 0 }
    slot[Self.knownLane] = known ? 1 : 0
  }

  /// Writes how loud a frame is and how far it rises above its surroundings, both 0...1.
  func writeLevel(_ frame: Int, level: Float, stress: Float) {
    guard frame >= first, let slot = slot(frame) else { return }
    levelEnd = max(levelEnd, frame + 1)
    slot[Self.levelLane] = level
    slot[Self.stressLane] = stress
  }

  /// Whether the mouth is known at a playhead in seconds; `hold` seconds past the end count as known.
  func covers(_ playhead: Double, hold: Double) -> Bool {
    guard playhead >= 0, visemeEnd > 0, playhead < 1e9 else { return false }
    return playhead * Self.rate < Double(visemeEnd) + hold * Self.rate
  }

  /// Weights at a playhead in seconds, interpolated; silence before the window, the last frame after it.
  func visemes(at playhead: Double) -> SIMD16<Float> {
    var silence = SIMD16<Float>(repeating: 0)
    silence[0] = 1
    guard playhead >= 0, visemeEnd > first, playhead < 1e9 else { return silence }
    let position = playhead * Self.rate
    let whole = Int(position)
    guard whole >= first else { return silence }
    let a = weights(min(whole, visemeEnd - 1))
    let b = weights(min(whole + 1, visemeEnd - 1))
    return a + (b - a) * Float(position - Double(whole))
  }

  /// Loudness at a playhead in seconds, 0...1.
  func level(at playhead: Double) -> Float { value(Self.levelLane, playhead) }

  /// Rise of the loudness at a playhead in seconds, 0...1.
  func stress(at playhead: Double) -> Float { value(Self.stressLane, playhead) }

  private func value(_ lane: Int, _ playhead: Double) -> Float {
    guard playhead >= 0, playhead < 1e9 else { return 0 }
    let frame = Int(playhead * Self.rate)
    guard frame >= first, frame < levelEnd else { return 0 }
    return frames[(frame & (capacity - 1)) * Self.stride + lane]
  }

  private func weights(_ frame: Int) -> SIMD16<Float> {
    let slot = frames + (frame & (capacity - 1)) * Self.stride
    var weights = SIMD16<Float>(repeating: 0)
    for lane in 0..<15 { weights[lane] = slot[lane] }
    return weights
  }

  /// Room for a frame, the frames up to it cleared to silence; nil beyond the longest window.
  private func slot(_ frame: Int) -> UnsafeMutablePointer<Float>? {
    guard frame < 8_640_000, frame - first < Self.maximumFrames else { return nil }
    while frame - first >= capacity { grow() }
    while end <= frame {
      let slot = frames + (end & (capacity - 1)) * Self.stride
      for lane in 0..<Self.stride { slot[lane] = 0 }
      slot[0] = 1
      end += 1
    }
    return frames + (frame & (capacity - 1)) * Self.stride
  }

  private func grow() {
    let larger = capacity * 2
    let copy = UnsafeMutablePointer<Float>.allocate(capacity: larger * Self.stride)
    copy.initialize(repeating: 0, count: larger * Self.stride)
    for frame in first..<max(first, end) {
      (copy + (frame & (larger - 1)) * Self.stride).update(
        from: frames + (frame & (capacity - 1)) * Self.stride, count: Self.stride)
    }
    frames.deallocate()
    frames = copy
    capacity = larger
  }
}
