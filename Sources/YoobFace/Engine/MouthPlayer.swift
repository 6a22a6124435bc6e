/// Plays a mouth track on the face's clock: steps of 10 ms, interpolated between them.
struct MouthPlayer {
  private static let step = 0.01
  /// Seconds for which the last frame is held while more are expected.
  private static let hold = 0.08

  private var smoother = MouthSmoother()
  private var weights = [Float](repeating: 0, count: 15)
  private var previous = SIMD32<Float>(repeating: 0)
  private var current = SIMD32<Float>(repeating: 0)
  private var tick = 0
  private let lanes: [Morph] = [
    .jawOpen, .mouthClose, .mouthFunnel, .mouthPucker, .mouthStretchLeft, .mouthStretchRight,
    .mouthSmileLeft, .mouthSmileRight, .mouthPressLeft, .mouthPressRight, .mouthRollLower,
    .mouthRollUpper, .mouthUpperUpLeft, .mouthUpperUpRight, .mouthLowerDownLeft, .mouthLowerDownRight,
    .tongueOut,
  ]

  /// Shuts the mouth and starts a new stretch of time.
  mutating func restart(at time: Double) {
    smoother.reset()
    previous = SIMD32(repeating: 0)
    current = previous
    tick = Int(FaceMath.floor(time / Self.step))
  }

  /// Whether the track says what the mouth does at this playhead.
  static func covers(_ feed: SpeechFeed, _ playhead: Double) -> Bool {
    feed.track.covers(playhead, hold: feed.isOpen ? hold : 0)
  }

  /// Moves on to `time`, at which `playhead` seconds were heard (nil: no voice).
  mutating func advance(to time: Double, playhead: Double?, feed: SpeechFeed) {
    let wanted = Int(FaceMath.floor(time / Self.step)) + 1
    if tick < wanted - 25 { tick = wanted - 25 }
    while tick < wanted {
      tick += 1
      var heard: Double?
      if let playhead {
        let here = playhead + Double(tick) * Self.step - time
        if Self.covers(feed, here) { heard = here + MouthSmoother.delay }
      }
      load(heard.map { feed.track.visemes(at: $0) })
      weights.withUnsafeBufferPointer { smoother.step($0) }
      previous = current
      for lane in 0..<MouthMorph.count { current[lane] = smoother.morphs[lane] }
    }
  }

  /// Adds the mouth at a time within the last step to a pose.
  func write(at time: Double, to pose: inout Pose) {
    let part = FaceMath.unit(Float(time / Self.step - Double(tick - 1)))
    let now = previous + (current - previous) * part
    for lane in 0..<MouthMorph.count { pose.morphs[lanes[lane]] += now[lane] }
  }

  private mutating func load(_ visemes: SIMD16<Float>?) {
    for lane in 0..<15 { weights[lane] = visemes?[lane] ?? (lane == 0 ? 1 : 0) }
  }
}
