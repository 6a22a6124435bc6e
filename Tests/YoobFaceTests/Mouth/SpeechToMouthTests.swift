import Testing

@testable import YoobFace

@Suite struct SpeechToMouthTests {
  /// The fixture's speech followed by half a second of silence, heard once for all tests.
  private static let spoken = Result {
    let mouth = try SpeechToMouth(weights: MouthFixture.mouthBytes())
    mouth.push(try MouthFixture().samples + [Float](repeating: 0, count: 8_000))
    mouth.finish()
    return mouth.frames
  }

  private func frames(of samples: [Float]) throws -> [Float] {
    let mouth = try SpeechToMouth(weights: MouthFixture.mouthBytes())
    mouth.push(samples)
    mouth.finish()
    return mouth.frames
  }

  private func classes(_ frames: [Float]) -> [Int] {
    stride(from: 0, to: frames.count, by: 15).map { at in
      (0..<15).max { frames[at + $0] < frames[at + $1] } ?? 0
    }
  }

  @Test("speech gives the weights that the training code computes")
  func golden() throws {
    let fixture = try MouthFixture()
    let found = try Self.spoken.get().prefix(fixture.weights.count)
    var largest: Float = 0
    for (a, b) in zip(found, fixture.weights) { largest = max(largest, abs(a - b)) }
    #expect(largest < 0.01)
  }

  @Test("the lips shut where the sentence has p, b and m")
  func closures() throws {
    let fixture = try MouthFixture()
    let shown = classes(try Self.spoken.get())
    var met = 0
    var real = 0
    for frame in fixture.labels.indices where fixture.labels[frame] == Viseme.PP.rawValue {
      if frame > 0, fixture.labels[frame - 1] == Viseme.PP.rawValue { continue }
      real += 1
      let end = fixture.labels[frame...].firstIndex { $0 != Viseme.PP.rawValue } ?? fixture.labels.count
      let near = max(0, frame - 2)..<min(shown.count, end + 2)
      if shown[near].contains(Viseme.PP.rawValue) { met += 1 }
    }
    #expect(real >= 4)
    #expect(met * 4 >= real * 3, "\(met) of \(real)")
  }

  @Test("a frame's weights sum to one")
  func sums() throws {
    let found = try Self.spoken.get()
    for at in stride(from: 0, to: found.count, by: 15) {
      #expect(abs(found[at..<(at + 15)].reduce(0, +) - 1) < 1e-5)
    }
  }

  @Test("pieces of any size give the same frames bit for bit", arguments: [1, 97, 1_000])
  func pieces(size: Int) throws {
    let samples = Array(try MouthFixture().samples[8_000..<12_000])
    let mouth = try SpeechToMouth(weights: MouthFixture.mouthBytes())
    var position = 0
    while position < samples.count {
      mouth.push(Array(samples[position..<min(samples.count, position + size)]))
      position += size
    }
    mouth.finish()
    let whole = try frames(of: samples)
    #expect(mouth.frames == whole)
  }

  @Test("N samples give ceil(N / 160) frames", arguments: [0, 1, 160, 161, 2_000])
  func length(count: Int) throws {
    let found = try frames(of: [Float](repeating: 0.01, count: count))
    #expect(found.count == (count + 159) / 160 * 15)
  }

  @Test("a frame appears once the look-ahead after it was heard, and that is at most 60 ms")
  func lookAhead() throws {
    let mouth = try SpeechToMouth(weights: MouthFixture.mouthBytes())
    #expect(mouth.lookAhead <= 60)
    let needed = Int(mouth.lookAhead * 16)
    #expect(mouth.push([Float](repeating: 0, count: needed - 1)) == 0)
    #expect(mouth.push([0]) == 1)
  }

  @Test("silence and room noise keep the mouth shut", arguments: [0, 0.000_3, 0.003] as [Float])
  func silence(level: Float) throws {
    var random = MouthRandom(seed: 5)
    let samples = (0..<8_000).map { _ in level * Float.random(in: -1.7...1.7, using: &random) }
    let found = try frames(of: samples)
    for at in stride(from: 0, to: found.count, by: 15) {
      let morphs = MouthShapes.morphs(of: Array(found[at..<(at + 15)]))
      #expect(morphs.allSatisfy { $0 == 0 }, "frame \(at / 15)")
    }
  }

  @Test("the mouth shuts in the silence after speech")
  func afterSpeech() throws {
    let found = classes(try Self.spoken.get())
    #expect(found.suffix(30).allSatisfy { $0 == Viseme.sil.rawValue })
  }

  @Test("after a reset the stream begins anew")
  func reset() throws {
    let samples = Array(try MouthFixture().samples[8_000..<10_000])
    let mouth = try SpeechToMouth(weights: MouthFixture.mouthBytes())
    mouth.push([Float](repeating: 0.3, count: 2_000))
    mouth.reset()
    mouth.push(samples)
    mouth.finish()
    let whole = try frames(of: samples)
    #expect(mouth.frames == whole)
  }

  @Test("old frames can be dropped and the rest keeps its numbers")
  func discarding() throws {
    let mouth = try SpeechToMouth(weights: MouthFixture.mouthBytes())
    mouth.push([Float](repeating: 0.1, count: 6_400))
    let whole = mouth.frames
    let count = mouth.frameCount
    mouth.discard(before: 20)
    #expect(mouth.firstFrame == 20 && mouth.frameCount == count)
    #expect(mouth.frames == Array(whole.dropFirst(300)))
    mouth.discard(before: 10_000)
    #expect(mouth.frames.isEmpty && mouth.frameCount == count)
  }

  @Test("samples that are not finite do no lasting harm")
  func notFinite() throws {
    let found = try frames(of: [.nan, .infinity, -.infinity] + [Float](repeating: 1e30, count: 1_000))
    #expect(found.allSatisfy { $0.isFinite })
  }
}
