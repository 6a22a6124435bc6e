import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobTesting

/// What came of one interruption.
struct InterruptionCase {
  let delayMs: Int
  /// Whose recording it was.
  let voice: String
  let isReal: Bool
  /// The agent stopped, or held its sound, before the user made one.
  var wasStoppedBefore = false
  var holdsBefore = 0
  /// Holds from then on; of an interruption that was missed they were given up again.
  var holds = 0
  /// Nil when the agent spoke on.
  var lateMs: Double?
  /// Words of the reply in the history, less those that were heard: by the recognizer, and by the
  /// voice's own times.
  var byRecognizer: Int?
  var byVoice: Int?
  /// Whether the history keeps other words than the reply's first.
  var isOtherText = false
  var faults = 0
  /// From the user's last sound to the first of the answer.
  var answerMs: Double?
  /// How much later than the user's first sound the session heard one.
  var onsetMs: Double?
}

/// Interruptions of one conversation by recordings of real words at moments drawn by lot.
struct InterruptionSet {
  let corpus: TalkCorpus
  let stt: any SttEngine
  let delayMs: Int
  /// The first recording.
  let first: Int
  let count: Int
  let isQuiet: Bool
  let isVerbose: Bool

  @available(macOS 15, iOS 18, *)
  func run(_ stage: TalkScene.Stage, _ pace: RoomSession.Pace) async throws -> [InterruptionCase] {
    let bar = ProgressBar("Interruptions", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    var random = SplitMix64(seed: UInt64(700 + delayMs))
    let scene = try TalkScene(stage, delayMs: delayMs, pace: pace, seed: UInt64(800 + delayMs))
    var cases: [InterruptionCase] = []
    for index in 0..<count {
      let recording = corpus.recordings[(first + index) % corpus.recordings.count]
      bar.update(Double(index) / Double(count), remark: "\(delayMs) ms, \(index + 1) of \(count)")
      let moment = Double.random(in: BenchInterruption.moments, using: &random)
      let found = try await interrupt(
        scene, recording, TalkScene.levelled(try corpus.clip(recording)), after: moment)
      cases.append(found)
      if isVerbose {
        Console.out(
          "\(delayMs) ms \(recording.id) after \(BenchReport.Summary.rounded(moment)) s: \(Self.line(found))"
            + " “\(recording.text)”")
      }
    }
    await scene.close()
    return cases
  }

  @available(macOS 15, iOS 18, *)
  private func interrupt(
    _ scene: TalkScene, _ recording: TalkCorpus.Recording, _ clip: AudioClip, after moment: Double
  ) async throws -> InterruptionCase {
    var found = InterruptionCase(delayMs: delayMs, voice: recording.voice, isReal: recording.isReal)
    let bench = scene.bench
    let talk = try await scene.talk(waiting: 4)
    let isOver: () -> Bool = { scene.open != talk.utterance }
    let at = scene.room.speak(clip, at: talk.start + moment)
    guard let first = BenchTurn.firstVoiced(clip), let last = BenchTurn.lastVoiced(clip) else {
      throw FileFault("A recording of \(corpus.folder.path) is silent. Run scripts/make-talk-corpus again.")
    }
    let minDuration = Double(Interruption().minDurationMs) / 1000
    await bench.pass(upTo: at + first - scene.room.now) { isOver() }
    found.wasStoppedBefore = isOver()
    found.holdsBefore = scene.holds(of: talk.utterance, from: 0, to: at + first)
    await bench.pass(upTo: at + last + BenchInterruption.patience - scene.room.now) { isOver() }
    found.holds = scene.holds(of: talk.utterance, from: at + first)
    let isStopped = scene.stop(of: talk.utterance) != nil
    if isStopped && !found.wasStoppedBefore {
      found.onsetMs =
        bench.diagnostics.reversed().lazy.compactMap { told -> Double? in
          if case .speechOnset(let sample) = told.value {
            Double(sample) / 16 - (at + first) * 1000
          } else {
            nil
          }
        }.first
      found.lateMs = scene.heardMs(of: talk.utterance, after: at + first + minDuration)
      await bench.pass(upTo: at + last + 0.1 - scene.room.now) { false }
      try await compareWords(scene, talk, &found)
    } else if !isStopped {
      bench.perform { $0.interrupt() }
      await bench.pass(upTo: 1, until: isOver)
    }
    found.faults = scene.faults(of: talk.utterance)
    if isVerbose, found.holdsBefore > 0 { scene.printHolds(of: talk.utterance) }
    if found.lateMs != nil {
      scene.clearLog()
      // Half a second of the answer has its first sound.
      let before = scene.room.heardSeconds
      if await bench.pass(upTo: 5, until: { scene.room.heardSeconds > before + 0.5 }),
        let answer = scene.room.sounds.first,
        let onset = answer.clip.samples.firstIndex(where: { abs($0) > 0.01 })
      {
        found.answerMs = (answer.start + Double(onset) / Double(answer.clip.sampleRate) - at - last) * 1000
      }
    }
    return found
  }

  /// Compares the history's reply with what was heard of it.
  @available(macOS 15, iOS 18, *)
  private func compareWords(
    _ scene: TalkScene, _ talk: TalkScene.Talk, _ found: inout InterruptionCase
  ) async throws {
    let kept = HeardWords.words(scene.bench.session.history.last { $0.role == .assistant }?.content ?? "")
    let heard = scene.heard(talk.utterance)
    let known = scene.stage.voice.clauses
    let trace = SpokenTrace(heard.samples, of: known.map(\.speech.samples))
    let text = trace.clauses.flatMap { HeardWords.words(known[$0.index].text) }
    found.isOtherText = kept.count > text.count || Array(text.prefix(kept.count)) != kept
    // Whole clauses were heard to their ends, sample by sample. The recognizer is asked about the one that
    // was cut, alone and with silence behind it: after a longer text it leaves out the last words.
    var recognized = text.count
    var transcript = ""
    if let cut = trace.clauses.last {
      let clip = AudioClip(
        samples: Array(heard.samples[cut.start..<cut.start + cut.heard]), sampleRate: heard.sampleRate)
      let sound = StreamingResampler.convert(clip, to: 16_000).samples + [Float](repeating: 0, count: 8000)
      transcript = try await stt.transcribe(sound, options: SttOptions()).text
      let words = HeardWords.words(known[cut.index].text)
      recognized += HeardWords.prefix(of: words, heard: HeardWords.words(transcript)) - words.count
    }
    found.byRecognizer = kept.count - recognized
    let spoken = trace.clauses.reduce(0) { sum, clause in
      // A word counts from its half on.
      sum + known[clause.index].speech.words.count { clause.heard * 2 >= $0.start + $0.end }
    }
    found.byVoice = kept.count - spoken
    if isVerbose, abs(kept.count - recognized) > 1 {
      Console.out("  kept: \(kept.suffix(6).joined(separator: " ")); recognized: \(transcript.suffix(50))")
    }
  }

  private static func line(_ found: InterruptionCase) -> String {
    func text(_ value: Double?) -> String { value.map { "\(Int($0.rounded()))" } ?? "-" }
    let end =
      found.wasStoppedBefore
      ? "stopped before"
      : found.lateMs == nil ? "missed" : "late \(text(found.lateMs)) ms, onset \(text(found.onsetMs)) ms"
    return
      "\(end), holds before \(found.holdsBefore), then \(found.holds), words \(found.byRecognizer ?? 0) \(found.byVoice ?? 0)"
      + (found.isOtherText ? ", another text" : "") + (found.faults > 0 ? ", not as made" : "")
      + ", answer \(text(found.answerMs)) ms"
  }

  /// Adds the numbers of `cases` under names with that prefix.
  static func add(_ cases: [InterruptionCase], _ prefix: String, to report: inout BenchReport) {
    let kinds: [(String, (InterruptionCase) -> String)] = [
      ("delays", { "\($0.delayMs) ms" }), ("voices", { $0.voice }),
    ]
    for (kind, name) in kinds {
      for (name, part) in Dictionary(grouping: cases, by: name) {
        let late = part.compactMap(\.lateMs)
        let summary = BenchReport.Summary(late, unit: "ms")
        let missed = part.count { $0.lateMs == nil && !$0.wasStoppedBefore }
        report.add(
          [
            "interruptions": Double(part.count), "missed": Double(missed),
            "false_stops": Double(part.count(where: \.wasStoppedBefore)), "late_p50_ms": summary?.p50 ?? 0,
            "late_p95_ms": summary?.p95 ?? 0, "late_max_ms": late.max() ?? 0,
          ], to: prefix + kind, name)
      }
    }
    let late = cases.compactMap(\.lateMs)
    let missed = cases.count { $0.lateMs == nil && !$0.wasStoppedBefore }
    let stops = cases.count(where: \.wasStoppedBefore)
    let holds = cases.reduce(0) { $0 + $1.holdsBefore }
    report.add("\(prefix)interruptions", Double(cases.count))
    report.add("\(prefix)missed", Double(missed))
    report.add(
      "\(prefix)missed_though_held", Double(cases.count { $0.lateMs == nil && $0.holds > 0 }))
    report.add("\(prefix)false_stops", Double(stops))
    report.add("\(prefix)false_holds", Double(holds))
    report.add("\(prefix)late_ms", late, unit: "ms")
    report.add("\(prefix)late_max_ms", late.max() ?? 0)
    report.add("\(prefix)answer_ms", cases.compactMap(\.answerMs), unit: "ms")
    report.add("\(prefix)sample_faults", Double(cases.reduce(0) { $0 + $1.faults }))
    report.add("\(prefix)other_text", Double(cases.count(where: \.isOtherText)))
    let summary = BenchReport.Summary(late, unit: "ms")
    func whole(_ value: Double?) -> String { value.map { "\(Int($0.rounded()))" } ?? "-" }
    report.table.append(
      "\(prefix.isEmpty ? "" : "in real time: ")\(cases.count) interruptions: missed \(missed), stopped before "
        + "the user spoke \(stops), held then \(holds); sound after \(Interruption().minDurationMs) ms of speech: "
        + "p50 \(whole(summary?.p50)), p95 \(whole(summary?.p95)), max \(whole(late.max())) ms")
    addVoices(cases, prefix, to: &report)
    for (name, label, differences) in [
      ("recognizer", "the recognizer", cases.compactMap(\.byRecognizer)),
      ("voice", "the voice's times", cases.compactMap(\.byVoice)),
    ] {
      let sizes = differences.map { Double(abs($0)) }
      let within = sizes.count { $0 <= 1 }
      let mean = sizes.reduce(0, +) / Double(max(1, sizes.count))
      report.add("\(prefix)words_\(name)_cases", Double(sizes.count))
      report.add("\(prefix)words_\(name)_beyond_one", Double(sizes.count - within))
      report.add("\(prefix)words_\(name)_mean", mean)
      report.add("\(prefix)words_\(name)_max", sizes.max() ?? 0)
      report.table.append(
        "  words kept, by \(label): \(within) of \(sizes.count) within one; mean "
          + "\(BenchReport.Summary.rounded(mean)), max \(whole(sizes.max()))")
    }
  }

  /// Adds how late people, and how late synthetic voices, stop the agent.
  private static func addVoices(
    _ cases: [InterruptionCase], _ prefix: String, to report: inout BenchReport
  ) {
    for (name, label, isReal) in [("real", "people", true), ("synthetic", "synthetic voices", false)] {
      let part = cases.filter { $0.isReal == isReal }
      guard !part.isEmpty else { continue }
      let late = part.compactMap(\.lateMs)
      let missed = part.count { $0.lateMs == nil && !$0.wasStoppedBefore }
      report.add("\(prefix)\(name)_interruptions", Double(part.count))
      report.add("\(prefix)\(name)_missed", Double(missed))
      report.add("\(prefix)\(name)_late_ms", late, unit: "ms")
      report.add("\(prefix)\(name)_late_max_ms", late.max() ?? 0)
      let summary = BenchReport.Summary(late, unit: "ms")
      func whole(_ value: Double?) -> String { value.map { "\(Int($0.rounded()))" } ?? "-" }
      report.table.append(
        "  \(label): \(part.count), missed \(missed); p50 \(whole(summary?.p50)), p95 "
          + "\(whole(summary?.p95)), max \(whole(late.max())) ms")
    }
  }
}
