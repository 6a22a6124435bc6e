/// A pitch contour in semitones, freed of jumps.
struct Contour {
  private var values: [Float?]
  let count: Int

  /// Semitones around the median beyond which a value is an error of the measurement: an octave.
  private static let widest: Float = 12

  /// A contour of frames in Hz, 0 where unvoiced.
  init(_ hertz: [Float]) {
    count = hertz.count
    let raw = hertz.map(PitchRange.semitones)
    let sorted = raw.compactMap { $0 }.sorted()
    values = []
    guard !sorted.isEmpty else { return }
    let median = sorted[sorted.count / 2]
    let near = raw.map { value in value.flatMap { abs($0 - median) <= Self.widest ? $0 : nil } }
    values.reserveCapacity(count)
    for frame in 0..<count {
      // Runs shorter than 60 ms are clicks; the median of three removes single jumps.
      guard let here = near[frame] else {
        values.append(nil)
        continue
      }
      let before = frame > 0 ? near[frame - 1] : nil
      let after = frame + 1 < count ? near[frame + 1] : nil
      switch (before, after) {
      case (let a?, let b?): values.append(max(min(a, b), min(max(a, b), here)))
      case (let a?, nil):
        values.append(frame > 1 && near[frame - 2] != nil ? min(max(a, here - 2), here + 2) : nil)
      case (nil, let b?):
        let isRun = frame + 2 < count && near[frame + 2] != nil
        values.append(isRun ? min(max(b, here - 2), here + 2) : nil)
      case (nil, nil): values.append(nil)
      }
    }
  }

  /// Semitones above 100 Hz; nil where unvoiced or outside.
  subscript(frame: Int) -> Float? { values.indices.contains(frame) ? values[frame] : nil }

  var voiced: [Float] { values.compactMap { $0 } }
  var hasVoice: Bool { values.contains { $0 != nil } }

  func lowest(_ frames: Range<Int>) -> Float? { lowestFrame(frames).flatMap { self[$0] } }

  func lowestFrame(_ frames: Range<Int>) -> Int? {
    var best: Int?
    for frame in frames.clamped(to: 0..<values.count) {
      guard let value = values[frame] else { continue }
      if value < best.flatMap({ values[$0] }) ?? .infinity { best = frame }
    }
    return best
  }

  func highest(_ frames: Range<Int>) -> Float? {
    frames.clamped(to: 0..<values.count).compactMap { values[$0] }.max()
  }

  func mean(_ frames: Range<Int>) -> Float? {
    let found = frames.clamped(to: 0..<values.count).compactMap { values[$0] }
    return found.isEmpty ? nil : found.reduce(0, +) / Float(found.count)
  }

  /// The frames after the last voiced one of each phrase.
  func phraseEnds(pause: Int) -> [Int] {
    var ends: [Int] = []
    var lastVoiced: Int?
    for frame in values.indices where values[frame] != nil {
      if let last = lastVoiced, frame - last > pause { ends.append(last + 1) }
      lastVoiced = frame
    }
    if let lastVoiced { ends.append(lastVoiced + 1) }
    return ends
  }
}
