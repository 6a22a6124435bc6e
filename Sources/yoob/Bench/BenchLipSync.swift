import Foundation
import RunAnywhere
import VoiceAudio
import YoobFace
import YoobLipSync
import YoobPack

/// `yoob bench lipsync`: how well the mouth follows real speech whose phones are known, beside simple ways.
///
/// Classes are read from what each way says every 10 ms; closures, lag and stillness are measured on the
/// character's mesh, moved by the face engine at 100 frames per second while the sound comes in pieces.
struct BenchLipSync {
  let packFolder: URL
  /// The folder with PART.jsonl.
  let folder: URL
  let part: String
  /// Parameters of the Gaussian classifier.
  let gaussian: URL
  var mesh = true
  /// Prints how it hears each speaker too.
  var bySpeaker = false
  /// The file that the result goes to, if any; it may be none of those that are read.
  var output: String?

  /// Which recordings there are: each part is a list of its own.
  static let parts = ["dev", "train", "blind", "voices"]

  /// How a mouth comes to its shapes.
  enum Way: String, CaseIterable {
    case ours, known, pocketsphinx, gaussian, energy, constant

    var title: String {
      switch self {
      case .ours: "Yoob (speech to mouth)"
      case .known: "Yoob, phones known"
      case .pocketsphinx: "PocketSphinx, whole file"
      case .gaussian: "Gaussian MFCC"
      case .energy: "energy flap"
      case .constant: "constant mouth"
      }
    }
  }

  /// What one recording adds to the sums.
  struct Score {
    var classes = ClassCounts()
    var closures = ClosureCounts()
    var lag = Lag()
  }

  func run() throws -> BenchReport {
    let list = folder.appendingPathComponent("\(part).jsonl")
    guard let data = try? Data(contentsOf: list) else {
      throw FileFault("\(list.path) is not there. Make it with training/real_speech/prepare.")
    }
    let recordings: [Recording]
    do { recordings = try Recording.list(data) } catch {
      throw FileFault("\(list.path) is damaged. Make it anew with training/real_speech/prepare.")
    }
    guard !recordings.isEmpty else {
      throw FileFault("\(list.path) lists no recording. Make it anew with training/real_speech/prepare.")
    }
    let lists = Self.parts.map { "\($0).jsonl" }
    let inputs = (lists + recordings.map(\.wav)).map { folder.appendingPathComponent($0).path }
    try SoundFile.checkDistinct(inputs: inputs, outputs: [output])
    let stage = try Stage(packFolder: packFolder, gaussian: gaussian, mesh: mesh)
    let isHeard = recordings.allSatisfy { $0.heard != nil }
    let ways = Way.allCases.filter { $0 != .pocketsphinx || isHeard }
    var scores: [Way: [Score]] = [:]
    let constant = Self.commonest(recordings)
    let bar = ProgressBar("Recordings", isQuiet: false)
    for (index, recording) in recordings.enumerated() {
      bar.update(Double(index) / Double(recordings.count))
      let clip = try SoundFile.read(folder.appendingPathComponent(recording.wav).path)
      for (way, score) in try stage.scores(recording, clip, ways: ways, constant: constant) {
        scores[way, default: []].append(score)
      }
    }
    bar.finish()
    var report = BenchReport(name: "lipsync", command: "yoob bench lipsync --part \(part)")
    report.table = describe(recordings)
    tabulate(scores, into: &report)
    if mesh { still(stage, into: &report) }
    if let ours = scores[.ours] { tabulate(ours, of: recordings, into: &report) }
    return report
  }

  /// The viseme that shows most often in speech.
  private static func commonest(_ recordings: [Recording]) -> Viseme {
    var counts = [Int](repeating: 0, count: 15)
    for recording in recordings {
      let labels = Arpabet.labels(recording.phones, count: Int(recording.seconds * 100))
      for viseme in labels where viseme != .sil { counts[viseme.rawValue] += 1 }
    }
    return Viseme(rawValue: counts.indices.max { counts[$0] < counts[$1] } ?? 0) ?? .sil
  }

  private func describe(_ recordings: [Recording]) -> [String] {
    let speakers = Dictionary(grouping: recordings, by: \.speaker)
    let women = speakers.values.filter { $0[0].sex == "f" }.count
    let minutes = recordings.reduce(0) { $0 + $1.seconds } / 60
    return [
      "part \(part): \(recordings.count) recordings, \(speakers.count) speakers (\(women) women), "
        + String(format: "%.1f minutes", minutes)
    ]
  }

  private typealias Column = (name: String, key: String, value: ([Score]) -> Double)

