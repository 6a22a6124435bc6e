import Foundation
import RunAnywhere
import RunAnywhereOnnx
import VoiceAudio

/// Smart Turn, version 3: whether a turn is complete, by its intonation.
actor SmartTurn: TurnDetector {
  nonisolated let longestInput = WhisperLogMel.length

  private let executor = EngineExecutor(label: "yoob.smart-turn")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let session: OrtSession

  init(_ files: ModelFiles) throws {
    let url = try files.url("an .onnx file") { $0.hasSuffix(".onnx") }
    do {
      let data = try Data(contentsOf: url)
      try OnnxFile.check(data)
      session = try OrtSession(model: data)
    } catch {
      throw files.damaged(url.lastPathComponent, reason: error.localizedDescription, underlying: error)
    }
  }

  func completeness(_ samples: [Float]) async throws -> Float {
    try Task.checkCancellation()
    guard !samples.isEmpty else {
      throw SDKException(
        .insufficientAudioData, category: .validation, "Turn detection was given no sound.",
        recoverySuggestion: "Give the turn so far, 16 kHz mono.")
    }
    let place = try await ComputeScheduler.shared.place(for: .hearing, threads: 1, of: self)
    defer { place.leave() }
    let features = WhisperLogMel.features(samples)
    do {
      let shape = [1, WhisperLogMel.bands, WhisperLogMel.frames]
      let outputs = try session.run(
        [("input_features", .float(features, shape: shape))], outputs: ["logits"])
      return min(max(try outputs.floats(0).first ?? 0, 0), 1)
    } catch {
      throw SDKException(
        .inferenceFailed, category: .component, "Turn detection failed: \(error.message).",
        recoverySuggestion: "Load the model again.", underlying: error)
    }
  }
}
