/// Cuts long sound into windows: at long pauses, behind which recognizers stop listening, and where it is
/// quietest.
struct SilenceCutter {
  /// Longest window, in samples.
  let limit: Int
  /// Length over which quietness is measured, in samples.
  let frame: Int

  /// Frames of quiet between two loud ones that separate them.
  var pause = Int.max
  /// Energy, as a share of the loudest frame's, below which a frame is quiet: -40 dB.
  private static let quiet: Float = 1e-4

  /// Consecutive ranges that cover `samples`, none longer than `limit`.
  func ranges(_ samples: [Float]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for end in pauses(samples) + [samples.count] {
      while end - start > limit {
        let cut = start + quietest(samples, from: start + limit / 2, to: start + limit)
        ranges.append(start..<cut)
        start = cut
      }
      if start < end || ranges.isEmpty { ranges.append(start..<end) }
      start = end
    }
    return ranges
  }

  /// The middles of long pauses.
  private func pauses(_ samples: [Float]) -> [Int] {
    let energies = stride(from: 0, to: samples.count, by: frame).map { at in
      samples[at..<min(at + frame, samples.count)].reduce(Float(0)) { $0 + $1 * $1 }
    }
    let threshold = (energies.max() ?? 0) * Self.quiet
    var places: [Int] = []
    var last: Int?
    for (index, energy) in energies.enumerated() where energy > threshold {
      if let last, index - last - 1 >= pause { places.append((last + 1 + index) / 2 * frame) }
      last = index
    }
    return places
  }

  /// Offset, from the start of the window, of the middle of the quietest frame.
  private func quietest(_ samples: [Float], from: Int, to: Int) -> Int {
    var best = Float.infinity
    var place = to
    var at = from
    while at + frame <= to {
      var energy: Float = 0
      for sample in samples[at..<at + frame] { energy += sample * sample }
      if energy < best {
        best = energy
        place = at + frame / 2
      }
      at += frame / 2
    }
    return place - (to - limit)
  }
}
