/// Finds the speech inside the silence that a voice puts around it.
struct SoundingRange {
  /// Samples over which loudness is measured: 5 ms.
  private static let frame = 120
  /// Silence kept before and after, in samples: 15 ms and 60 ms.
  private static let lead = 360
  private static let tail = 1440

  /// First and last sounding sample.
  let sound: Range<Int>
  /// The sound with a little silence on both sides.
  let kept: Range<Int>

  /// Nil when nothing sounds.
  init?(_ samples: [Float]) {
    let frames = samples.count / Self.frame
    var power = [Float](repeating: 0, count: frames)
    for index in 0..<frames {
      var sum: Float = 0
      for sample in samples[index * Self.frame..<(index + 1) * Self.frame] { sum += sample * sample }
      power[index] = sum / Float(Self.frame)
    }
    guard let loudest = power.max(), loudest > 1e-8 else { return nil }
    // 48 dB below the loudest at the start, where f and h are quiet; 42 dB at the end, where breath is.
    guard let first = power.firstIndex(where: { $0 > loudest * 1.6e-5 }),
      let last = power.lastIndex(where: { $0 > loudest * 6.3e-5 }), first <= last
    else { return nil }
    sound = first * Self.frame..<(last + 1) * Self.frame
    kept = max(0, sound.lowerBound - Self.lead)..<min(samples.count, sound.upperBound + Self.tail)
  }
}
