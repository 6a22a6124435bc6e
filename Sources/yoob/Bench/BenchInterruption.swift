import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import VoiceProcessing
import YoobTesting

/// Whether and how soon the user's words stop the agent, and whether anything else does: in a simulated
/// room whose echo is as loud as the user, with real voice activity detection, recognizer, turn detector,
/// voice and echo cancellation. The replies are read out (`ReplyBank`), so that they are long.
///
/// The clock waits for the engines, each of which answers after a fixed time; `realTime` interruptions
/// are made in real time too.
struct BenchInterruption {
  /// The folder that `scripts/make-talk-corpus` made.
  let folder: URL
  var part = "dev"
  /// Interruptions in all, and minutes of the agent alone at each delay.
  var count = 100
  var minutes = 10
  var realTime = 10
  /// Whether the loudspeaker is heard at the microphone; without it there is no echo cancellation either.
  var hasEcho = true
  var isQuiet = false
  /// Prints what came of each case.
  var isVerbose = false

  static let delaysMs = [45, 220]
  /// When the user interrupts, in seconds after the reply's first sample.
  static let moments = 1.5...10.0
  /// Seconds after the user's last sound within which the agent must have stopped.
  static let patience = 3.0

  func run() async throws -> BenchReport {
    guard #available(macOS 15, iOS 18, *) else { throw FileFault("This benchmark needs macOS 15.") }
    guard VoiceProcessor.isAvailable || !hasEcho else {
      throw FileFault("\(VoiceProcessingError.notAvailable)")
    }
    let words = try TalkCorpus(folder, part: part, "interruptions")
    let listening = try TalkCorpus(folder, part: part, "listening")
    let stt = try await LocalEngines.stt(nil, threads: 0)
    let tts = try await LocalEngines.tts(nil, threads: 0)
    let (vad, turn) = (try await LocalEngines.vad(), try await LocalEngines.turn())
    let echo = hasEcho ? try await echoGain(tts) : 0
    func stage(_ seed: UInt64, reuses: Bool = true) -> TalkScene.Stage {
      let replies = ReplyBank(seed: seed)
      let voice = RememberingVoice(tts, reuses: reuses)
      let llm = ScriptedLlm(clock: ManualClock()) { _ in replies.next() }
      return TalkScene.Stage(
        engines: VoiceEngines(vad: vad, stt: stt, llm: llm, tts: voice, turn: turn), voice: voice,
        replies: replies, echo: echo)
    }
    var report = BenchReport(
      name: "interruption",
      command: "yoob bench interruption --part \(part) --count \(count) --minutes \(minutes) "
        + "--real-time \(realTime)" + (hasEcho ? "" : " --no-echo"))
    report.table.append(
      hasEcho
        ? "\(part): echo as loud as the user, \(Self.delaysMs.map(String.init).joined(separator: " and ")) ms late"
        : "\(part): no echo, no echo cancellation")
    let shared = stage(UInt64(part == "dev" ? 301 : 302))
    let lockstep = RoomSession.Pace.lockstep(RoomSession.Work())
    if count > 0 {
      var cases: [InterruptionCase] = []
      for (index, delay) in Self.delaysMs.enumerated() {
        let share = count / Self.delaysMs.count + (index < count % Self.delaysMs.count ? 1 : 0)
        let set = InterruptionSet(
          corpus: words, stt: stt, delayMs: delay, first: cases.count, count: share, isQuiet: isQuiet,
          isVerbose: isVerbose)
        cases += try await set.run(shared, lockstep)
      }
      InterruptionSet.add(cases, "", to: &report)
    }
    if minutes > 0 {
      try await alone(shared, lockstep, into: &report)
    }
    try await listen(listening, shared, lockstep, into: &report)
    if realTime > 0 {
      let real = stage(UInt64(part == "dev" ? 303 : 304), reuses: false)
      let set = InterruptionSet(
        corpus: words, stt: stt, delayMs: Self.delaysMs[0], first: 50, count: realTime, isQuiet: isQuiet,
        isVerbose: isVerbose)
      InterruptionSet.add(try await set.run(real, .realTime), "real_time_", to: &report)
    }
    return report
  }

  /// The gain with which the voice's echo is as loud at the microphone as the user.
  @available(macOS 15, iOS 18, *)
  private func echoGain(_ tts: any TtsEngine) async throws -> Float {
    let text = "The old harbour was built by merchants who traded in wool."
    let speech = try await tts.synthesize(text, options: TtsOptions())
    let clip = AudioClip(samples: speech.samples, sampleRate: speech.sampleRate)
    return TalkScene.userLevel / max(1e-6, try TalkScene.echoLevel(of: clip, delayMs: Self.delaysMs[0]))
  }

  // MARK: The agent alone

