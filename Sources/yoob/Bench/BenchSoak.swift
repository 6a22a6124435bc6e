import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import VoiceProcessing
import YoobTesting

/// A conversation that goes on and on: silence, questions, replies, interruptions and typed messages, with
/// real models, in a simulated room with an echo. What the process holds must not grow.
struct BenchSoak {
  /// The folder that `scripts/make-talk-corpus` made.
  let folder: URL
  var minutes = 60
  /// The clock waits for the engines instead of running by itself.
  var isFast = false
  var isQuiet = false

  private static let interval = 30.0
  /// Longest wait for an answer, and for its end, in seconds.
  private static let patience = 15.0
  private static let longestReply = 60.0
  private static let typed = [
    "Hello.", "What do you think about music?", "Name three colours.", "How are you today?",
    "Tell me about the moon.", "Thank you, that helps.",
  ]

  private enum Step: String, CaseIterable { case silence, question, interruption, typed }

  /// What the process holds at one time.
  private struct Sample {
    let time: Double
    let megabytes: Double
    let threads: Double
    let descriptors: Double
    let tasks: Double
  }

  func run() async throws -> BenchReport {
    guard #available(macOS 15, iOS 18, *) else { throw FileFault("This benchmark needs macOS 15.") }
    let questions = try TalkCorpus(folder, part: "dev", "questions")
    let interruptions = try TalkCorpus(folder, part: "dev", "interruptions")
    let engines = try await LocalEngines.load(LocalEngines.Choice(), quiet: isQuiet)
    var options = VirtualRoom.Options()
    options.keepsLog = false
    let processor = VoiceProcessor.isAvailable ? try VoiceProcessor() : nil
    if processor != nil { options.echo = RoomEcho(delay: 0.045, gain: 0.3) }
    let bench = RoomSession(
      engines, isFast ? .lockstep(RoomSession.Work()) : .realTime, room: options, processor: processor,
      generation: Luna.generation)
    try bench.session.start()

    let bar = ProgressBar("Talking", isQuiet: isQuiet, inLines: true)
    var random = SplitMix64(seed: 900)
    var samples: [Sample] = []
    var counts: [Step: Int] = [:]
    var turns = (held: 0, lost: 0)
    var unstopped = 0
    /// Lets time go by and looks at the process every `interval`.
    func pass(upTo seconds: Double, until condition: () -> Bool) async -> Bool {
      await bench.pass(upTo: seconds) {
        if bench.room.now >= Double(samples.count + 1) * Self.interval { samples.append(sample(bench)) }
        return condition()
      }
    }
    /// Waits for the answer to a turn; with `isToEnd` until it was heard.
    func answer(isToEnd: Bool) async {
      let before = bench.room.heardSeconds
      let isHeard = await pass(upTo: Self.patience) { bench.room.heardSeconds > before + 0.05 }
      if isHeard { turns.held += 1 } else { turns.lost += 1 }
      guard isHeard, isToEnd else { return }
      var (last, since) = (bench.room.heardSeconds, bench.room.now)
      _ = await pass(upTo: Self.longestReply) {
        let (heard, now) = (bench.room.heardSeconds, bench.room.now)
        if heard > last { (last, since) = (heard, now) }
        return now - since > 1
      }
    }
    while bench.room.now < Double(minutes) * 60 {
      let step = Step.allCases.randomElement(using: &random) ?? .silence
      counts[step, default: 0] += 1
      bar.update(
        bench.room.now / Double(minutes) / 60,
        remark: "\(Int(bench.room.now)) s, \(step.rawValue), \(Int(BenchMachine.residentMegabytes)) MB")
      switch step {
      case .silence: _ = await pass(upTo: Double.random(in: 3...12, using: &random)) { false }
      case .typed:
        let text = Self.typed.randomElement(using: &random) ?? "Hello."
        bench.perform { await $0.send(text: text) }
        await answer(isToEnd: true)
      case .question, .interruption:
        let question = try questions.clip(
          questions.recordings[Int(random.next() % UInt64(questions.recordings.count))])
        let at = bench.room.speak(question, at: bench.room.now + 0.3)
        _ = await pass(upTo: at + question.duration - bench.room.now) { false }
        await answer(isToEnd: step == .question)
        guard step == .interruption else { break }
        _ = await pass(upTo: Double.random(in: 0.6...1.5, using: &random)) { false }
        let words = try interruptions.clip(
          interruptions.recordings[Int(random.next() % UInt64(interruptions.recordings.count))])
        let over = bench.room.speak(words, at: bench.room.now)
        _ = await pass(upTo: over + words.duration - bench.room.now) { false }
        let before = bench.room.heardSeconds
        _ = await pass(upTo: 0.1) { false }
        if bench.room.heardSeconds > before { unstopped += 1 }
        await answer(isToEnd: true)
      }
    }
    bar.finish()
    await bench.close()
    return report(samples, counts, turns, unstopped, liveTasks: bench.liveTasks)
  }

  @available(macOS 15, iOS 18, *)
  private func sample(_ bench: RoomSession) -> Sample {
    Sample(
      time: bench.room.now, megabytes: BenchMachine.residentMegabytes, threads: BenchMachine.threads,
      descriptors: BenchMachine.descriptors, tasks: Double(bench.liveTasks))
  }

  private func report(
    _ samples: [Sample], _ counts: [Step: Int], _ turns: (held: Int, lost: Int), _ unstopped: Int,
    liveTasks: Int
  ) -> BenchReport {
    var report = BenchReport(
      name: "soak", command: "yoob bench soak --minutes \(minutes)" + (isFast ? " --fast" : ""))
    // From here on everything has its size.
    let warmUp = min(5, Double(minutes) / 2) * 60
    let late = samples.filter { $0.time >= warmUp }
    let slope = Self.slope(late.map { ($0.time / 3600, $0.megabytes) })
    report.add("minutes", Double(minutes))
    report.add("memory_slope_mb_per_hour", slope)
    report.add("memory_growth_mb", BenchReport.growth(late.map(\.megabytes)))
    report.add("memory_peak_mb", BenchMachine.peakMegabytes)
    report.add("threads_growth", BenchReport.growth(late.map(\.threads)))
    report.add("descriptors_growth", BenchReport.growth(late.map(\.descriptors)))
    report.add("tasks_growth", BenchReport.growth(late.map(\.tasks)))
    report.add("tasks_after_close", Double(liveTasks))
    report.add("turns_held", Double(turns.held))
    report.add("turns_lost", Double(turns.lost))
    report.add("interruptions_not_stopped", Double(unstopped))
    for step in Step.allCases { report.add("steps_\(step.rawValue)", Double(counts[step] ?? 0)) }
    report.series = [
      "seconds": samples.map(\.time), "memory_mb": samples.map(\.megabytes),
      "threads": samples.map(\.threads),
      "descriptors": samples.map(\.descriptors), "tasks": samples.map(\.tasks),
    ]
    return report
  }

  /// Of the line nearest to the points by least squares; 0 for fewer than two.
  private static func slope(_ points: [(x: Double, y: Double)]) -> Double {
    let count = Double(points.count)
    guard count > 1 else { return 0 }
    let x = points.reduce(0) { $0 + $1.x } / count
    let y = points.reduce(0) { $0 + $1.y } / count
    let spread = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    return spread > 0 ? points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / spread : 0
  }
}
