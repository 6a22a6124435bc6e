import Testing

@testable import YoobFace

@Suite("Melody")
struct ProsodyTests {
  /// Frames of 20 ms whose pitch a function of the seconds gives, in Hz.
  private static func melody(
    _ seconds: Double, stressed: [ClosedRange<Double>] = [], question: ClosedRange<Double>? = nil,
    pitch: (Double) -> Double
  ) -> [Float] {
    (0..<Int(seconds * 50)).flatMap { frame in
      let time = (Double(frame) + 0.5) / 50
      let isStressed = stressed.contains { $0.contains(time) }
      let mark: Float = question?.contains(time) == true ? 2 : isStressed ? 1 : 0
      return [Float(pitch(time)), mark]
    }
  }

  /// 200 Hz with a hill of `semitones` around each time, 0.4 s wide.
  private static func hills(_ times: [Double], semitones: Float = 6, level: Double = 200) -> (Double) ->
    Double
  {
    { time in
      let height = times.map { Beats.bump(Float((time - $0) / 0.4 + 0.5)) }.max() ?? 0
      return level * Double(power(height * semitones))
    }
  }

  /// The ratio of so many semitones, 0...24.
  private static func power(_ semitones: Float) -> Float {
    var value: Float = 1
    for _ in 0..<Int(semitones * 100) { value *= 1.000_577_789_5 }
    return value
  }

  /// How far head and brows are from those of a face that knows no melody, 60 frames a second.
  private struct Moves {
    var nods: [Float] = []
    var brows: [Float] = []

    /// Seconds at which a row has its peaks above `least`.
    static func peaks(_ row: [Float], above least: Float) -> [Double] {
      row.indices.dropFirst().dropLast().filter {
        row[$0] > least && row[$0] > row[$0 - 1] && row[$0] >= row[$0 + 1]
      }
      .map { Double($0) / 60 }
    }
    var nodTimes: [Double] { Self.peaks(nods, above: 0.01) }
    var browTimes: [Double] { Self.peaks(brows, above: 0.05) }
  }

