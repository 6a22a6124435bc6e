import Foundation
import RunAnywhere

/// How often a pause inside a turn is taken for its end, and how long true ends are waited for: by
/// silence alone, by the words, by the sound, by both, and by these and the meaning. Real detectors,
/// recognizer and judge of the meaning, whole sessions.
struct BenchEndpointing {
  /// The folder that `scripts/make-turn-corpus` made.
  let folder: URL
  var part = "dev"
  var isQuiet = false
  /// Prints what came of each turn.
  var isVerbose = false

  /// A way of telling the end.
  private struct Way {
    let name: String
    var endpointing = Endpointing()
    var words = false
    var sound = false
    var meaning = false
  }

  /// What came of one turn.
  private struct Outcome {
    let kind: String
    let pauses: Int
    /// Turns taken, and replies heard, before the speaker had finished.
    let cuts: Int
    let heardCuts: Int
    /// From the end of the last word to the taking of the turn; nil when it was not taken.
    let delayMs: Double?
  }

  func run() async throws -> BenchReport {
    guard #available(macOS 15, iOS 18, *) else { throw FileFault("This benchmark needs macOS 15.") }
    let corpus = try EndpointingCorpus(folder, part: part)
    let engines = PatientEngines(
      vad: try await LocalEngines.vad(), stt: try await LocalEngines.stt(nil, threads: 0),
      turn: try await LocalEngines.turn(), llm: try await LocalEngines.llm(nil, threads: 0))
    var report = BenchReport(name: "endpointing", command: "yoob bench endpointing --part \(part)")
    let delays = stride(from: 500, through: 1500, by: 200)
    let ways =
      delays.map { Way(name: "silence_\($0)", endpointing: Endpointing(minDelayMs: $0, maxDelayMs: $0)) } + [
        Way(name: "words", words: true), Way(name: "sound", sound: true),
        Way(name: "both", words: true, sound: true),
        Way(name: "all", words: true, sound: true, meaning: true),
      ]
    let found = try hear(corpus, ways, engines)
    report.table.append(
      "\(part): \(corpus.turns.count) turns, \(corpus.turns.reduce(0) { $0 + $1.pauses.count }) pauses inside"
    )
    report.table.append("way            cut off  heard  mean delay     p50     p95  not taken")
    for way in ways { add(found[way.name] ?? [], way.name, to: &report) }
    compare(found, delays.map { "silence_\($0)" }, into: &report)
    return report
  }

  @available(macOS 15, iOS 18, *)
  private func hear(
    _ corpus: EndpointingCorpus, _ ways: [Way], _ engines: PatientEngines
  ) throws -> [String: [Outcome]] {
    var found: [String: [Outcome]] = [:]
    let bar = ProgressBar("Turns", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    for (index, turn) in corpus.turns.enumerated() {
      bar.update(Double(index) / Double(corpus.turns.count), remark: turn.id)
      let samples = try corpus.samples(turn)
      for way in ways {
        var options = TurnHandlingOptions()
        options.endpointing = way.endpointing
        options.readsWords = way.words
        let result = try EndpointingRun(engines, options).hear(
          samples, listensToSound: way.sound, judgesMeaning: way.meaning)
        let outcome = Outcome(
          kind: turn.kind, pauses: turn.pauses.count, cuts: result.taken.count { $0 < turn.end },
          heardCuts: result.heard.count { $0 < turn.end },
          delayMs: result.taken.first { $0 >= turn.end }.map { ($0 - turn.end) * 1000 })
        found[way.name, default: []].append(outcome)
        if isVerbose { Console.out("\(turn.id) \(turn.kind) \(way.name) \(outcome)") }
      }
      if isVerbose { engines.lines.forEach { Console.out("  \($0)") } }
      engines.forget()
    }
    return found
  }

  private static func mean(_ outcomes: [Outcome]) -> Double {
    let delays = outcomes.compactMap(\.delayMs)
    return delays.isEmpty ? 0 : delays.reduce(0, +) / Double(delays.count)
  }

  private static func cuts(_ outcomes: [Outcome]) -> Int { outcomes.reduce(0) { $0 + $1.cuts } }

  private func add(_ outcomes: [Outcome], _ name: String, to report: inout BenchReport) {
    let delays = outcomes.compactMap(\.delayMs)
    let cuts = Self.cuts(outcomes)
    let heard = outcomes.reduce(0) { $0 + $1.heardCuts }
    report.add("\(name)_cut_off", Double(cuts))
    report.add("\(name)_cut_off_heard", Double(heard))
    report.add("\(name)_delay_mean_ms", Self.mean(outcomes))
    report.add("\(name)_delay_ms", delays, unit: "ms")
    report.add("\(name)_not_taken", Double(outcomes.count - delays.count))
    for kind in Set(outcomes.map(\.kind)) {
      let part = outcomes.filter { $0.kind == kind }
      report.add(
        [
          "cut_off": Double(Self.cuts(part)), "pauses": Double(part.reduce(0) { $0 + $1.pauses }),
          "delay_mean_ms": Self.mean(part),
        ], to: kind, name)
    }
    let summary = BenchReport.Summary(delays, unit: "ms")
    func cell(_ value: Double?, _ width: Int) -> String {
      let text = value.map { String(Int($0.rounded())) } ?? "-"
      return String(repeating: " ", count: max(0, width - text.count)) + text
    }
    report.table.append(
      name.padding(toLength: 15, withPad: " ", startingAt: 0) + cell(Double(cuts), 7)
        + cell(Double(heard), 7) + cell(Self.mean(outcomes), 12) + cell(summary?.p50, 8)
        + cell(summary?.p95, 8) + cell(Double(outcomes.count - delays.count), 11))
  }

  /// Cut-offs of the other ways, as a share of those of silence at the same mean delay, which lies
  /// between two of its delays.
  private func compare(
    _ found: [String: [Outcome]], _ silences: [String], into report: inout BenchReport
  ) {
    let points = silences.compactMap { found[$0] }.map { (Self.mean($0), Double(Self.cuts($0))) }
    for way in ["words", "sound", "both", "all"] {
      guard let outcomes = found[way], let first = points.first, let last = points.last else { continue }
      let mean = Self.mean(outcomes)
      var silent = mean <= first.0 ? first.1 : last.1
      for (low, high) in zip(points, points.dropFirst()) where (low.0...high.0).contains(mean) {
        silent = low.1 + (high.1 - low.1) * (mean - low.0) / max(high.0 - low.0, 1e-9)
      }
      // Where silence cuts nobody off there is nothing to halve.
      let share = Double(Self.cuts(outcomes)) / max(silent, 1)
      report.add("\(way)_share_of_silence", share)
      report.table.append(
        "\(way): \(Self.cuts(outcomes)) cut off; silence with the same mean delay of \(Int(mean.rounded())) ms: "
          + "\(BenchReport.Summary.rounded(silent)) (share \(BenchReport.Summary.rounded(share)))")
    }
  }
}
