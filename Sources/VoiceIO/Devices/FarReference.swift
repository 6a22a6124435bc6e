import VoiceAudio

/// What the loudspeaker played, ready to be laid beside what the microphone heard at the same time.
///
/// The two streams have their own clocks, so the reader follows the position that the device reports
/// and jumps only when it is off by more than `tolerance`.
struct FarReference {
  /// Seconds that are kept.
  static let capacity = 2.0
  /// Seconds by which the reference runs ahead of the sound, so that no echo comes before it.
  static let lead = 0.03
  /// Seconds that the reader may be off.
  static let tolerance = 0.02

  private let rate: Int
  private let ratio: Double
  private var resampler: StreamingResampler
  private var samples: [Float] = []
  private var base = 0
  private var next: Int?
  /// How often the reader had to jump.
  private(set) var jumps = 0

  /// From samples at `outputRate` to frames at `rate`.
  init(outputRate: Int, rate: Int) {
    self.rate = rate
    ratio = Double(rate) / Double(outputRate)
    resampler = StreamingResampler(from: outputRate, to: rate)
  }

  /// Takes samples that were handed to the loudspeaker.
  mutating func append(_ rendered: [Float]) {
    samples += resampler.process(rendered)
    let extra = samples.count - Int(Self.capacity * Double(rate))
    if extra > rate / 2 {
      samples.removeFirst(extra)
      base += extra
    }
  }

  /// The next `count` samples; `heard` is the loudspeaker's position, in rendered samples, when the
  /// microphone took the first of them. Zeros where nothing is known.
  mutating func take(_ count: Int, heard: Double?) -> [Float] {
    let end = base + samples.count
    if let heard {
      let ahead = Int(heard * ratio + Self.lead * Double(rate))
      let wanted = min(ahead, end - count)
      if let position = next {
        // The end of what is rendered moves in steps; only a reader that is really off jumps.
        if abs(wanted - position) > Int(Self.tolerance * Double(rate)) {
          next = wanted
          jumps += 1
        }
      } else {
        next = wanted
      }
    }
    guard let start = next else { return [Float](repeating: 0, count: count) }
    next = start + count
    return (start..<start + count).map { index in
      index >= base && index < end ? samples[index - base] : 0
    }
  }
}
