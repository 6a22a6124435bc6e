import Foundation
import YoobLipSync

/// What a benchmark found, as printed and as written by `--json`.
struct BenchReport: Encodable {
  /// Numbers of one quantity: the median, the 95th percentile, how many, and the unit.
  struct Summary: Encodable {
    let p50: Double
    let p95: Double
    let n: Int
    let unit: String

    /// Percentiles by the nearest-rank rule; nil without values.
    init?(_ values: [Double], unit: String) {
      guard !values.isEmpty else { return nil }
      let sorted = values.sorted()
      func rank(_ share: Double) -> Double {
        sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
      }
      p50 = Self.rounded(rank(0.5))
      p95 = Self.rounded(rank(0.95))
      n = values.count
      self.unit = unit
    }

    static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  }

  enum Metric: Encodable {
    case summary(Summary)
    case number(Double)
    case interval(Bootstrap.Interval)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .summary(let summary): try container.encode(summary)
      case .number(let number): try container.encode(number)
      case .interval(let interval): try container.encode(interval)
      }
    }
  }

  private enum CodingKeys: String, CodingKey {
    case name, machine, commit, command, metrics, groups, series
  }

  let name: String
  let machine = BenchMachine.description
  let commit = BenchMachine.commit
  let command: String
  var metrics: [String: Metric] = [:]
  /// Metrics of parts of what was measured: by kind of part (such as "speakers"), then by its name.
  private(set) var groups: [String: [String: [String: Double]]]?
  /// Numbers one after the other in time.
  var series: [String: [Double]]?
  /// Lines to print in place of the metrics.
  var table: [String] = []
  /// Why a metric was not measured, by its name.
  private(set) var omitted: [String: String] = [:]

  init(name: String, command: String) {
    self.name = name
    self.command = command
  }

  /// From the least of the first third to the least of the last: what comes and goes is not counted.
  static func growth(_ values: [Double]) -> Double {
    let third = max(1, values.count / 3)
    return (values.suffix(third).min() ?? 0) - (values.prefix(third).min() ?? 0)
  }

  mutating func add(_ metric: String, _ values: [Double], unit: String) {
    if let summary = Summary(values, unit: unit) { metrics[metric] = .summary(summary) }
  }

  mutating func add(_ metric: String, _ value: Double) {
    metrics[metric] = .number(Summary.rounded(value))
  }

  mutating func add(_ metric: String, _ interval: Bootstrap.Interval) {
    func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
    metrics[metric] = .interval(
      Bootstrap.Interval(
        value: rounded(interval.value), low: rounded(interval.low), high: rounded(interval.high)))
  }

  /// Adds the metrics of one part.
  mutating func add(_ metrics: [String: Double], to kind: String, _ name: String) {
    groups = groups ?? [:]
    groups?[kind, default: [:]][name] = metrics.mapValues { ($0 * 10_000).rounded() / 10_000 }
  }

  /// Says why a metric is not in the report: its limits are passed over.
  mutating func omit(_ metric: String, because reason: String) { omitted[metric] = reason }

  /// Prints for each limit of `Benchmarks/budgets.json` whether it is kept; false when one is not, or
  /// when there is nothing to compare.
  func check(budgets: URL) throws -> Bool {
    let data: Data
    do {
      data = try Data(contentsOf: budgets)
    } catch {
      throw FileFault("\(budgets.path) cannot be read: \(error.localizedDescription)")
    }
    let all = try JSONDecoder().decode([String: [String: [String: Double]]].self, from: data)
    guard let limits = all[name], !limits.isEmpty else {
      throw FileFault("\(budgets.path) has no limits for \(name).")
    }
    var isKept = true
    for (metric, limit) in limits.sorted(by: { $0.key < $1.key }) {
      if let reason = omitted[metric] {
        Console.out("SKIP: \(metric) was not measured: \(reason)")
        continue
      }
      for (part, bound) in limit.sorted(by: { $0.key < $1.key }) {
        let value: Double? =
          switch (metrics[metric], part) {
          case (.summary(let summary)?, "p50"): summary.p50
          case (.summary(let summary)?, "p95"): summary.p95
          case (.number(let number)?, "value"), (.number(let number)?, "least"): number
          case (.interval(let interval)?, "value"), (.interval(let interval)?, "least"): interval.value
          default: nil
          }
        let isLeast = part == "least"
        let isFine = value.map { isLeast ? $0 >= bound : $0 <= bound } ?? false
        isKept = isKept && isFine
        let found = value.map { "\($0)" } ?? "not measured"
        let place = isLeast ? metric : "\(metric) \(part)"
        let side = isLeast ? "at least" : "at most"
        Console.out("\(isFine ? "PASS" : "FAIL"): \(place) \(found), \(side) \(bound)")
      }
    }
    return isKept
  }

  /// Prints `table`, or one line a metric, and writes the JSON document when a path is given.
  func publish(json path: String?) throws {
    Console.out("\(name)  (\(machine), commit \(commit))")
    table.forEach(Console.out)
    let width = metrics.keys.map(\.count).max() ?? 0
    for (metric, value) in metrics.sorted(by: { $0.key < $1.key }) where table.isEmpty {
      let label = metric.padding(toLength: width + 2, withPad: " ", startingAt: 0)
      switch value {
      case .summary(let summary):
        Console.out("  \(label)p50 \(summary.p50)  p95 \(summary.p95) \(summary.unit)  n \(summary.n)")
      case .number(let number):
        Console.out("  \(label)\(number)")
      case .interval(let interval):
        Console.out("  \(label)\(interval.value)  (\(interval.low) to \(interval.high))")
      }
    }
    if let path { try SoundFile.write(Data((try JSONText.pretty(self) + "\n").utf8), to: path) }
  }
}

/// The machine that a benchmark ran on.
enum BenchMachine {
  static var description: String {
    let processor =
      (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
      .split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return "\(processor ?? "unknown processor"), \(cores) cores"
  }

  static var commit: String {
    guard let checkout = CharacterFolder.roots.first?.deletingLastPathComponent(),
      let head = try? String(contentsOf: checkout.appendingPathComponent(".git/HEAD"), encoding: .utf8)
    else { return "unknown" }
    let text = head.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.hasPrefix("ref: ") else { return String(text.prefix(12)) }
    let reference = checkout.appendingPathComponent(".git/\(text.dropFirst(5))")
    let hash = try? String(contentsOf: reference, encoding: .utf8)
    return hash.map { String($0.prefix(12)) } ?? "unknown"
  }

  /// Largest memory this process has held, in MB; 0 where the system does not say.
  static var peakMegabytes: Double { megabytes("VmHWM:") }

  /// Memory this process holds now, in MB; 0 where the system does not say.
  static var residentMegabytes: Double { megabytes("VmRSS:") }

  /// Threads of this process, and its open descriptors; 0 where the system does not say.
  static var threads: Double { number("Threads:") }
  static var descriptors: Double {
    // The listing holds one itself.
    let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return open.map { Double($0.count - 1) } ?? 0
  }

  private static func megabytes(_ field: String) -> Double { number(field) / 1024 }

  private static func number(_ field: String) -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0
  }
}