  private var columns: [Column] {
    let all: [Column] = [
      ("15 visemes", "viseme15_exact", { Self.classes($0) { $0.viseme / max(1, $0.speech) } }),
      ("8 classes", "class8_exact", { Self.classes($0) { $0.exact / max(1, $0.speech) } }),
      ("within 30 ms", "class8_30ms", { Self.classes($0) { $0.near / max(1, $0.speech) } }),
      ("mean recall", "class8_recall", { Self.classes($0) { $0.meanRecall } }),
      ("closures met", "closure_recall", { Self.closures($0) { $0.recall } }),
      ("right", "closure_precision", { Self.closures($0) { $0.precision } }),
      ("false/min", "closure_false_per_minute", { Self.closures($0) { $0.falsePerMinute } }),
      ("lag ms", "lag_ms", { Self.lag($0) }),
    ]
    return mesh ? all : Array(all.prefix(4))
  }

  private func tabulate(_ scores: [Way: [Score]], into report: inout BenchReport) {
    let bootstrap = Bootstrap()
    report.table.append(Self.row("", columns.map(\.name)))
    for way in Way.allCases {
      guard let items = scores[way] else { continue }
      var cells: [String] = []
      for column in columns {
        let interval = bootstrap.interval(of: items, column.value)
        report.add("\(way.rawValue)_\(column.key)", interval)
        cells.append(
          Self.cell(interval.value, column) + " (" + Self.cell(interval.low, column) + "-"
            + Self.cell(interval.high, column) + ")")
      }
      report.table.append(Self.row(way.title, cells))
      if way == .ours, mesh { report.add("closures", Self.closures(items) { $0.real }) }
    }
    if let ours = scores[.ours], mesh {
      report.table.append("closures (p, b, m): \(Int(Self.closures(ours) { $0.real }))")
    }
  }

  /// What the network scores by speaker, and by language where there are several.
  private func tabulate(_ ours: [Score], of recordings: [Recording], into report: inout BenchReport) {
    let kinds: [(title: String, key: String, of: (Recording) -> String)] = [
      ("speaker", "speakers", { $0.speaker }), ("language", "languages", { $0.language ?? "en" }),
    ]
    for kind in kinds {
      let groups = Dictionary(grouping: recordings.indices) { kind.of(recordings[$0]) }
      guard groups.count > 1 else { continue }
      if bySpeaker { report.table.append(Self.row(kind.title, ["minutes"] + columns.map(\.name), width: 14)) }
      for (name, indices) in groups.sorted(by: { $0.key < $1.key }) {
        let items = indices.map { ours[$0] }
        let minutes = indices.reduce(0) { $0 + recordings[$1].seconds } / 60
        var found = ["recordings": Double(indices.count), "minutes": minutes]
        var cells = [String(format: "%.1f", minutes)]
        for column in columns {
          let value = column.value(items)
          found[column.key] = value
          cells.append(Self.cell(value, column))
        }
        report.add(found, to: kind.key, name)
        if bySpeaker { report.table.append(Self.row(name, cells, width: 14)) }
      }
    }
  }

  /// Three digits of a share, one of anything else.
  private static func cell(_ value: Double, _ column: Column) -> String {
    String(format: ["lag_ms", "closure_false_per_minute"].contains(column.key) ? "%.1f" : "%.3f", value)
  }

  private static func row(_ label: String, _ cells: [String], width: Int = 22) -> String {
    label.padding(toLength: 26, withPad: " ", startingAt: 0)
      + cells.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) }.joined()
  }

  private static func classes(_ scores: [Score], _ value: (ClassCounts) -> Double) -> Double {
    var sum = ClassCounts()
    for score in scores { sum += score.classes }
    return value(sum)
  }

  private static func closures(_ scores: [Score], _ value: (ClosureCounts) -> Double) -> Double {
    var sum = ClosureCounts()
    for score in scores { sum += score.closures }
    return value(sum)
  }

  private static func lag(_ scores: [Score]) -> Double {
    var sum = Lag()
    for score in scores { sum += score.lag }
    return sum.milliseconds ?? 0
  }

  /// Share of frames in which the mouth is not at rest though nobody speaks.
  private func still(_ stage: Stage, into report: inout BenchReport) {
    var cells: [String] = []
    for sound in SpeechlessSound.allCases {
      let share = stage.moving(sound.samples(seconds: 60))
      report.add("moving_\(sound.rawValue)", Bootstrap.Interval(value: share, low: share, high: share))
      cells.append("\(sound.rawValue) " + String(format: "%.4f", share))
    }
    report.table.append("frames in which the mouth moves without speech: " + cells.joined(separator: ", "))
  }
}
