import Foundation
import RunAnywhere
import RunAnywhereOnnx

/// The voice's network and its vocabulary.
final class HibariModel: Sendable {
  /// Samples of one unit of a duration.
  static let durationUnit = 600
  /// The tensor inside the published graph that holds the duration of each token.
  private static let durations = "/Cast_32_output_0"
  private static let outputs = ["lh", "theta", "ln", "lr", "phi", "f0", durations]
  private static let border: Int64 = 0

  private let session: OrtSession
  private let vocabulary: [Unicode.Scalar: Int64]

  init(_ files: ModelFiles) throws {
    let table = try files.url(named: "vocab.json")
    do {
      let entries = try JSONDecoder().decode([String: Int64].self, from: Data(contentsOf: table))
      var vocabulary: [Unicode.Scalar: Int64] = [:]
      for (symbol, id) in entries {
        if let scalar = symbol.unicodeScalars.first { vocabulary[scalar] = id }
      }
      self.vocabulary = vocabulary
    } catch {
      throw files.damaged(table.lastPathComponent, reason: "it is no vocabulary", underlying: error)
    }
    let model = try files.url(named: "hibari.onnx")
    do {
      var data = try Data(contentsOf: model)
      try OnnxFile.check(data)
      data.append(contentsOf: OnnxFile.output(named: Self.durations, elementType: 7))
      session = try OrtSession(model: data)
    } catch {
      throw files.damaged(model.lastPathComponent, reason: error.localizedDescription, underlying: error)
    }
  }

  /// Whether the voice knows a symbol.
  func knows(_ symbol: Unicode.Scalar) -> Bool { vocabulary[symbol] != nil }

  /// Spectra, pitch and durations of the symbols.
  struct Prediction {
    fileprivate let tensors: OnnxOutputs
    /// Hz for each frame of 300 samples; 40 and less where unvoiced.
    let pitch: [Float]
    /// Samples of the silence before, of each symbol, and of the silence after.
    let durations: [Int]

    func withFrames<R>(_ body: (SpectralFrames) throws -> R) throws -> R {
      try tensors.withFloats(0) { harmonic in
        try tensors.withFloats(1) { harmonicPhase in
          try tensors.withFloats(2) { noise in
            try tensors.withFloats(3) { free in
              try tensors.withFloats(4) { freePhase in
                let count = SpectralSynthesis.bins * pitch.count
                let parts = [harmonic, harmonicPhase, noise, free, freePhase]
                guard parts.allSatisfy({ $0.count == count }), let a = harmonic.baseAddress,
                  let b = harmonicPhase.baseAddress, let c = noise.baseAddress, let d = free.baseAddress,
                  let e = freePhase.baseAddress
                else { throw OnnxError(code: 1, message: "The voice gave spectra of an unknown shape.") }
                return try body(
                  SpectralFrames(
                    frames: pitch.count, harmonic: a, harmonicPhase: b, noise: c, free: d, freePhase: e))
              }
            }
          }
        }
      }
    }
  }

  func predict(_ symbols: Phones, speed: Float) throws -> Prediction {
    let ids = [Self.border] + symbols.map { vocabulary[$0] ?? Self.border } + [Self.border]
    let tensors = try session.run(
      [("ids", .int64(ids, shape: [1, ids.count])), ("speed", .vector([speed]))], outputs: Self.outputs)
    let pitch = try tensors.floats(5)
    let durations = try tensors.int64s(6).map { Int($0) * Self.durationUnit }
    guard durations.count == ids.count, durations.reduce(0, +) == pitch.count * SpectralSynthesis.hop
    else { throw OnnxError(code: 1, message: "The voice's durations do not add up to its sound.") }
    return Prediction(tensors: tensors, pitch: pitch, durations: durations)
  }
}
