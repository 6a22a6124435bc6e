import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobTesting

/// Sentences with one pause of 0.7 s: how often the pause is taken for the end, whether the sentence then
/// becomes one message all the same, and how much of the wrong reply is heard. Real voice activity
/// detection, recognizer, turn detector, judge of the meaning and voice; the product's defaults; no echo.
struct BenchReopening {
  /// The folder that `scripts/make-talk-corpus` made.
  let folder: URL
  var part = "dev"
  var isQuiet = false
  /// Prints what came of each sentence.
  var isVerbose = false

  /// A reply whose first clause is there after 210 ms and its sound 70 ms later, as `yoob bench turn` finds
  /// them (stage_llm_first_clause_ms, stage_tts_first_audio_ms).
  private static let reply = "I will gladly do that. It takes only a moment, and then we can go on."
  /// Sound after the recording, in seconds.
  private static let tail = 5.0

  private struct Outcome {
    let kind: String
    /// Whether a turn was taken before the sentence was over.
    let isTaken: Bool
    /// Whether the history has one message, and whether that has words from both ends of the sentence.
    let isOne: Bool
    let hasBothEnds: Bool
    /// Sound of replies that began before the sentence was over.
    let heardMs: Double
    /// From the end of the sentence to the taking of the turn; nil when it was not taken.
    let delayMs: Double?
    let messages: [String]
    /// What was taken in the pause, when after the voice's end, and how finished the detector found it.
    let pause: String
  }

  func run() async throws -> BenchReport {
    guard #available(macOS 15, iOS 18, *) else { throw FileFault("This benchmark needs macOS 15.") }
    let corpus = try TalkCorpus(folder, part: part, "pauses")
    let engines = VoiceEngines(
      vad: try await LocalEngines.vad(), stt: try await LocalEngines.stt(nil, threads: 0),
      llm: JudgedReply(judge: try await LocalEngines.llm(nil, threads: 0), reply: Self.reply),
      tts: RememberingVoice(try await LocalEngines.tts(nil, threads: 0), reuses: true),
      turn: try await LocalEngines.turn())
    let bar = ProgressBar("Sentences", isQuiet: isQuiet, inLines: true)
    var outcomes: [Outcome] = []
    for (index, recording) in corpus.recordings.enumerated() {
      if index % 10 == 0 {
        bar.update(Double(index) / Double(corpus.recordings.count), remark: recording.id)
      }
      let outcome = try await hear(recording, try corpus.clip(recording), engines)
      outcomes.append(outcome)
      if isVerbose {
        Console.out(
          "\(recording.id) \(recording.kind) \(recording.voice): taken \(outcome.isTaken), one message \(outcome.isOne), both ends \(outcome.hasBothEnds), "
            + "heard \(Int(outcome.heardMs)) ms, \(outcome.messages) \(outcome.pause)")
      }
    }
    bar.finish()
    var report = BenchReport(name: "reopening", command: "yoob bench reopening --part \(part)")
    report.table.append("\(part): \(outcomes.count) sentences with a pause of 0.7 s")
    add(outcomes, "", to: &report)
    for kind in ["inside", "complete"] { add(outcomes.filter { $0.kind == kind }, kind + "_", to: &report) }
    return report
  }

  @available(macOS 15, iOS 18, *)
  private func hear(
    _ recording: TalkCorpus.Recording, _ clip: AudioClip, _ engines: VoiceEngines
  ) async throws -> Outcome {
    var work = RoomSession.Work()
    work.firstToken = 0.06
    // The first clause has six pieces.
    work.token = (0.21 - work.firstToken) / 5
    work.tts = 0.07
    let bench = RoomSession(engines, .lockstep(work), generation: Luna.generation)
    try bench.session.start()
    let start = bench.room.speak(clip, at: 0)
    await bench.pass(seconds: clip.duration + Self.tail)
    let end = start + (recording.end ?? clip.duration)
    let messages = bench.session.history.filter { $0.role == .user }.map(\.content)
    let taken = bench.events.filter { Self.isTaking($0.value) }.map(\.time)
    let wrong = Set(bench.room.sounds.filter { $0.start < end }.map(\.utterance))
    let heard = bench.room.sounds.filter { wrong.contains($0.utterance) }.reduce(0) { $0 + $1.clip.duration }
    await bench.close()
    return Outcome(
      kind: recording.kind, isTaken: taken.contains { $0 < end },
      isOne: messages.count == 1,
      hasBothEnds: Self.hasBothEnds(messages.joined(separator: " "), recording.text), heardMs: heard * 1000,
      delayMs: taken.first { $0 >= end }.map { ($0 - end) * 1000 }, messages: messages,
      pause: Self.pause(bench, start + (recording.pauses?.first?.first ?? 0), end))
  }

