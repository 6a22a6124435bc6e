import Testing

@testable import VoiceAudio

@Suite struct SpectrumTests {
  @Test("own functions agree with the known values")
  func functions() {
    let exponentials: [(Float, Float)] = [(0, 1), (1, 2.718_281_8), (-5, 0.006_737_947), (10, 22_026.466)]
    for (x, y) in exponentials { #expect(abs(PureMath.exp(x) / y - 1) < 3e-6) }
    let logarithms: [(Float, Float)] = [(1, 0), (2, 0.693_147_2), (1e-6, -13.815_511), (1_000, 6.907_755_3)]
    for (x, y) in logarithms { #expect(abs(PureMath.log(x) - y) < 3e-6) }
    for x in [Float.nan, .infinity, -.infinity] { #expect(PureMath.exp(x).isFinite) }
    #expect(abs(PureMath.tanh(0.5) - 0.462_117_16) < 1e-6)
    #expect(abs(PureMath.sigmoid(-1) - 0.268_941_42) < 1e-6)
    #expect(abs(PureMath.sin(1) - 0.841_470_984_807_896_5) < 1e-12)
    #expect(abs(PureMath.cos(-100) - 0.862_318_872_287_683_9) < 1e-11)
  }

  @Test("the transform agrees with its definition", arguments: [4, 8, 64, 512])
  func definition(size: Int) {
    var random = SplitMix64(seed: 5)
    let frame = (0..<size).map { _ in Float.random(in: -1...1, using: &random) }
    var power = [Float](repeating: 0, count: size / 2 + 1)
    let fft = FFT(size: size)
    frame.withUnsafeBufferPointer { frame in
      power.withUnsafeMutableBufferPointer { fft.power(of: frame, into: $0) }
    }
    for bin in 0...(size / 2) {
      var re = 0.0
      var im = 0.0
      for (index, sample) in frame.enumerated() {
        let (s, c) = PureMath.sinCos(turns: Double(index * bin) / Double(size))
        re += Double(sample) * c
        im -= Double(sample) * s
      }
      #expect(abs(Double(power[bin]) - (re * re + im * im)) < 1e-3 * Double(size))
    }
  }

  private func frames(_ samples: [Float], pieces: Int) -> [[Float]] {
    let mel = LogMel()
    var found: [[Float]] = []
    var position = 0
    while position < samples.count {
      let end = min(samples.count, position + pieces)
      samples[position..<end].withUnsafeBufferPointer { mel.push($0) { found.append(Array($0)) } }
      position = end
    }
    return found
  }

  @Test("log-mel frames are those of the training code")
  func logMel() {
    let samples = ResamplerTests.tones(1_600, rate: 16_000) + [Float](repeating: 0, count: 200)
    let found = frames(samples, pieces: 1_800)
    #expect(found.count == 11)
    let expected: [(Int, [Float])] = [
      (0, [2.606_7, 5.705_1, 1.162_5, 3.493_7, -1.608_9, -2.589_6]),
      (5, [-7.447_9, 6.667, -6.521_2, 1.910_9, -13.799_4, -13.815_4]),
      (9, [-7.201_5, 6.667, -6.561_8, 1.911, -13.800_9, -13.815_4]),
    ]
    for (frame, values) in expected {
      for (band, value) in zip([0, 5, 10, 20, 30, 39], values) {
        #expect(abs(found[frame][band] - value) < 0.01, "frame \(frame), band \(band)")
      }
    }
  }

  @Test("pieces of any size give the same frames bit for bit", arguments: [1, 37, 160, 399, 401])
  func pieces(size: Int) {
    let samples = ResamplerTests.tones(2_000, rate: 16_000)
    #expect(frames(samples, pieces: size) == frames(samples, pieces: 2_000))
  }

  @Test("after a reset the stream begins anew")
  func reset() {
    let samples = ResamplerTests.tones(700, rate: 16_000)
    let mel = LogMel()
    var first: [[Float]] = []
    var second: [[Float]] = []
    samples.withUnsafeBufferPointer { mel.push($0) { first.append(Array($0)) } }
    mel.reset()
    samples.withUnsafeBufferPointer { mel.push($0) { second.append(Array($0)) } }
    #expect(first == second && first.count == 4)
  }
}
