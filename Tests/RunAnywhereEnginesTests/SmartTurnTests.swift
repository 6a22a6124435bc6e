import Foundation
import RunAnywhere
import RunAnywhereSherpa
import Testing
import VoiceAudio

@Suite("Turn detector")
struct SmartTurnTests {
  static let engine = Task { try await TestModels.loadTurn() }

  private struct Reference: Decodable {
    var recordings: [String]
    var samples: Int
    var probability: Float
  }

  @Test("probabilities are those of the model in its own environment")
  func reference() async throws {
    let fixtures = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")
    let data = try Data(contentsOf: fixtures.appendingPathComponent("turn-features.json"))
    for reference in try JSONDecoder().decode([Reference].self, from: data) {
      var samples: [Float] = []
      for name in reference.recordings {
        samples += try WAV.decode([UInt8](try Data(contentsOf: fixtures.appendingPathComponent(name))))
          .samples
      }
      let found = try await Self.engine.value.completeness(Array(samples.prefix(reference.samples)))
      // The 8-bit network answers the second case with 0.06 to 0.17 as its input's rounding changes.
      #expect(abs(found - reference.probability) < 0.1, "\(reference.recordings): \(found)")
    }
  }

  @Test("no sound is refused, and broken numbers are heard as silence")
  func refused() async throws {
    let engine = try await Self.engine.value
    let error = await #expect(throws: SDKException.self) { try await engine.completeness([]) }
    #expect(error?.code == .insufficientAudioData)
    #expect((0...1).contains(try await engine.completeness([.nan, .infinity, 0])))
  }

  @Test("a damaged file is named")
  func damaged() async throws {
    let name = "smart-turn-v3.2-cpu.onnx"
    let original = try Data(contentsOf: TestModels.folder(of: TestModels.turn).appendingPathComponent(name))
    let folder = try TestModels.folder(of: TestModels.turn, replacing: name, by: original.prefix(100_000))
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = await #expect(throws: SDKException.self) {
      try await SherpaProvider().load(TestModels.turn, folder: folder, options: LoadOptions())
    }
    #expect(error?.code == .modelLoadFailed)
    #expect(error?.message.contains(name) == true)
  }
}