  @available(macOS 15, iOS 18, *)
  private static func pause(_ bench: RoomSession, _ start: Double, _ end: Double) -> String {
    let taken = bench.events.first { $0.time < end && Self.isTaking($0.value) }
    guard let taken, case .userTranscribed(let text, _) = taken.value else { return "" }
    let answers = bench.diagnostics.filter { $0.time <= taken.time }.compactMap {
      if case .turnDetected(let completeness, _) = $0.value { completeness } else { nil }
    }
    let milliseconds = Int(((taken.time - start) * 1000).rounded())
    let likelihoods = bench.diagnostics.filter { $0.time <= taken.time }.compactMap {
      if case .messageEndJudged(let likelihood, _) = $0.value { likelihood } else { nil }
    }
    return
      "taken after \(milliseconds) ms, detector \(answers.last ?? -1), judge \(likelihoods.last ?? -1): “\(text)”"
  }

  private static func isTaking(_ event: VoiceEvent) -> Bool {
    if case .userTranscribed(_, isFinal: true) = event { true } else { false }
  }

  /// Whether a message has one of the first three words of a sentence and one of its last.
  private static func hasBothEnds(_ message: String, _ text: String) -> Bool {
    let (said, words) = (HeardWords.words(text), Set(HeardWords.words(message)))
    return said.prefix(3).contains { words.contains($0) } && said.suffix(3).contains { words.contains($0) }
  }

  private func add(_ outcomes: [Outcome], _ prefix: String, to report: inout BenchReport) {
    let taken = outcomes.filter(\.isTaken)
    let reopened = taken.count(where: \.isOne)
    let several = outcomes.count { !$0.isOne }
    let misheard = outcomes.count { !$0.hasBothEnds }
    let heard = taken.map(\.heardMs)
    let delays = outcomes.compactMap(\.delayMs)
    let share = Double(taken.count) / Double(max(1, outcomes.count))
    report.add("\(prefix)sentences", Double(outcomes.count))
    report.add("\(prefix)taken", Double(taken.count))
    report.add("\(prefix)taken_share", share)
    report.add("\(prefix)taken_not_reopened", Double(taken.count - reopened))
    report.add("\(prefix)not_one_message", Double(several))
    report.add("\(prefix)without_both_ends", Double(misheard))
    report.add("\(prefix)wrong_reply_ms", heard, unit: "ms")
    report.add("\(prefix)wrong_reply_max_ms", heard.max() ?? 0)
    report.add("\(prefix)wrong_reply_beyond_300_ms", Double(heard.count { $0 > 300 }))
    report.add("\(prefix)delay_ms", delays, unit: "ms")
    let summary = BenchReport.Summary(heard, unit: "ms")
    func whole(_ value: Double?) -> String { value.map { "\(Int($0.rounded()))" } ?? "-" }
    report.table.append(
      "\(prefix.isEmpty ? "all" : String(prefix.dropLast())): \(taken.count) of \(outcomes.count) taken in the pause "
        + "(share \(BenchReport.Summary.rounded(share))), \(reopened) of them one message in the end; wrong reply heard "
        + "p50 \(whole(summary?.p50)), p95 \(whole(summary?.p95)), max \(whole(heard.max())) ms, beyond 300 ms "
        + "\(heard.count { $0 > 300 }); in all \(several) not one message, \(misheard) without words of both ends"
    )
  }
}

/// A reply that is always the same, from a model that judges what it answers.
private struct JudgedReply: MessageEndJudging {
  let judge: any LlmEngine
  let reply: String

  func endLikelihood(of messages: [ChatMessage], options: LlmOptions) async -> Float? {
    await (judge as? any MessageEndJudging)?.endLikelihood(of: messages, options: options)
  }

  func generate(
    _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
  ) async throws -> GenerationResult {
    let writer = ScriptedLlm(clock: ManualClock()) { _ in reply }
    return try await writer.generate(messages, options: options, onText: onText)
  }
}