  private static func play(
    _ seconds: Double, seed: UInt64 = 7, calm: Bool = false, sound: [Float] = [],
    melody pieces: [(frame: Int, frames: [Float])]
  ) throws -> Moves {
    let plain = try SyntheticPuppet.engine(seed: seed)
    let melodic = try SyntheticPuppet.engine(seed: seed)
    for face in [plain, melodic] {
      face.calm = calm
      face.beginUtterance()
      let visemes = SyntheticPuppet.visemes([Viseme](repeating: .aa, count: Int(seconds * 5) + 1))
      visemes.withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 0) }
    }
    sound.withUnsafeBufferPointer { melodic.appendAudio($0, sampleRate: 16_000) }
    for piece in pieces {
      piece.frames.withUnsafeBufferPointer { melodic.appendProsody($0, startFrame: piece.frame) }
    }
    var moves = Moves()
    for step in 0..<Int(seconds * 60) {
      let time = Double(step) / 60
      for face in [plain, melodic] { face.advance(to: time, playhead: time) }
      moves.nods.append(plain.pose.head.pitch - melodic.pose.head.pitch)
      moves.brows.append(melodic.pose.morphs[.browInnerUp] - plain.pose.morphs[.browInnerUp])
    }
    return moves
  }

  @Test("a flat melody moves nothing, marks or not", arguments: [true, false])
  func flat(isMarked: Bool) throws {
    let melody = Self.melody(4, stressed: isMarked ? [1...1.1, 2...2.1] : []) { _ in 180 }
    let moves = try Self.play(4, melody: [(0, melody)])
    #expect(moves.nods.allSatisfy { abs($0) < 1e-6 })
    #expect(moves.brows.allSatisfy { abs($0) < 1e-6 })
  }

  @Test(
    "an accent makes one nod, whose lowest point meets the accent, in a low voice as in a high one",
    arguments: [90.0, 200, 320], [0.5, 1.3, 2.4])
  func accent(level: Double, time: Double) throws {
    let melody = Self.melody(
      3, stressed: [time - 0.05...time + 0.05], pitch: Self.hills([time], level: level))
    let moves = try Self.play(3, melody: [(0, melody)])
    #expect(moves.nodTimes.count == 1)
    #expect(abs(try #require(moves.nodTimes.first) - time) < 0.08)
  }

  @Test(
    "a peak is an accent without marks too, and none outside of the stressed sounds where they are marked")
  func marks() throws {
    let bare = try Self.play(3, melody: [(0, Self.melody(3, pitch: Self.hills([1.5])))])
    #expect(bare.nodTimes.count == 1)
    let elsewhere = Self.melody(3, stressed: [0.3...0.4], pitch: Self.hills([1.5]))
    #expect(try Self.play(3, melody: [(0, elsewhere)]).nodTimes == [])
  }

  @Test("a small wave is no accent, and the highest accents raise the brows as well")
  func heights() throws {
    let small = Self.melody(3, stressed: [1.45...1.55], pitch: Self.hills([1.5], semitones: 1.5))
    #expect(try Self.play(3, melody: [(0, small)]).nodTimes == [])
    let high = Self.melody(3, stressed: [1.45...1.55], pitch: Self.hills([1.5], semitones: 9))
    let moves = try Self.play(3, melody: [(0, high)])
    #expect(moves.browTimes.count == 1)
    #expect(abs(try #require(moves.browTimes.first) - 1.5) < 0.08)
  }

  @Test("a voice that rises at its end raises the brows and does not nod")
  func finalRise() throws {
    let melody = Self.melody(2) { $0 < 1.3 ? 200 : $0 < 1.6 ? 200 + 400 * ($0 - 1.3) : 0 }
    let moves = try Self.play(2.6, melody: [(0, melody)])
    #expect(moves.nodTimes == [])
    let raised = moves.brows.indices.filter { moves.brows[$0] > 0.2 }.map { Double($0) / 60 }
    #expect(try #require(raised.first) > 1.2 && raised.contains { abs($0 - 1.6) < 0.05 })
    #expect(moves.brows.last == 0)
  }

  @Test("brows stay up over the marked end of a question whose melody falls")
  func question() throws {
    let melody = Self.melody(2, question: 1.2...1.9) { $0 < 1.9 ? 220 - 40 * $0 : 0 }
    let moves = try Self.play(2.8, melody: [(0, melody)])
    #expect(moves.brows[Int(1.1 * 60)] == 0)
    #expect(moves.brows[Int(1.6 * 60)] > 0.3 && moves.brows[Int(1.9 * 60)] > 0.3)
    #expect(moves.brows.last == 0)
    #expect(moves.nodTimes == [])
  }

  @Test("jumps of an octave and single clicks are no accents")
  func jumps() throws {
    let melody = Self.melody(4) { time in
      let frame = Int(time * 50)
      return frame % 37 == 5 ? 400 : frame % 41 == 9 ? 100 : frame % 29 == 3 ? 0 : 200
    }
    let moves = try Self.play(4, melody: [(0, melody)])
    #expect(moves.nodTimes == [] && moves.browTimes == [])
  }

  @Test(
    "head and brows keep a human pace in the wildest melody, and never jump",
    arguments: 1...8 as ClosedRange<UInt64>)
  func pace(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let hills = (0..<120).map { Double($0) * 0.25 + Double(random.between(0, 0.1)) }
    let marked = seed.isMultiple(of: 2) ? hills.map { $0 - 0.04...$0 + 0.04 } : []
    let shape = Self.hills(hills, semitones: 10)
    let melody = Self.melody(30, stressed: marked) { time in
      random.chance(0.05) ? Double(random.between(0, 900)) : shape(time) * Double(random.between(0.9, 1.1))
    }
    let pieces = stride(from: 0, to: 1500, by: 150).map {
      (frame: $0, frames: Array(melody[2 * $0..<2 * $0 + 300]))
    }
    let moves = try Self.play(30, seed: seed, melody: pieces)
    #expect((5...33).contains(moves.nodTimes.count))
    #expect(zip(moves.nodTimes, moves.nodTimes.dropFirst()).allSatisfy { $1 - $0 > 0.85 })
    #expect(moves.browTimes.count <= 15)
    #expect(zip(moves.nods, moves.nods.dropFirst()).allSatisfy { abs($1 - $0) < 0.012 })
    #expect(zip(moves.brows, moves.brows.dropFirst()).allSatisfy { abs($1 - $0) < 0.08 })
  }

  @Test("a calm face does not nod")
  func calm() throws {
    let melody = Self.melody(3, pitch: Self.hills([1, 2], semitones: 9))
    let moves = try Self.play(3, calm: true, melody: [(0, melody)])
    #expect(moves.nods.allSatisfy { $0 == 0 } && moves.brows.allSatisfy { $0 == 0 })
  }

  @Test("the same seed makes the same movements, another seed others of the same time")
  func deterministic() throws {
    let pieces = [(frame: 0, frames: Self.melody(3, pitch: Self.hills([1, 2])))]
    let first = try Self.play(3, melody: pieces)
    let other = try Self.play(3, seed: 8, melody: pieces)
    #expect(try Self.play(3, melody: pieces).nods == first.nods)
    #expect(other.nods != first.nods && other.nodTimes.count == first.nodTimes.count)
  }

  @Test("loudness makes the beats where the melody is not known, and only there")
  func loudness() throws {
    // Loud bursts every 0.7 s.
    let sound: [Float] = (0..<96_000).map { index in
      let isLoud = (index / 1600) % 7 == 3
      return isLoud ? Float(index % 80) / 100 - 0.4 : 0
    }
    let flat = Self.melody(3) { _ in 180 }
    let moves = try Self.play(6, sound: sound, melody: [(0, flat)])
    #expect(moves.nodTimes.allSatisfy { $0 > 3 } && !moves.nodTimes.isEmpty)
  }

  @Test("a melody that comes after its accent was heard moves nothing")
  func late() throws {
    let face = try SyntheticPuppet.engine()
    let plain = try SyntheticPuppet.engine()
    let visemes = SyntheticPuppet.visemes([Viseme](repeating: .aa, count: 20))
    for face in [face, plain] {
      face.beginUtterance()
      visemes.withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 0) }
    }
    for step in 0..<180 {
      if step == 70 {
        let melody = Self.melody(3, pitch: Self.hills([1]))
        melody.withUnsafeBufferPointer { face.appendProsody($0, startFrame: 0) }
      }
      for face in [face, plain] { face.advance(to: Double(step) / 60, playhead: Double(step) / 60) }
      #expect(face.pose.head.pitch == plain.pose.head.pitch)
    }
  }

  @Test("without speaking motion neither melody nor loudness moves the head, and what passed is forgotten")
  func noSpeakingMotion() throws {
    let sound: [Float] = (0..<48_000).map { index in
      (index / 1600) % 7 == 3 ? Float(index % 80) / 100 - 0.4 : 0
    }
    for melody in [Self.melody(4, pitch: Self.hills([1])), []] {
      let still = try SyntheticPuppet.engine()
      let silent = try SyntheticPuppet.engine()
      let visemes = SyntheticPuppet.visemes([Viseme](repeating: .aa, count: 20))
      for face in [still, silent] {
        face.beginUtterance()
        visemes.withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 0) }
      }
      still.movesWithSpeech = false
      sound.withUnsafeBufferPointer { still.appendAudio($0, sampleRate: 16_000) }
      melody.withUnsafeBufferPointer { still.appendProsody($0, startFrame: 0) }
      for step in 0..<180 {
        if step == 120 { still.movesWithSpeech = true }
        for face in [still, silent] { face.advance(to: Double(step) / 60, playhead: Double(step) / 60) }
        guard !melody.isEmpty || step < 120 else { break }
        #expect(still.pose.head.pitch == silent.pose.head.pitch)
        #expect(still.pose.morphs[.browInnerUp] == silent.pose.morphs[.browInnerUp])
      }
    }
  }

  @Test("what is no melody is survived")
  func fuzz() throws {
    var random = SeededGenerator(seed: 3)
    let face = try SyntheticPuppet.engine()
    let odd: [Float] = [
      .nan, .infinity, -.infinity, -1, 0, 1, 2, 3, 1e30, 60, 120, 400, 699, .leastNonzeroMagnitude,
    ]
    func pick<T>(_ list: [T]) -> T { list[Int(random.next() % UInt64(list.count))] }
    for step in 0..<400 {
      let count = Int(random.between(0, 120))
      let frames = (0..<count).map { _ in pick(odd) }
      let start = pick([0, -1, .min, .max, step, step * 7, 4_319_999])
      frames.withUnsafeBufferPointer {
        face.appendProsody($0, startFrame: start)
      }
      if random.chance(0.05) { face.beginUtterance() }
      face.advance(to: Double(step) / 30, playhead: Double(step) / 30)
      #expect(face.pose.head.pitch.isFinite && face.positions.allSatisfy { $0.x.isFinite && $0.y.isFinite })
    }
  }

  @Test("a long melody at once is taken whole, and what waits is bounded")
  func long() throws {
    var track = ProsodyTrack()
    let shape = Self.hills([0.5])
    let melody = Self.melody(1800) { shape($0.truncatingRemainder(dividingBy: 1)) }
    melody.withUnsafeBufferPointer { track.append($0, start: 0) }
    #expect(track.covers(1799))
    var nods = 0
    for step in 0..<1800 * 50 where track.take(at: Double(step) / 50)?.kind == .nod { nods += 1 }
    #expect((1700...1800).contains(nods))
    for hour in 1...6 { melody.withUnsafeBufferPointer { track.append($0, start: hour * 90_000) } }
    var waiting = 0
    for step in 1800 * 50..<7 * 1800 * 50 where track.take(at: Double(step) / 50) != nil { waiting += 1 }
    #expect(waiting <= ProsodyTrack.mostWaiting)
  }
}
