/// The newest stretch of the microphone's sound, addressed by sample positions at 16 kHz.
struct UtteranceAudio {
  private static let slack = 16_000 * 5
  private var samples: [Float] = []
  private var base = 0

  /// Position behind the newest sample.
  var end: Int { base + samples.count }

  mutating func append(_ more: some Sequence<Float>) { samples.append(contentsOf: more) }

  /// Silence in place of `count` lost samples; so many that nothing before them matters are only
  /// counted.
  mutating func skip(_ count: Int) {
    if count > 60 * 16_000 {
      base = end + count
      samples = []
    } else {
      samples.append(contentsOf: repeatElement(0, count: max(0, count)))
    }
  }

  /// The samples of `range` that are still kept.
  func slice(_ range: Range<Int>) -> [Float] {
    let lower = min(max(range.lowerBound, base), end)
    let upper = min(max(range.upperBound, lower), end)
    return Array(samples[(lower - base)..<(upper - base)])
  }

  /// Lets go of samples before `position`, a few seconds at a time.
  mutating func forget(before position: Int) {
    let count = min(position, end) - base
    guard count > Self.slack else { return }
    samples.removeFirst(count)
    base += count
  }
}
