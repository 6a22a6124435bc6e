import Foundation
import RunAnywhere
import RunAnywhereOnnx
import RunAnywhereSherpa
import Testing
import VoiceAudio

@Suite("Voice activity detector")
struct DetectorTests {
  static let engine = Task { try await TestModels.loadVad() }

  func probabilities(_ samples: [Float]) async throws -> [Float] {
    let detector = try await Self.engine.value.makeDetector()
    return try stride(from: 0, through: samples.count - 512, by: 512).map {
      try detector.probability(Array(samples[$0..<$0 + 512]))
    }
  }

  @Test("speech is likely while somebody speaks")
  func speech() async throws {
    let found = try await probabilities(TestModels.spoken("Please turn on the lights in the living room."))
    #expect(found.filter { $0 > 0.5 }.count * 10 > found.count * 8)
  }

  @Test("speech is unlikely in silence and in noise")
  func silence() async throws {
    var random = SplitMix64(seed: 1)
    let noise = (0..<32_000).map { _ in Float.random(in: -0.02...0.02, using: &random) }
    for samples in [[Float](repeating: 0, count: 32_000), noise] {
      #expect(try await probabilities(samples).dropFirst(4).allSatisfy { $0 < 0.5 })
    }
  }

  @Test("after a reset the detector answers like a new one")
  func reset() async throws {
    let speech = try await TestModels.spoken("Hello there.")
    let detector = try await Self.engine.value.makeDetector()
    let window = Array(speech[2048..<2560])
    let first = try detector.probability(window)
    _ = try detector.probability(window)
    detector.reset()
    #expect(try detector.probability(window) == first)
  }

  @Test("a window of another size is refused")
  func refusesWindow() async throws {
    let detector = try await Self.engine.value.makeDetector()
    let error = #expect(throws: SDKException.self) { try detector.probability([0]) }
    #expect(error?.code == .invalidArgument)
  }

  @Test("a damaged file is named", arguments: [0, 10, 100_000])
  func namesDamagedFile(size: Int) async throws {
    let name = "silero_vad.onnx"
    let original = try Data(contentsOf: TestModels.folder(of: TestModels.vad).appendingPathComponent(name))
    let folder = try TestModels.folder(of: TestModels.vad, replacing: name, by: original.prefix(size))
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = await #expect(throws: SDKException.self) {
      try await SherpaProvider().load(TestModels.vad, folder: folder, options: LoadOptions())
    }
    #expect(error?.code == .modelLoadFailed)
    #expect(error?.message.contains(name) == true)
  }

  @Test("damaged ONNX bytes are refused or read, never a crash")
  func fuzzOnnxFile() throws {
    let url = TestModels.folder(of: TestModels.vad).appendingPathComponent("silero_vad.onnx")
    let good = try Data(contentsOf: url).prefix(4000)
    var random = SplitMix64(seed: 2)
    for _ in 0..<300 {
      var bytes = Data(good)
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      #expect(throws: OnnxError.self) { try OnnxFile.check(bytes) }
    }
  }
}