  @available(macOS 15, iOS 18, *)
  private func alone(
    _ stage: TalkScene.Stage, _ pace: RoomSession.Pace, into report: inout BenchReport
  ) async throws {
    let bar = ProgressBar("The agent alone", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    var stops = 0
    var holds = 0
    var ghosts = 0
    var faults = 0
    var gaps: [Double] = []
    for delay in Self.delaysMs {
      let scene = try TalkScene(stage, delayMs: delay, pace: pace, seed: UInt64(400 + delay))
      let before = (stops, holds, gaps.count)
      var heard = 0.0
      while heard < Double(minutes) * 60 {
        bar.update(heard / Double(minutes) / 60, remark: "\(delay) ms, \(Int(heard)) s")
        let talk = try await scene.talk()
        await scene.bench.pass(upTo: 300) { scene.open != talk.utterance }
        stops += scene.stop(of: talk.utterance) == nil ? 0 : 1
        holds += scene.holds(of: talk.utterance, from: 0)
        gaps += scene.gaps(of: talk.utterance)
        faults += scene.faults(of: talk.utterance)
        if isVerbose { scene.printHolds(of: talk.utterance) }
        heard = scene.room.heardSeconds
        scene.clearLog()
      }
      ghosts += scene.bench.events.count {
        if case .userTranscribed(let text, isFinal: true) = $0.value {
          text != TalkScene.request
        } else {
          false
        }
      }
      await scene.close()
      report.add(
        [
          "stops": Double(stops - before.0), "holds": Double(holds - before.1),
          "gaps": Double(gaps.count - before.2),
        ],
        to: "alone", "\(delay) ms")
    }
    report.add("alone_minutes", Double(minutes * Self.delaysMs.count))
    report.add("alone_stops", Double(stops))
    report.add("alone_holds", Double(holds))
    report.add("alone_gaps", Double(gaps.count))
    report.add("alone_gap_ms", gaps, unit: "ms")
    report.add("alone_turns_of_nobody", Double(ghosts))
    report.add("alone_sample_faults", Double(faults))
    report.table.append(
      "alone, \(minutes) minutes at each delay: \(stops) stops, \(holds) holds, \(gaps.count) gaps, "
        + "\(ghosts) turns of nobody, \(faults) utterances not as the voice made them")
  }

  // MARK: Sounds of somebody who listens

  private enum Outcome: String { case stopped, held, untouched }

  @available(macOS 15, iOS 18, *)
  private func listen(
    _ corpus: TalkCorpus, _ stage: TalkScene.Stage, _ pace: RoomSession.Pace,
    into report: inout BenchReport
  ) async throws {
    let bar = ProgressBar("Sounds", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    var random = SplitMix64(seed: 500)
    var outcomes: [(kind: String, outcome: Outcome)] = []
    var faults = 0
    var heldMs: [Double] = []
    for (turn, delay) in Self.delaysMs.enumerated() {
      let scene = try TalkScene(stage, delayMs: delay, pace: pace, seed: UInt64(600 + delay))
      let cases = corpus.recordings.enumerated().filter { $0.offset / 4 % Self.delaysMs.count == turn }
      var looked: Set<Int> = []
      for (_, recording) in cases {
        bar.update(
          Double(outcomes.count) / Double(corpus.recordings.count), remark: "\(delay) ms, \(recording.text)")
        // A reply lasts about a minute; a sound comes only while there is time left.
        if let open = scene.open, scene.heardMs(of: open, after: 0) > 40_000 {
          await scene.bench.pass(upTo: 60) { scene.open != open }
        }
        let talk = try await scene.talk(waiting: 3)
        let clip = TalkScene.levelled(try corpus.clip(recording))
        let at = scene.room.speak(
          clip, at: max(scene.room.now, talk.start + 1.5) + Double.random(in: 1...4, using: &random))
        let isOpen: () -> Bool = { scene.open == talk.utterance }
        await scene.bench.pass(upTo: at - scene.room.now) { !isOpen() }
        guard isOpen() else { continue }  // a false stop, which `alone` counts
        await scene.bench.pass(upTo: clip.duration + Self.patience) { !isOpen() }
        let holds = scene.holds(of: talk.utterance, from: at)
        let outcome: Outcome =
          scene.stop(of: talk.utterance) != nil ? .stopped : holds > 0 ? .held : .untouched
        outcomes.append((recording.kind, outcome))
        looked.insert(talk.utterance)
        if isVerbose {
          let texts = scene.bench.events.filter { $0.time >= at }.compactMap {
            if case .userTranscribed(let text, _) = $0.value { text } else { nil }
          }
          Console.out(
            "\(delay) ms \(recording.id) \(recording.text) (\(recording.voice)): \(outcome.rawValue) \(texts)"
          )
        }
      }
      for utterance in looked.sorted() {
        faults += scene.faults(of: utterance)
        heldMs += scene.gaps(of: utterance)
      }
      await scene.close()
    }
    for kind in ["backchannel", "noise"] {
      let found = outcomes.filter { $0.kind == kind }.map(\.outcome)
      func count(_ outcome: Outcome) -> Int { found.count { $0 == outcome } }
      report.add("\(kind)_cases", Double(found.count))
      for outcome in [Outcome.stopped, .held, .untouched] {
        report.add("\(kind)_\(outcome.rawValue)", Double(count(outcome)))
      }
      report.table.append(
        "\(kind)s over the agent: \(found.count), stopped \(count(.stopped)), held and resumed "
          + "\(count(.held)), untouched \(count(.untouched))")
    }
    report.add("listening_sample_faults", Double(faults))
    report.add("listening_gap_ms", heldMs, unit: "ms")
    report.table.append("  utterances of these that were not as the voice made them: \(faults)")
  }
}
