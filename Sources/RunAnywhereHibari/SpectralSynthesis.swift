import Foundation
import VoiceAudio

/// What the network says of each frame: arrays of 601 bins by `frames`, bin by bin.
struct SpectralFrames {
  var frames: Int
  /// Logarithm of the harmonic part's magnitude, and its phase as a fraction of pi before tanh.
  var harmonic: UnsafePointer<Float>
  var harmonicPhase: UnsafePointer<Float>
  /// Logarithm of the noise part's magnitude.
  var noise: UnsafePointer<Float>
  /// Logarithm of the free part's magnitude, and its phase in radians.
  var free: UnsafePointer<Float>
  var freePhase: UnsafePointer<Float>
}

/// Makes sound of spectra: pulses through the harmonic filter, shaped noise and a free part, joined
/// by one inverse short-time Fourier transform (1200 points, hop 300, periodic Hann window).
///
/// Sixteen frames are computed together: eight as the real and eight as the imaginary parts.
/// Use one object from one thread at a time.
final class SpectralSynthesis {
  static let sampleRate = 24_000
  static let hop = 300
  static let bins = FourierTransform.size / 2 + 1
  private static let size = FourierTransform.size
  private static let lanes = Lanes.scalarCount
  private static let noiseLength = 4096
  /// Greatest logarithm of a magnitude.
  private static let loudest = Lanes(repeating: 7)
  private static let quietest = Lanes(repeating: -80)

  private let transform = FourierTransform()
  private let window: [Float]
  /// Normal deviates, drawn on with random offsets.
  private let deviates: [Lanes]

