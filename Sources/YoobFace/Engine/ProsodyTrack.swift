/// The beats of an utterance whose melody is known, in order of time.
struct ProsodyTrack {
  private var detector = PitchAccents()
  private var beats: [ProsodyBeat] = []
  private var next = 0
  /// Seconds of the utterance whose melody is known.
  private var known: Range<Double> = 0..<0

  /// Beats that wait at most: more than an hour of a lively speaker.
  static let mostWaiting = 8000

  /// A day of speech.
  private static let mostFrames = 4_320_000

  /// Forgets the utterance, not the range of the speaker's voice.
  mutating func reset() {
    detector.restart()
    beats.removeAll(keepingCapacity: true)
    next = 0
    known = 0..<0
  }

  /// Takes two numbers a frame, Hz and mark, from frame `start` on.
  mutating func append(_ frames: UnsafeBufferPointer<Float>, start: Int) {
    let all = frames.count / 2
    var done = 0
    while done < all, start >= 0, start < Self.mostFrames - done {
      let count = min(all - done, PitchAccents.longestPiece)
      append(UnsafeBufferPointer(rebasing: frames[2 * done..<2 * (done + count)]), count, start + done)
      done += count
    }
  }

  private mutating func append(_ frames: UnsafeBufferPointer<Float>, _ count: Int, _ start: Int) {
    let begin = Double(start) / PitchAccents.rate
    let end = begin + Double(count) / PitchAccents.rate
    // A stretch whose melody is known already keeps its beats.
    guard known.isEmpty || end > known.upperBound else { return }
    known = known.isEmpty ? begin..<end : min(known.lowerBound, begin)..<end
    let pitch = (0..<count).map { frames[2 * $0] }
    let marks = (0..<count).map { Self.mark(frames[2 * $0 + 1]) }
    beats.removeFirst(next)
    next = 0
    for beat in detector.beats(pitch: pitch, marks: marks, start: begin) {
      guard beats.count < Self.mostWaiting else { break }
      beats.append(beat)
    }
    // The first brows of a piece may start before the last nod of the one before.
    beats.sort { $0.start < $1.start }
  }

  /// Whether the melody is known at a playhead in seconds.
  func covers(_ playhead: Double) -> Bool { known.contains(playhead) }

  /// The movement that starts at a playhead in seconds, once; those that are too late are dropped.
  mutating func take(at playhead: Double) -> ProsodyBeat? {
    while next < beats.count, beats[next].start <= playhead {
      next += 1
      if playhead - beats[next - 1].start <= ProsodyBeat.latest { return beats[next - 1] }
    }
    return nil
  }

  private static func mark(_ value: Float) -> PitchAccents.Mark {
    if value == 2 { return .question }
    return value == 1 ? .stressed : .none
  }
}
