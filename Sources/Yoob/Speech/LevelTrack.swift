/// Peaks of an utterance every 40 ms, kept until they were heard.
struct LevelTrack: Sendable {
  private static let rate = 25

  private var peaks: [Float] = []
  private var first = 0
  private var filled = 0
  private var current: Float = 0
  private var size = 960

  /// Begins an utterance.
  mutating func begin(sampleRate: Int) {
    self = LevelTrack()
    size = max(1, sampleRate / Self.rate)
  }

  /// Takes the next samples.
  mutating func append(_ samples: [Float]) {
    for sample in samples {
      let magnitude = abs(sample)
      if magnitude > current { current = magnitude }
      filled += 1
      if filled == size {
        peaks.append(min(1, current))
        (filled, current) = (0, 0)
      }
    }
  }

  /// The peak, 0...1, of what is heard at `seconds`; what lies before is forgotten.
  mutating func level(at seconds: Double) -> Float {
    let index = Int(seconds * Double(Self.rate)) - first
    if index > 250 {
      let count = min(index - 1, peaks.count)
      peaks.removeFirst(count)
      first += count
      return level(at: seconds)
    }
    guard peaks.indices.contains(index) else { return index == peaks.count ? min(1, current) : 0 }
    return peaks[index]
  }
}
