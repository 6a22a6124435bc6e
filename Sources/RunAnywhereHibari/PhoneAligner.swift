import VoiceAudio
import VoiceIO

/// Moves the borders of phones to where the sound changes.
///
/// The network's durations come in steps of 25 ms. Gaussians of the beginning, middle and end of each phone, with
/// a covariance that all share, score each frame of 10 ms; dynamic programming then places the borders within
/// 90 ms of the network's own. The Gaussians are made by `training/luna_phones.py`.
struct PhoneAligner: Sendable {
  /// Frames by which a border may move.
  private static let reach = 9
  private static let rate = LogMel.sampleRate
  /// Peak follower of the features: lowest level and fall a frame in mean log-mel, and the factor after it.
  private static let quietest: Float = -5.5
  private static let decay: Float = 0.01
  private static let gain: Float = 1 / 3

  private let model: PhoneModel

  /// An aligner for Luna's voice.
  init() { model = .luna }

  /// The same phones, without gaps, with better times. `samples` is the sound that they describe.
  ///
  /// Silence before and after the speech gives way to sounds that begin or end quietly, such as the stop of a p.
  func refined(_ phones: [PhoneTiming], samples: [Float], sampleRate: Int) -> [PhoneTiming] {
    guard sampleRate > 0, let speech = Self.aligned(phones, shortest: sampleRate / 25) else { return phones }
    let (first, last) = (speech.lowerBound, speech.upperBound)
    let hop = Double(sampleRate * LogMel.hop) / Double(Self.rate)
    func frame(_ sample: Int) -> Int { Int((Double(sample) / hop).rounded()) }
    let all = Self.features(samples, sampleRate)
    let start = frame(phones[first].start)
    let end = min(frame(phones[last].end), all.count / Self.width)
    let count = end - start
    guard start >= 0, count >= (last - first + 1) * PhoneModel.parts else { return phones }
    let rough = phones[first + 1...last].map { min(max(frame($0.start) - start, 0), count) }
    let rows = phones[first...last].map { model.row(of: $0.symbol) }
    let frames = Array(all[start * Self.width..<end * Self.width])
    guard let borders = place(frames, count, rows, rough) else { return phones }
    var refined = phones
    for (index, border) in borders.enumerated() {
      // A frame is the sound around its own time, so the border lies half a frame before the first of the next.
      let sample = Int(((Double(start + border) - 0.5) * hop).rounded())
      refined[first + index].end = sample
      refined[first + index + 1].start = sample
    }
    return refined
  }

  /// The phones from the first to the last, with the silence around them where it has at least `shortest` samples.
  private static func aligned(_ phones: [PhoneTiming], shortest: Int) -> ClosedRange<Int>? {
    guard var first = phones.firstIndex(where: { !$0.symbol.isEmpty }),
      var last = phones.lastIndex(where: { !$0.symbol.isEmpty }), last > first
    else { return nil }
    if first > 0, phones[first - 1].end - phones[first - 1].start >= shortest { first -= 1 }
    if last + 1 < phones.count, phones[last + 1].end - phones[last + 1].start >= shortest { last += 1 }
    return first...last
  }

  private static let width = LogMel.bands

  /// Features of the whole sound, 40 a frame, independent of its loudness.
  private static func features(_ samples: [Float], _ sampleRate: Int) -> [Float] {
    let clip = StreamingResampler.convert(AudioClip(samples: samples, sampleRate: sampleRate), to: rate)
    let silence = [Float](repeating: 0, count: LogMel.ahead)
    let mel = LogMel()
    var found: [Float] = []
    found.reserveCapacity((clip.samples.count / LogMel.hop + 1) * width)
    var level = quietest
    for piece in [clip.samples, silence] {
      piece.withUnsafeBufferPointer { sound in
        mel.push(sound) { frame in
          let mean = frame.reduce(0, +) / Float(width)
          level = max(mean, level - decay, quietest)
          for value in frame { found.append((value - level) * gain + 1) }
        }
      }
    }
    return found
  }

  /// Score of a row of the model for one frame with its neighbours.
  private func score(_ frames: [Float], _ count: Int, _ frame: Int, _ row: Int) -> Float {
    var sum = model.bias[row]
    for (part, shift) in PhoneModel.context.enumerated() {
      let place = min(max(frame + shift, 0), count - 1) * Self.width
      let weights = row * PhoneModel.width + part * Self.width
      for band in 0..<Self.width { sum += model.weights[weights + band] * frames[place + band] }
    }
    return sum
  }

  /// Where a state may end, and the frames that it may have.
  private struct Window {
    var frames: Range<Int>
    var ends: ClosedRange<Int>
  }

  /// The windows of the parts of phone `index`; nil when there is no room for it.
  private func window(_ index: Int, _ rough: [Int], _ count: Int) -> Window? {
    let low = index == 0 ? 0 : max(0, rough[index - 1] - Self.reach)
    guard index < rough.count else {
      return low < count ? Window(frames: low..<count, ends: count...count) : nil
    }
    let high = min(count, rough[index] + Self.reach)
    let first = max(low + 1, rough[index] - Self.reach)
    return first <= high ? Window(frames: low..<high, ends: first...high) : nil
  }

  /// Frames at which all phones but the last end; nil when they cannot be placed.
  private func place(_ frames: [Float], _ count: Int, _ rows: [Int], _ rough: [Int]) -> [Int]? {
    // best[b]: score of the parts so far when the last of them ends at frame b.
    var best = [Float](repeating: -.infinity, count: count + 1)
    best[0] = 0
    var back: [(first: Int, entered: [Int32])] = []
    for (index, row) in rows.enumerated() {
      guard let window = window(index, rough, count) else { return nil }
      for part in 0..<PhoneModel.parts {
        let ends =
          part == PhoneModel.parts - 1 ? window.ends : window.frames.lowerBound + 1...window.frames.upperBound
        var next = [Float](repeating: -.infinity, count: count + 1)
        var entered = [Int32](repeating: 0, count: ends.count)
        var (top, place) = (-Float.infinity, 0)
        // `total` is the score of this part's frames so far; what was entered at a frame starts without them.
        var total: Float = 0
        for end in window.frames.lowerBound + 1...window.frames.upperBound {
          if best[end - 1] - total > top { (top, place) = (best[end - 1] - total, end - 1) }
          total += score(frames, count, end - 1, row + part)
          guard ends.contains(end), top > -.infinity else { continue }
          next[end] = top + total
          entered[end - ends.lowerBound] = Int32(place)
        }
        back.append((ends.lowerBound, entered))
        best = next
      }
    }
    guard best[count] > -.infinity else { return nil }
    var borders: [Int] = []
    var end = count
    for state in stride(from: back.count - 1, to: 0, by: -1) {
      end = Int(back[state].entered[end - back[state].first])
      if state % PhoneModel.parts == 0 { borders.append(end) }
    }
    return borders.reversed()
  }
}
