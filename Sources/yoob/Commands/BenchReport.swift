import Foundation

/// What a benchmark found, in the form of `yoob bench NAME --json`.
struct BenchReport: Encodable {
  /// Percentiles of one quantity.
  struct Metric: Encodable {
    let p50: Double
    let p95: Double
    let n: Int
    let unit: String

    /// Percentiles by nearest rank; zeros for no values.
    init(_ values: [Double], unit: String) {
      let sorted = values.sorted()
      func rank(_ part: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.up)) - 1)]
      }
      p50 = rank(0.5)
      p95 = rank(0.95)
      n = values.count
      self.unit = unit
    }
  }

  let name: String
  let machine: String
  let commit: String
  let command: String
  var metrics: [String: Metric]

  /// A report of this machine and this checkout.
  init(name: String, metrics: [String: Metric]) {
    self.name = name
    self.metrics = metrics
    machine = Self.processor() + ", \(ProcessInfo.processInfo.activeProcessorCount) cores"
    commit = Self.headCommit()
    command = CommandLine.arguments.joined(separator: " ")
  }

  /// Writes the JSON document to a file.
  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: url)
  }

  private static func processor() -> String {
    guard let info = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
      let line = info.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
      let name = line.split(separator: ":").last
    else { return ProcessInfo.processInfo.operatingSystemVersionString }
    return name.trimmingCharacters(in: .whitespaces)
  }

  private static func headCommit() -> String {
    let git = Process()
    git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    git.arguments = ["git", "rev-parse", "--short", "HEAD"]
    let pipe = Pipe()
    git.standardOutput = pipe
    git.standardError = FileHandle.nullDevice
    guard (try? git.run()) != nil else { return "unknown" }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    git.waitUntilExit()
    let hash = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return hash.isEmpty ? "unknown" : hash
  }
}
