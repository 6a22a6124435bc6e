import VoiceAudio

/// How far lips are behind the sound: their opening, read at a steady rate, is laid over the loudness of what was
/// heard, and the shift at which both agree best is the lag.
struct LipLag {
  /// Seconds of a step.
  static let step = 0.02
  /// The largest lag that is looked for, in steps.
  private static let reach = 15

  /// Distances of the lips; the one of index i was read at the end of step i.
  var gaps: [Float]
  private var loudness: [Float] = []

  init(gaps: [Float]) { self.gaps = gaps }

  /// Takes what was heard from a time in seconds on; what goes beyond the gaps is left out.
  mutating func hear(_ clip: AudioClip, at start: Double) {
    loudness += [Float](repeating: 0, count: max(0, gaps.count - loudness.count))
    let size = Int(Self.step * Double(clip.sampleRate))
    guard size > 0 else { return }
    for (number, first) in stride(from: 0, to: clip.samples.count - size, by: size).enumerated() {
      let place = Int((start / Self.step + Double(number)).rounded())
      guard loudness.indices.contains(place) else { continue }
      loudness[place] = Level(Array(clip.samples[first..<first + size])).rms.squareRoot()
    }
  }

  /// The lag of each whole minute in milliseconds, lips after sound.
  var minutes: [Double] {
    let minute = Int(60 / Self.step)
    guard loudness.count == gaps.count else { return [] }
    return stride(from: 0, to: gaps.count - minute + 1, by: minute).map { first in
      let range = first + Self.reach..<first + minute - Self.reach
      let shifts = Array(-Self.reach...Self.reach)
      let found = shifts.map { Double(correlation(range, $0)) }
      guard let best = found.indices.max(by: { found[$0] < found[$1] }) else { return 0 }
      var shift = Double(shifts[best])
      if best > 0, best < found.count - 1 {
        // The top of the parabola through the best and its neighbours.
        let (before, top, after) = (found[best - 1], found[best], found[best + 1])
        let bend = before - 2 * top + after
        if bend < 0 { shift += 0.5 * (before - after) / bend }
      }
      return shift * Self.step * 1000
    }
  }

  private func correlation(_ range: Range<Int>, _ shift: Int) -> Float {
    let a = range.map { gaps[$0 + shift] }
    let b = range.map { loudness[$0] }
    let (meanA, meanB) = (a.reduce(0, +) / Float(a.count), b.reduce(0, +) / Float(b.count))
    var (both, powerA, powerB): (Float, Float, Float) = (0, 1e-9, 1e-9)
    for (x, y) in zip(a, b) {
      both += (x - meanA) * (y - meanB)
      powerA += (x - meanA) * (x - meanA)
      powerB += (y - meanB) * (y - meanB)
    }
    return both / (powerA * powerB).squareRoot()
  }
}
