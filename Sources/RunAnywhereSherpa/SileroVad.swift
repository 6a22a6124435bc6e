import Foundation
import RunAnywhere
import RunAnywhereOnnx

/// Silero's voice activity model, version 5 and later.
final class SileroVad: VadEngine {
  private let session: OrtSession

  init(_ files: ModelFiles) throws {
    let url = try files.url("an .onnx file") { $0.hasSuffix(".onnx") }
    do {
      let data = try Data(contentsOf: url)
      try OnnxFile.check(data)
      session = try OrtSession(model: data, .init(keepsMemory: true))
    } catch {
      throw files.damaged(url.lastPathComponent, reason: error.localizedDescription, underlying: error)
    }
  }

  func makeDetector() throws -> any SpeechDetector { SileroDetector(session) }
}

/// The model's memory of one stream.
final class SileroDetector: SpeechDetector {
  /// Samples before the window that the model wants to see again.
  private static let contextSize = 64
  private static let stateShape = [2, 1, 128]

  let windowSize = 512
  private let session: OrtSession
  private var context = [Float](repeating: 0, count: contextSize)
  private var state = [Float](repeating: 0, count: stateShape.reduce(1, *))

  init(_ session: OrtSession) { self.session = session }

  func probability(_ window: [Float]) throws -> Float {
    guard window.count == windowSize else {
      throw SDKException(
        .invalidArgument, category: .validation,
        "Voice activity detection takes \(windowSize) samples at a time, not \(window.count).",
        recoverySuggestion: "Cut the 16 kHz sound into windows of \(windowSize) samples.")
    }
    let input = context + window.map { $0.isFinite ? min(max($0, -1), 1) : 0 }
    do {
      let outputs = try session.run(
        [
          ("input", .float(input, shape: [1, input.count])),
          ("state", .float(state, shape: Self.stateShape)),
          ("sr", .int64([16_000], shape: [])),
        ], outputs: ["output", "stateN"])
      let probability = try outputs.floats(0).first ?? 0
      state = try outputs.floats(1)
      context = Array(input.suffix(Self.contextSize))
      return min(max(probability, 0), 1)
    } catch {
      throw SDKException(
        .inferenceFailed, category: .component, "Voice activity detection failed: \(error.message).",
        recoverySuggestion: "Load the model again.", underlying: error)
    }
  }

  func reset() {
    context = [Float](repeating: 0, count: Self.contextSize)
    state = [Float](repeating: 0, count: state.count)
  }
}
