import Foundation
import Testing
import VoiceAudio

@testable import RunAnywhereHibari

@Suite("Signal processing of the voice")
struct SynthesisTests {
  @Test("the fast transform equals the plain sum")
  func transform() {
    let transform = FourierTransform()
    let size = FourierTransform.size
    var random = SplitMix64(seed: 3)
    let input = (0..<size).map { _ in
      (Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random))
    }
    for i in 0..<size {
      transform.re[i] = Lanes(repeating: Float(input[i].0))
      transform.im[i] = Lanes(repeating: Float(input[i].1))
    }
    transform.run()
    for bin in [0, 1, 7, 100, 599, 600, 601, 1199] {
      var (re, im) = (0.0, 0.0)
      for (i, value) in input.enumerated() {
        let angle = -2 * Double.pi * Double(i * bin % size) / Double(size)
        re += value.0 * cos(angle) - value.1 * sin(angle)
        im += value.0 * sin(angle) + value.1 * cos(angle)
      }
      #expect(abs(Double(transform.re[bin][3]) - re) < 1e-3)
      #expect(abs(Double(transform.im[bin][3]) - im) < 1e-3)
    }
  }

  @Test("vector functions agree with the library's")
  func functions() {
    for step in -200...200 {
      let x = Float(step) * 0.06
      let lanes = Lanes(repeating: x)
      #expect(abs(VectorMath.exp(lanes)[0] / exp(x) - 1) < 1e-6)
      #expect(abs(VectorMath.tanh(lanes)[1] - tanh(x)) < 1e-6)
      let (s, c) = VectorMath.sinCos(lanes)
      #expect(abs(s[2] - sin(x)) < 2e-6)
      #expect(abs(c[7] - cos(x)) < 2e-6)
    }
  }

  @Test("a flat harmonic part gives the pulses back")
  func identity() {
    let frames = 40
    let count = SpectralSynthesis.bins * frames
    let flat = [Float](repeating: 0, count: count)
    let silent = [Float](repeating: -80, count: count)
    let pitch = [Float](repeating: 220, count: frames)
    let pulses = PulseTrain.samples(pitch: pitch, hop: SpectralSynthesis.hop, sampleRate: 24_000)
    let samples = flat.withUnsafeBufferPointer { flat in
      silent.withUnsafeBufferPointer { silent -> [Float] in
        guard let flat = flat.baseAddress, let silent = silent.baseAddress else { return [] }
        return SpectralSynthesis().samples(
          SpectralFrames(
            frames: frames, harmonic: flat, harmonicPhase: flat, noise: silent, free: silent, freePhase: flat),
          pitch: pitch, seed: 1)
      }
    }
    // The analysis scales the window by 4/1200: a filter of 1 is 1/300 of the pulses.
    #expect(samples.count == frames * 300)
    let worst = (1200..<samples.count - 1200).map { abs(samples[$0] - pulses[$0] / 300) }.max() ?? 1
    #expect(worst < 1e-4)
  }

  @Test("unvoiced frames have no pulses")
  func unvoiced() {
    let samples = PulseTrain.samples(pitch: [0, 0, 30], hop: 300, sampleRate: 24_000)
    #expect(samples.count == 900)
    #expect(samples.allSatisfy { $0 == 0 })
  }
}
