import Foundation
import VoiceAudio
import YoobFace

/// A classifier to be better than: one Gaussian a viseme over 13 cepstral coefficients, scores averaged over
/// seven frames.
package struct GaussianMouth: Decodable, Sendable {
  /// By viseme: the mean, the precision matrix row by row, and the constant of the log-likelihood.
  let mean: [[Float]]
  let precision: [[Float]]
  let constant: [Float]

  static let size = 13
  private static let smoothing = 3

  package init(mean: [[Float]], precision: [[Float]], constant: [Float]) {
    self.mean = mean
    self.precision = precision
    self.constant = constant
  }

  /// Whether the sizes are those of 15 visemes and 13 coefficients.
  package var isWhole: Bool {
    mean.count == 15 && precision.count == 15 && constant.count == 15
      && mean.allSatisfy { $0.count == Self.size }
      && precision.allSatisfy { $0.count == Self.size * Self.size }
  }

  /// The likeliest viseme of each frame of 16 kHz speech.
  package func visemes(of samples: [Float]) -> [Viseme] {
    var scores: [[Float]] = []
    let mel = LogMel()
    // Half a window more, so that the last frame is whole.
    let padded = samples + [Float](repeating: 0, count: LogMel.window)
    var peak: Float = -5.5
    padded.withUnsafeBufferPointer { samples in
      mel.push(samples) { features in
        var sum: Float = 0
        for feature in features { sum += feature }
        let level = sum / Float(LogMel.bands)
        peak = max(level, peak - 0.01, -5.5)
        scores.append(self.scores(self.cepstrum(features.map { $0 - peak })))
      }
    }
    let count = min(scores.count, (samples.count + LogMel.hop - 1) / LogMel.hop)
    return (0..<count).map { frame in
      var best = (viseme: 0, score: -Float.infinity)
      let window = max(0, frame - Self.smoothing)...min(scores.count - 1, frame + Self.smoothing)
      for viseme in 0..<15 {
        let score = window.reduce(Float(0)) { $0 + scores[$1][viseme] }
        if score > best.score { best = (viseme, score) }
      }
      return Viseme(rawValue: best.viseme) ?? .sil
    }
  }

  private func scores(_ x: [Float]) -> [Float] {
    (0..<15).map { viseme in
      let away = zip(x, mean[viseme]).map { $0 - $1 }
      var sum: Float = 0
      for row in 0..<Self.size {
        for column in 0..<Self.size {
          sum += away[row] * precision[viseme][row * Self.size + column] * away[column]
        }
      }
      return constant[viseme] - 0.5 * sum
    }
  }

  /// The orthonormal cosine transform of 40 bands, first 13 coefficients.
  private func cepstrum(_ bands: [Float]) -> [Float] {
    (0..<Self.size).map { k in
      var sum: Float = 0
      for (n, band) in bands.enumerated() { sum += band * Self.cosines[k * LogMel.bands + n] }
      return sum
    }
  }

  private static let cosines: [Float] = (0..<size).flatMap { k in
    (0..<LogMel.bands).map { n in
      let angle = Double.pi * (Double(n) + 0.5) * Double(k) / Double(LogMel.bands)
      let scale = (k == 0 ? 1 : 2) / Double(LogMel.bands)
      return Float(cos(angle) * scale.squareRoot())
    }
  }
}
