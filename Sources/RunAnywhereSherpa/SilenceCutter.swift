/// Cuts long sound into windows at its quietest places.
struct SilenceCutter {
  /// Longest window, in samples.
  let limit: Int
  /// Length over which quietness is measured, in samples.
  let frame: Int

  /// Consecutive ranges that cover `samples`, none longer than `limit`.
  func ranges(_ samples: [Float]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while samples.count - start > limit {
      let end = start + quietest(samples, from: start + limit / 2, to: start + limit)
      ranges.append(start..<end)
      start = end
    }
    if start < samples.count || ranges.isEmpty { ranges.append(start..<samples.count) }
    return ranges
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
