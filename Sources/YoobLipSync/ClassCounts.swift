import YoobFace

/// How often the right shape shows, counted over the frames of recordings.
package struct ClassCounts: Sendable, Equatable {
  /// Frames by which a shape may come early or late within the tolerance of 30 ms.
  package static let tolerance = 3

  /// Frames in speech, and those of them that show the true viseme, the true class, and the true class
  /// within the tolerance.
  package var speech = 0.0
  package var viseme = 0.0
  package var exact = 0.0
  package var near = 0.0
  /// By class, silence included: frames that are of it, and those of them that show it.
  package var total = [Double](repeating: 0, count: VisualClass.allCases.count)
  package var met = [Double](repeating: 0, count: VisualClass.allCases.count)

  package init() {}

  /// Counts a recording; the shorter of both tracks is counted.
  package init(truth: [Viseme], shown: [Viseme]) {
    let count = min(truth.count, shown.count)
    let right = truth.map(VisualClass.init)
    let found = shown.map(VisualClass.init)
    for frame in 0..<count {
      let wanted = right[frame]
      total[wanted.rawValue] += 1
      if found[frame] == wanted { met[wanted.rawValue] += 1 }
      guard wanted != .rest else { continue }
      speech += 1
      if shown[frame] == truth[frame] { viseme += 1 }
      if found[frame] == wanted { exact += 1 }
      let window = max(0, frame - Self.tolerance)...min(count - 1, frame + Self.tolerance)
      if window.contains(where: { found[$0] == wanted }) { near += 1 }
    }
  }

  package static func += (sum: inout ClassCounts, more: ClassCounts) {
    sum.speech += more.speech
    sum.viseme += more.viseme
    sum.exact += more.exact
    sum.near += more.near
    for k in sum.total.indices {
      sum.total[k] += more.total[k]
      sum.met[k] += more.met[k]
    }
  }

  /// Mean over the classes that occur of the share of their frames that show them.
  package var meanRecall: Double {
    let shares = zip(met, total).filter { $0.1 > 0 }.map { $0.0 / $0.1 }
    return shares.isEmpty ? 0 : shares.reduce(0, +) / Double(shares.count)
  }
}