  init() {
    window = (0..<Self.size).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(Self.size))) }
    var random = NormalDeviates(seed: 1)
    deviates = (0..<Self.noiseLength).map { _ in
      var lanes = Lanes.zero
      for lane in 0..<Self.lanes { lanes[lane] = random.next() }
      return lanes
    }
  }

  /// The sound of the frames: `frames` x 300 samples at 24 kHz. The same seed gives the same noise.
  func samples(_ input: SpectralFrames, pitch: [Float], seed: UInt64) -> [Float] {
    let frames = input.frames
    let count = frames * Self.hop
    guard frames > 0, pitch.count == frames else { return [] }
    let block = 2 * Self.lanes
    let padded = (frames + block - 1) / block * block
    let source = padding(
      PulseTrain.samples(pitch: pitch, hop: Self.hop, sampleRate: Float(Self.sampleRate)),
      count: padded * Self.hop + Self.size)
    var sum = [Float](repeating: 0, count: padded * Self.hop + Self.size)
    var random = SplitMix64(seed: seed)
    source.withUnsafeBufferPointer { source in
      sum.withUnsafeMutableBufferPointer { sum in
        guard let source = source.baseAddress, let sum = sum.baseAddress else { return }
        for first in stride(from: 0, to: frames, by: block) {
          analyse(source + first * Self.hop)
          transform.run()
          filter(input, first: first, random: &random)
          transform.run()
          add(to: sum + first * Self.hop, frames: min(block, frames - first))
        }
      }
    }
    return normalized(sum, count: count, frames: frames)
  }

  /// The sound with half a window mirrored on its left and right, and silence up to `count`.
  private func padding(_ samples: [Float], count: Int) -> [Float] {
    let half = Self.size / 2
    var padded = [Float](repeating: 0, count: count)
    guard samples.count > half else { return padded }
    padded.replaceSubrange(half..<half + samples.count, with: samples)
    for i in 0..<half {
      padded[half - 1 - i] = samples[i + 1]
      padded[half + samples.count + i] = samples[samples.count - 2 - i]
    }
    return padded
  }

  private func analyse(_ source: UnsafePointer<Float>) {
    let (re, im) = (transform.re, transform.im)
    let gain = 4 / Float(Self.size)
    let second = Self.lanes * Self.hop
    for i in 0..<Self.size {
      let weight = window[i] * gain
      var (a, b) = (Lanes.zero, Lanes.zero)
      for lane in 0..<Self.lanes {
        a[lane] = source[lane * Self.hop + i]
        b[lane] = source[lane * Self.hop + i + second]
      }
      re[i] = a * weight
      im[i] = b * weight
    }
  }

  /// Turns the transform of two times eight frames of pulses into the spectra of the voice, laid out
  /// for an inverse transform (parts swapped).
  private func filter(_ input: SpectralFrames, first: Int, random: inout SplitMix64) {
    let (re, im) = (transform.re, transform.im)
    var offsets = (0, 0, 0, 0)
    let room = UInt64(Self.noiseLength - Self.bins)
    offsets.0 = Int(random.next() % room)
    offsets.1 = Int(random.next() % room)
    offsets.2 = Int(random.next() % room)
    offsets.3 = Int(random.next() % room)
    let last = Self.size / 2
    for bin in 0...last {
      let mirror = (Self.size - bin) % Self.size
      let (zr, zi, wr, wi) = (re[bin], im[bin], re[mirror], im[mirror])
      let a = voice(
        input, bin, first, (zr + wr) * 0.5, (zi - wi) * 0.5, deviates[offsets.0 + bin],
        deviates[offsets.1 + bin])
      let b = voice(
        input, bin, first + Self.lanes, (zi + wi) * 0.5, (wr - zr) * 0.5, deviates[offsets.2 + bin],
        deviates[offsets.3 + bin])
      if bin == 0 || bin == last {
        re[bin] = b.re
        im[bin] = a.re
      } else {
        re[bin] = a.im + b.re
        im[bin] = a.re - b.im
        re[mirror] = b.re - a.im
        im[mirror] = a.re + b.im
      }
    }
  }

  @inline(__always) private func voice(
    _ input: SpectralFrames, _ bin: Int, _ frame: Int, _ sourceRe: Lanes, _ sourceIm: Lanes,
    _ noiseRe: Lanes, _ noiseIm: Lanes
  ) -> (re: Lanes, im: Lanes) {
    let row = bin * input.frames
    let size = magnitude(load(input.harmonic, row, frame, input.frames))
    let turn = VectorMath.sinCos(VectorMath.tanh(load(input.harmonicPhase, row, frame, input.frames)) * .pi)
    let noise = magnitude(load(input.noise, row, frame, input.frames))
    let free = magnitude(load(input.free, row, frame, input.frames))
    let angle = VectorMath.sinCos(load(input.freePhase, row, frame, input.frames))
    let (c, s) = (size * turn.cos, size * turn.sin)
    return (
      sourceRe * c - sourceIm * s + noise * noiseRe + free * angle.cos,
      sourceRe * s + sourceIm * c + noise * noiseIm + free * angle.sin
    )
  }

  @inline(__always) private func magnitude(_ logarithm: Lanes) -> Lanes {
    VectorMath.exp(logarithm.clamped(lowerBound: Self.quietest, upperBound: Self.loudest))
  }

  /// Eight frames from `frame` on; the last frame again where there are no more.
  @inline(__always) private func load(
    _ values: UnsafePointer<Float>, _ row: Int, _ frame: Int, _ frames: Int
  ) -> Lanes {
    if frame + Self.lanes <= frames {
      return UnsafeRawPointer(values + row + frame).loadUnaligned(as: Lanes.self)
    }
    var lanes = Lanes.zero
    for lane in 0..<Self.lanes { lanes[lane] = values[row + min(frame + lane, frames - 1)] }
    return lanes
  }

  private func add(to sum: UnsafeMutablePointer<Float>, frames: Int) {
    // The parts come back swapped: the first eight frames lie in the imaginary part.
    let (re, im) = (transform.re, transform.im)
    let gain = 1 / Float(Self.size)
    for i in 0..<Self.size {
      let weight = window[i] * gain
      let (a, b) = (im[i] * weight, re[i] * weight)
      for lane in 0..<min(Self.lanes, frames) { sum[lane * Self.hop + i] += a[lane] }
      if frames > Self.lanes {
        for lane in 0..<frames - Self.lanes { sum[(lane + Self.lanes) * Self.hop + i] += b[lane] }
      }
    }
  }

  /// Divides by the sum of the squared windows that overlap at each sample.
  private func normalized(_ sum: [Float], count: Int, frames: Int) -> [Float] {
    let half = Self.size / 2
    let inside: Float = 1 / 1.5
    return (0..<count).map { sample in
      let place = sample + half
      guard place < Self.size || place >= count else {
        return min(max(sum[place] * inside, -1), 1)
      }
      var weight: Float = 0
      let lastFrame = min(frames - 1, place / Self.hop)
      for frame in max(0, (place - Self.size) / Self.hop)...max(0, lastFrame) {
        let i = place - frame * Self.hop
        if i >= 0, i < Self.size { weight += window[i] * window[i] }
      }
      return min(max(sum[place] / max(weight, 1e-3), -1), 1)
    }
  }
}

/// Normally distributed numbers by the method of Box and Muller.
private struct NormalDeviates {
  private var random: SplitMix64
  private var spare: Float?

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next() -> Float {
    if let spare {
      self.spare = nil
      return spare
    }
    let radius = sqrt(-2 * log(Float.random(in: 1e-7...1, using: &random)))
    let angle = Float.random(in: 0..<2 * .pi, using: &random)
    spare = radius * sin(angle)
    return radius * cos(angle)
  }
}
