/// How well the closures of the lips (p, b, m) are met.
package struct ClosureCounts: Sendable, Equatable {
  /// Frames by which a closure may be early or late: 20 ms.
  package static let tolerance = 2

  /// True closures, and those of them during which the mouth is shut.
  package var real = 0.0
  package var met = 0.0
  /// Times that the mouth shuts while somebody speaks, and those of them at a true closure.
  package var shown = 0.0
  package var right = 0.0
  /// Frames in speech.
  package var speech = 0.0

  package init() {}

  /// Counts a recording from what is true in each frame of 10 ms and whether the mouth is shut in it.
  ///
  /// A mouth that is shut because nobody speaks shuts for no sound: runs of shut frames that touch silence
  /// are not counted as shown.
  package init(truth: [VisualClass], shut: [Bool]) {
    let count = min(truth.count, shut.count)
    let truth = Array(truth.prefix(count))
    speech = Double(truth.filter { $0 != .rest }.count)
    for run in Self.runs(truth.map { $0 == .shut }) {
      real += 1
      if Self.around(run, count).contains(where: { shut[$0] }) { met += 1 }
    }
    for run in Self.runs(Array(shut.prefix(count))) {
      let beside = max(0, run.lowerBound - 1)..<min(count, run.upperBound + 1)
      if run.lowerBound == 0 || run.upperBound == count { continue }
      if beside.contains(where: { truth[$0] == .rest }) { continue }
      shown += 1
      if Self.around(run, count).contains(where: { truth[$0] == .shut }) { right += 1 }
    }
  }

  package static func += (sum: inout ClosureCounts, more: ClosureCounts) {
    sum.real += more.real
    sum.met += more.met
    sum.shown += more.shown
    sum.right += more.right
    sum.speech += more.speech
  }

  package var recall: Double { real > 0 ? met / real : 0 }
  package var precision: Double { shown > 0 ? right / shown : 0 }
  /// False closures a minute of speech.
  package var falsePerMinute: Double { speech > 0 ? (shown - right) / (speech / 6000) : 0 }

  /// Longest stretches of true values.
  static func runs(_ mask: [Bool]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    for (index, value) in mask.enumerated() {
      if value, start == nil { start = index }
      if !value, let first = start {
        found.append(first..<index)
        start = nil
      }
    }
    if let first = start { found.append(first..<mask.count) }
    return found
  }

  private static func around(_ run: Range<Int>, _ count: Int) -> Range<Int> {
    max(0, run.lowerBound - tolerance)..<min(count, run.upperBound + tolerance)
  }
}
