/// Finds the beats of a melody: what a speaker's head and brows would mark in it.
///
/// A beat of the head is a peak of the pitch on a stressed syllable; the highest rises, and the ends of
/// questions, raise the brows. Heads follow the pitch of speech (Munhall et al. 2004, Psychological Science
/// 15), and 71 % of the raises of brows come with a rise of it (Cavé et al. 1996, ICSLP).
struct PitchAccents {
  /// Frames per second.
  static let rate = 50.0
  /// Frames that are looked at together at most: two minutes.
  static let longestPiece = 6000

  /// What one frame belongs to.
  enum Mark {
    case none, stressed
    /// The end of a question that is answered by yes or no, from its last stressed sound on.
    case question
  }

  /// Excursion and height together that make a peak an accent: 3 semitones are heard as a difference
  /// in running speech ('t Hart 1981, Journal of the Acoustical Society of America 69).
  private static let leastScore: Float = 3
  /// How far around a peak its rise and its fall are measured: a quarter of a second, about a syllable.
  private static let reach = 12
  /// A peak belongs to a syllable from 60 ms before its stressed sound to 120 ms after it: peaks come
  /// late, often in the next sound.
  private static let early = 3
  private static let late = 6
  /// Frames without voice that end a phrase: 250 ms, longer than any consonant.
  private static let pause = 12
  /// Frames over which a final rise is measured: 400 ms.
  private static let ending = 20
  private static let leastFinalRise: Float = 3

  /// Seconds from the start of a question's last stressed sound to where the brows are up.
  private static let browLag = 0.15

  private var range = PitchRange()
  private var lastNod = -10.0
  private var browEnd = -10.0

  /// Forgets the beats of an older utterance, not the speaker's range.
  mutating func restart() {
    lastNod = -10
    browEnd = -10
  }

  /// The beats of one piece of speech in order of their starts; times count from `start` seconds on.
  ///
  /// - Parameters:
  ///   - pitch: Hz, 0 where unvoiced; values that no voice has count as unvoiced.
  ///   - marks: as many.
  mutating func beats(pitch: [Float], marks: [Mark], start: Double) -> [ProsodyBeat] {
    let contour = Contour(pitch)
    guard contour.hasVoice else { return [] }
    range.learn(contour.voiced)
    let rises = endings(contour, marks)
    let peaks = accents(contour, marks).filter { peak in !rises.contains { $0.contains(peak.frame) } }
    let brows = raise(peaks, rises, start)
    let nods = nod(peaks, start)
    return (brows + nods).sorted { $0.start < $1.start }
  }

  // MARK: Accents

  private struct Peak {
    var frame: Int
    var score: Float
    /// Semitones above the middle of the voice, and above the lowest pitch just before.
    var height: Float
    var rise: Float
  }

  private func accents(_ contour: Contour, _ marks: [Mark]) -> [Peak] {
    let isMarked = marks.contains { $0 != .none }
    var peaks: [Peak] = []
    var frame = 0
    while frame < contour.count {
      guard isMarked else {
        // Without marks every peak of the melody may be an accent.
        if let peak = peak(contour, frame..<frame + 1) { peaks.append(peak) }
        frame += 1
        continue
      }
      guard marks[frame] == .stressed else {
        frame += 1
        continue
      }
      var end = frame + 1
      while end < contour.count, marks[end] == .stressed { end += 1 }
      let window = max(0, frame - Self.early)..<min(contour.count, end + Self.late)
      if let peak = peak(contour, window) { peaks.append(peak) }
      frame = end
    }
    return peaks
  }

  /// The highest frame of a stretch, if it stands out.
  private func peak(_ contour: Contour, _ window: Range<Int>) -> Peak? {
    var best: Int?
    for frame in window {
      guard let value = contour[frame] else { continue }
      if value > best.flatMap({ contour[$0] }) ?? -.infinity { best = frame }
    }
    guard let best, let top = contour[best] else { return nil }
    // A slope that goes on outside has its peak elsewhere.
    if let before = contour[best - 1], before > top { return nil }
    if let after = contour[best + 1], after > top { return nil }
    let before = contour.lowest(best - Self.reach..<best).map { top - $0 }
    let after = contour.lowest(best + 1..<best + 1 + Self.reach).map { top - $0 }
    guard let rise = before ?? after, let fall = after ?? before else { return nil }
    let height = top - range.centre
    // A peak rises and falls, and lies in the upper part of the voice.
    let excursion = min(min(rise, fall) * 2, (rise + fall) / 2)
    let score = (min(12, excursion) + min(12, height)) / 2
    guard height > 0, score >= max(Self.leastScore, range.spread) else { return nil }
    return Peak(frame: best, score: score, height: height, rise: rise)
  }

