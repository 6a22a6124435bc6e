import Foundation

/// Runs a checkout's preparation script for one model and tells how far it is.
struct ModelPreparation: Sendable {
  /// The script's place inside a checkout.
  static let script = "scripts/models/download"

  /// The script's exit codes.
  enum Exit {
    static let noSpace: Int32 = 3
    static let noNetwork: Int32 = 4
  }

  let model: ModelInfo
  let checkout: URL
  /// The folder that gets `models/ID`.
  let home: URL

  #if os(Linux) || os(macOS)
    /// Runs the script to its end; cancelling the task ends it. Throws `SDKException`.
    func run(onMeaning: @escaping @Sendable (PreparationOutput.Meaning) -> Void) async throws {
      let process = Process()
      process.executableURL = checkout.appendingPathComponent(Self.script)
      process.arguments = [model.id]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["YOOB_HOME": home.path]
      ) { _, new in new }
      let output = Pipe()
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = output
      do {
        try process.run()
      } catch {
        throw SDKException(
          .downloadFailed, category: .io, "\(Self.script) of \(checkout.path) cannot be run.",
          recoverySuggestion: "Check the checkout, or run ./run there.", underlying: error)
      }
      let reader = output.fileHandleForReading
      let (reason, status) = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          DispatchQueue.global(qos: .utility).async {
            let reason = Self.read(reader, onMeaning: onMeaning)
            process.waitUntilExit()
            continuation.resume(returning: (reason, process.terminationStatus))
          }
        }
      } onCancel: {
        process.terminate()
      }
      if Task.isCancelled {
        throw SDKException(.cancelled, category: .io, "Fetching \(model.id) was cancelled.")
      }
      guard status == 0 else { throw failure(status: status, reason: reason) }
    }

    /// Blocks until the script closes its output; returns its last `error:` line, else its last
    /// line of all.
    private static func read(
      _ handle: FileHandle, onMeaning: (PreparationOutput.Meaning) -> Void
    ) -> String? {
      var output = PreparationOutput()
      var reason: String?
      while let piece = try? handle.read(upToCount: 4096), !piece.isEmpty {
        for meaning in output.take(piece) {
          if case .failed(let text) = meaning { reason = text }
          onMeaning(meaning)
        }
      }
      return reason
    }
  #else
    /// There are no scripts to run on this platform: always throws `notSupported`.
    func run(onMeaning: @escaping @Sendable (PreparationOutput.Meaning) -> Void) async throws {
      throw SDKException(
        .notSupported, category: .model, "Models cannot be prepared on this platform.",
        recoverySuggestion: "Ship the model's files with the app.")
    }
  #endif

  private func failure(status: Int32, reason: String?) -> SDKException {
    let message = reason ?? "\(Self.script) ended with \(status)."
    switch status {
    case Exit.noSpace:
      return SDKException(
        .insufficientStorage, category: .io, message,
        recoverySuggestion: "Free some space, or set YOOB_HOME to a folder on another disk.")
    case Exit.noNetwork:
      return SDKException(.downloadFailed, category: .network, message)
    default:
      return SDKException(
        .downloadFailed, category: .model, message,
        recoverySuggestion: "Run \(checkout.path)/\(Self.script) \(model.id) to see more.")
    }
  }
}
