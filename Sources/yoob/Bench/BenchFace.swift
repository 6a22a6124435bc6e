import Foundation

/// The face benchmark.
enum BenchFace {
  static func run(packFolder: URL, json: URL?) throws {
    throw FileFault("The face benchmark is not part of this build.")
  }
}
