import Testing

@testable import VoiceAudio

@Suite struct ResamplerTests {
  /// 0.5 sin(2π 440 t) + 0.3 sin(2π 1700 t + 1).
  static func tones(_ count: Int, rate: Int) -> [Float] {
    (0..<count).map { index in
      let time = Double(index) / Double(rate)
      return Float(
        0.5 * PureMath.sinCos(turns: 440 * time).sin
          + 0.3 * PureMath.sinCos(turns: 1700 * time + 0.15915494309189535).sin)
    }
  }

  @Test(
    "two tones come out as SoX's best resampler makes them",
    arguments: [
      (44_100, 16_000, [-0.25244, -0.21263, -0.04717, 0.20621, 0.47005, 0.65942]),
      (48_000, 16_000, [-0.25244, -0.21263, -0.04717, 0.20621, 0.47005, 0.65942]),
      (8_000, 24_000, [-0.25244, -0.24016, -0.17066, -0.04717, 0.11625, 0.2974]),
      (22_050, 48_000, [-0.25244, -0.25321, -0.24016, -0.21263, -0.17066, -0.11502]),
      (192_000, 16_000, [-0.25244, -0.21263, -0.04717, 0.20621, 0.47005, 0.65942]),
    ] as [(Int, Int, [Float])])
  func reference(from: Int, to: Int, expected: [Float]) {
    let clip = AudioClip(samples: Self.tones(from / 4, rate: from), sampleRate: from)
    let samples = StreamingResampler.convert(clip, to: to).samples
    for (found, wanted) in zip(samples[(to / 8)...], expected) { #expect(abs(found - wanted) < 2e-4) }
  }

  @Test("rates without a small ratio are met as well", arguments: [(44_099, 16_000), (16_000, 44_101)])
  func oddRates(from: Int, to: Int) {
    let clip = AudioClip(samples: Self.tones(from / 2, rate: from), sampleRate: from)
    let found = StreamingResampler.convert(clip, to: to).samples
    let wanted = Self.tones(to / 2, rate: to)
    for index in (to / 8)..<(to / 4) { #expect(abs(found[index] - wanted[index]) < 2e-4) }
  }

  @Test(
    "N samples give ceil(N × to / from)", arguments: [(44_100, 16_000), (16_000, 24_000), (48_000, 8_000)])
  func length(from: Int, to: Int) {
    for count in [0, 1, 2, 7, 159, 160, 161, 1_000] {
      let clip = AudioClip(samples: [Float](repeating: 0.1, count: count), sampleRate: from)
      #expect(StreamingResampler.convert(clip, to: to).samples.count == (count * to + from - 1) / from)
    }
  }

  @Test("pieces of any size give the whole, bit for bit")
  func pieces() {
    let samples = Self.tones(6_000, rate: 44_100)
    var whole = StreamingResampler(from: 44_100, to: 16_000)
    let expected = whole.process(samples) + whole.finish()
    var random = SplitMix64(seed: 3)
    var resampler = StreamingResampler(from: 44_100, to: 16_000)
    for _ in 0..<3 {
      var found: [Float] = []
      var position = 0
      while position < samples.count {
        let end = min(samples.count, position + Int.random(in: 0...700, using: &random))
        found += resampler.process(Array(samples[position..<end]))
        position = end
      }
      found += resampler.finish()
      #expect(found == expected)
    }
  }

  @Test("tones above half of the new rate vanish")
  func aliasing() {
    let samples = (0..<24_000).map { Float(PureMath.sinCos(turns: 10_000 * Double($0) / 48_000).sin) }
    let clip = StreamingResampler.convert(AudioClip(samples: samples, sampleRate: 48_000), to: 16_000)
    #expect(Level(Array(clip.samples[1_000..<7_000])).dBFS < -80)
  }

  @Test("a constant stays constant, without a pattern of the phases")
  func constant() {
    let clip = AudioClip(samples: [Float](repeating: 0.5, count: 4_000), sampleRate: 44_100)
    let samples = StreamingResampler.convert(clip, to: 48_000).samples
    #expect(samples[1_000..<3_000].allSatisfy { abs($0 - 0.5) < 1e-6 })
  }

  @Test("equal rates leave the samples as they are")
  func copy() {
    var resampler = StreamingResampler(from: 16_000, to: 16_000)
    #expect(resampler.process([0.1, -0.2]) == [0.1, -0.2])
    #expect(resampler.finish().isEmpty)
  }
}
