import VoiceAudio
import VoiceIO

/// Moves the borders of phones to where the sound changes.
///
/// The network's durations come in steps of 25 ms. One Gaussian a phone, with a covariance that all share,
/// scores each frame of 10 ms for each phone of the clause; dynamic programming then places the borders
/// within 90 ms of the network's own. The Gaussians are made by `training/luna_phones.py`.
struct PhoneAligner: Sendable {
  /// Frames by which a border may move.
  private static let reach = 9
  /// Frames of the shortest phone.
  private static let shortest = 2
  /// Frames to either side that a frame is scored with.
  private static let context = 3
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
  /// Where the speech begins and ends stays: silence before and after it was measured.
  func refined(_ phones: [PhoneTiming], samples: [Float], sampleRate: Int) -> [PhoneTiming] {
    guard sampleRate > 0, let first = phones.firstIndex(where: { !$0.symbol.isEmpty }),
      let last = phones.lastIndex(where: { !$0.symbol.isEmpty }), last > first
    else { return phones }
    let hop = Double(sampleRate * LogMel.hop) / Double(Self.rate)
    func frame(_ sample: Int) -> Int { Int((Double(sample) / hop).rounded()) }
    let all = Self.features(samples, sampleRate)
    let start = frame(phones[first].start)
    let end = min(frame(phones[last].end), all.count / Self.width)
    let count = end - start
    guard start >= 0, count >= (last - first + 1) * Self.shortest else { return phones }
    let rough = phones[first + 1...last].map { min(max(frame($0.start) - start, 0), count) }
    let rows = phones[first...last].map { model.row(of: $0.symbol) }
    let frames = Array(all[start * Self.width..<end * Self.width])
    guard let borders = place(frames, count, rows, rough) else { return phones }
    var refined = phones
    for (index, border) in borders.enumerated() {
      let sample = Int((Double(start + border) * hop).rounded())
      refined[first + index].end = sample
      refined[first + index + 1].start = sample
    }
    return refined
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

  /// Score of each phone for one frame with its neighbours.
  private func scores(_ frames: [Float], _ count: Int, _ frame: Int, _ rows: [Int], _ out: inout [Float]) {
    let places = [max(0, frame - Self.context), frame, min(count - 1, frame + Self.context)]
    for (index, row) in rows.enumerated() {
      var sum = model.bias[row]
      for (part, place) in places.enumerated() {
        let weights = row * 3 * Self.width + part * Self.width
        for band in 0..<Self.width {
          sum += model.weights[weights + band] * frames[place * Self.width + band]
        }
      }
      out[index] = sum
    }
  }

  /// Frames at which all phones but the last end; nil when they cannot be placed.
  private func place(_ frames: [Float], _ count: Int, _ rows: [Int], _ rough: [Int]) -> [Int]? {
    let states = rows.count
    var totals = [[Float]](repeating: [0], count: states)
    for state in 0..<states { totals[state].reserveCapacity(count + 1) }
    var row = [Float](repeating: 0, count: states)
    for frame in 0..<count {
      scores(frames, count, frame, rows, &row)
      for state in 0..<states { totals[state].append(totals[state][frame] + row[state]) }
    }
    // best[b]: score of the phones so far when the last of them ends at frame b.
    var best = [Float](repeating: -.infinity, count: count + 1)
    best[0] = 0
    var back = [[Int32]](repeating: [], count: states)
    for state in 0..<states {
      let isLast = state == states - 1
      let low = isLast ? count : max(Self.shortest, rough[state] - Self.reach)
      let high = isLast ? count : min(count, rough[state] + Self.reach)
      var next = [Float](repeating: -.infinity, count: count + 1)
      back[state] = [Int32](repeating: 0, count: count + 1)
      var top = -Float.infinity
      var place = 0
      var entered = 0
      for end in stride(from: low, through: high, by: 1) {
        while entered <= end - Self.shortest {
          let score = best[entered] - totals[state][entered]
          if score > top {
            top = score
            place = entered
          }
          entered += 1
        }
        guard top > -.infinity else { continue }
        next[end] = top + totals[state][end]
        back[state][end] = Int32(place)
      }
      best = next
    }
    guard best[count] > -.infinity else { return nil }
    var borders: [Int] = []
    var end = count
    for state in stride(from: states - 1, to: 0, by: -1) {
      end = Int(back[state][end])
      borders.append(end)
    }
    return borders.reversed()
  }
}
