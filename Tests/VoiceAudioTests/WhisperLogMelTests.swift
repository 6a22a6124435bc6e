import Foundation
import Testing

@testable import VoiceAudio

@Suite("Whisper's log-mel features")
struct WhisperLogMelTests {
  private struct Reference: Decodable {
    var recordings: [String]
    var samples: Int
    var mean: Float
    var frames: [String: [Float]]
  }

  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  private static func references() throws -> [Reference] {
    let data = try Data(contentsOf: fixtures.appendingPathComponent("turn-features.json"))
    return try JSONDecoder().decode([Reference].self, from: data)
  }

  @Test("features are those of the reference in double precision, for short and long sound")
  func reference() throws {
    for reference in try Self.references() {
      var samples: [Float] = []
      for name in reference.recordings {
        let data = try Data(contentsOf: Self.fixtures.appendingPathComponent(name))
        samples += try WAV.decode([UInt8](data)).samples
      }
      let found = WhisperLogMel.features(Array(samples.prefix(reference.samples)))
      #expect(found.count == WhisperLogMel.bands * WhisperLogMel.frames)
      #expect(abs(found.reduce(0, +) / Float(found.count) - reference.mean) < 1e-3)
      for (key, expected) in reference.frames {
        let frame = try #require(Int(key))
        let worst = expected.indices.map {
          abs(found[$0 * WhisperLogMel.frames + frame] - expected[$0])
        }.max()
        #expect((worst ?? 1) < 2e-3, "\(reference.recordings) frame \(frame)")
      }
    }
  }

  @Test("whole sound has a frame for each 160 samples, and a shift by one frame shifts the features")
  func wholeSound() {
    var random = SplitMix64(seed: 4)
    let samples = (0..<4800).map { _ in Float.random(in: -0.5...0.5, using: &random) }
    let (found, later) = (
      WhisperLogMel.spectrogram(samples), WhisperLogMel.spectrogram(Array(samples.dropFirst(160)))
    )
    #expect(found.count == 80 * 30)
    #expect(later.count == 80 * 29)
    for band in [0, 40, 79] {
      for frame in 3..<26 {
        let (value, shifted) = (found[band * 30 + frame], later[band * 29 + frame - 1])
        #expect(abs(value - shifted) < 0.05)
      }
    }
    #expect((found.max() ?? 0) - (found.min() ?? 0) <= 2.001)
    #expect(WhisperLogMel.spectrogram(samples, bands: 128).count == 128 * 30)
    #expect(WhisperLogMel.spectrogram([]).isEmpty)
    #expect(WhisperLogMel.spectrogram([Float](repeating: 0.1, count: 161)).count == 80)
  }

  @Test("silence, single samples and broken numbers give finite features", arguments: [0, 1, 500])
  func degenerate(count: Int) {
    for value in [Float(0), .nan, .infinity, -1e30] {
      let found = WhisperLogMel.features([Float](repeating: value, count: count))
      #expect(found.allSatisfy { $0.isFinite })
    }
  }

  @Test("the transform of 400 points agrees with its definition")
  func transform() {
    var random = SplitMix64(seed: 9)
    let frame = (0..<400).map { _ in Float.random(in: -1...1, using: &random) }
    var power = [Float](repeating: 0, count: 201)
    let transform = EvenDFT(rows: 25)
    frame.withUnsafeBufferPointer { frame in
      power.withUnsafeMutableBufferPointer { transform.power(of: frame, into: $0) }
    }
    for bin in 0...200 {
      var re = 0.0
      var im = 0.0
      for (index, sample) in frame.enumerated() {
        let (s, c) = PureMath.sinCos(turns: Double(index * bin) / 400)
        re += Double(sample) * c
        im -= Double(sample) * s
      }
      #expect(abs(Double(power[bin]) - (re * re + im * im)) < 0.01)
    }
  }
}
