import Foundation

/// The voice's source: pulses at the fundamental frequency.
enum PulseTrain {
  /// Frames below this frequency, in Hz, are unvoiced.
  static let voicingThreshold: Float = 40
  /// No harmonic lies above this frequency, in Hz.
  private static let highest: Float = 11_000

  /// Every harmonic below 11 kHz at unit amplitude: sum of cos(h t) for h in 1...H equals
  /// sin((H + 1/2) t) / (2 sin(t/2)) - 1/2. Zero where unvoiced.
  /// - Parameters:
  ///   - pitch: Hz for each frame; between the middles of two frames it is interpolated.
  ///   - hop: Samples of a frame.
  static func samples(pitch: [Float], hop: Int, sampleRate: Float) -> [Float] {
    guard let last = pitch.indices.last else { return [] }
    var samples = [Float](repeating: 0, count: pitch.count * hop)
    var phase = 0.0
    let step = 1 / Float(hop)
    for frame in pitch.indices {
      let (before, here, after) = (pitch[max(0, frame - 1)], pitch[frame], pitch[min(last, frame + 1)])
      for j in 0..<hop {
        let place = (Float(j) + 0.5) * step - 0.5
        let f = place < 0 ? here + (before - here) * -place : here + (after - here) * place
        let frequency = max(f, voicingThreshold)
        phase += Double(frequency / sampleRate)
        phase -= phase.rounded(.down)
        guard f > voicingThreshold else { continue }
        let angle = Float(2 * Double.pi * phase)
        let count = (highest / frequency).rounded(.down) + 0.5
        let divisor = 2 * sinf(angle * 0.5)
        samples[frame * hop + j] = (abs(divisor) <= 2e-3 ? count : sinf(count * angle) / divisor) - 0.5
      }
    }
    return samples
  }
}
