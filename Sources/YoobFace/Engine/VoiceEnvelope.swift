/// Loudness of the voice every 10 ms, and how far it rises above its own recent past.
struct VoiceEnvelope {
  private static let hop = 160
  private var sum: Float = 0
  private var filled = 0
  private var fast: Float = 0
  private var slow: Float = 0
  private(set) var frame = 0

  mutating func reset() { self = VoiceEnvelope() }

  /// Takes samples at 16 kHz and writes the frames that they complete.
  mutating func push(_ samples: UnsafeBufferPointer<Float>, to track: MouthTrack) {
    for sample in samples {
      sum += sample * sample
      filled += 1
      if filled == Self.hop { close(track) }
    }
  }

  /// Completes the last frame.
  mutating func finish(_ track: MouthTrack) {
    if filled > 0 { close(track) }
  }

  private mutating func close(_ track: MouthTrack) {
    let mean = sum / Float(filled)
    // The square root twice: loudness as heard rather than power.
    let loudness = mean.isFinite ? min(1, (mean.squareRoot() * 3).squareRoot()) : 0
    fast += (loudness - fast) * 0.3
    slow += (loudness - slow) * 0.02
    track.writeLevel(frame, level: loudness < 0.06 ? 0 : fast, stress: max(0, fast - slow))
    frame += 1
    sum = 0
    filled = 0
  }
}