  /// The strongest accents, far enough apart for a head.
  private mutating func nod(_ peaks: [Peak], _ start: Double) -> [ProsodyBeat] {
    var chosen: [ProsodyBeat] = []
    for peak in peaks.sorted(by: { ($0.score, $1.frame) > ($1.score, $0.frame) }) {
      let time = start + Self.time(peak.frame)
      let isFree = chosen.allSatisfy { abs($0.peak - time) >= ProsodyBeat.nodInterval }
      guard isFree, time - lastNod >= ProsodyBeat.nodInterval else { continue }
      let strength = FaceMath.unit((peak.score - Self.leastScore) / (2 * range.spread))
      chosen.append(ProsodyBeat(kind: .nod, peak: time, strength: strength))
    }
    lastNod = chosen.reduce(lastNod) { max($0, $1.peak) }
    return chosen
  }

  // MARK: Brows

  private mutating func raise(_ peaks: [Peak], _ rises: [Range<Int>], _ start: Double) -> [ProsodyBeat] {
    var chosen: [ProsodyBeat] = []
    for rise in rises {
      let peak = start + Self.time(rise.lowerBound) + Self.browLag
      let hold = min(ProsodyBeat.longestHold, start + Self.time(rise.upperBound) + 0.1 - peak)
      let beat = ProsodyBeat(kind: .brow, peak: peak, strength: 1, hold: max(0, hold))
      if beat.start >= browEnd, chosen.allSatisfy({ $0.end <= beat.start }) { chosen.append(beat) }
    }
    let high = peaks.filter { $0.height >= 1.5 * range.spread && $0.rise >= 1.5 * range.spread }
    for peak in high.sorted(by: { ($0.height, $1.frame) > ($1.height, $0.frame) }) {
      let strength = FaceMath.unit(peak.height / (4 * range.spread))
      let beat = ProsodyBeat(kind: .brow, peak: start + Self.time(peak.frame), strength: strength)
      let isFree = chosen.allSatisfy {
        beat.start - $0.end >= ProsodyBeat.browRest || $0.start - beat.end >= ProsodyBeat.browRest
      }
      if isFree, beat.start - browEnd >= ProsodyBeat.browRest { chosen.append(beat) }
    }
    browEnd = chosen.reduce(browEnd) { max($0, $1.end) }
    return chosen
  }

  /// Where questions and other phrases rise at their ends.
  private func endings(_ contour: Contour, _ marks: [Mark]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var frame = 0
    while frame < marks.count {
      guard marks[frame] == .question else {
        frame += 1
        continue
      }
      let start = frame
      while frame < marks.count, marks[frame] == .question { frame += 1 }
      found.append(start..<frame)
    }
    for end in contour.phraseEnds(pause: Self.pause) {
      guard let rise = finalRise(contour, end), !found.contains(where: { $0.overlaps(rise) }) else {
        continue
      }
      found.append(rise)
    }
    return found.sorted { $0.lowerBound < $1.lowerBound }
  }

  private func finalRise(_ contour: Contour, _ end: Int) -> Range<Int>? {
    let last = contour.mean(end - 3..<end)
    guard let last, let low = contour.lowestFrame(end - Self.ending..<end), let floor = contour[low] else {
      return nil
    }
    let isRise = last - floor >= max(Self.leastFinalRise, range.spread) && last > range.centre
    guard isRise, end - low >= 5, contour.highest(low..<end).map({ last >= $0 - 1 }) == true else {
      return nil
    }
    return low..<end
  }

  private static func time(_ frame: Int) -> Double { (Double(frame) + 0.5) / rate }
}
