import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO

/// Asks recorded questions of a real session in real time and measures from outside: positions in
/// the recording on one side, positions in what the loudspeaker played on the other.
struct BenchTurn {
  /// The folder of the recorded questions.
  let fixtures: URL
  var rounds = 3
  var threads = 0
  /// Programs that keep the cores busy beside it; with any, only questions are asked.
  var neighbours = 0
  var isQuiet = false

  private static let questions = [
    "question-france.wav", "question-rain.wav", "question-sky.wav", "question-story.wav",
  ]
  /// As Luna's, with the same replies in every run.
  static var generation: LlmOptions {
    var options = Luna.generation
    options.seed = 1
    return options
  }
  /// Amplitude from which a sample counts as heard.
  private static let audible: Float = 0.01

  func run() async throws -> BenchReport {
    var choice = LocalEngines.Choice()
    choice.threads = threads
    let engines = try await LocalEngines.load(choice, quiet: isQuiet)
    var command = "yoob bench turn --rounds \(rounds)"
    if threads > 0 { command += " --threads \(threads)" }
    if neighbours > 0 { command += " --neighbours \(neighbours)" }
    var report = BenchReport(name: neighbours > 0 ? "turn-neighbours" : "turn", command: command)
    report.add("memory_loaded_mb", BenchMachine.residentMegabytes)
    report.add("memory_load_peak_mb", BenchMachine.peakMegabytes)
    if neighbours > 0 {
      let busy = try Neighbours(neighbours)
      defer { busy.stop() }
      try await turns(engines, folder: fixtures, into: &report)
    } else {
      try await listening(engines, into: &report)
      try await turns(engines, folder: fixtures, into: &report)
      try await conversation(engines, folder: fixtures, into: &report)
      try await interruptions(engines, folder: fixtures, into: &report)
    }
    report.add("memory_end_mb", BenchMachine.residentMegabytes)
    report.add("memory_peak_mb", BenchMachine.peakMegabytes)
    return report
  }

  /// What came of one question.
  private struct Answer {
    /// Seconds from the question's last sample of speech to the first audible sample.
    var firstAudio: Double
    /// Processor seconds from the question's last sample of speech to the first audible sample, and to
    /// the last one; the same from its first.
    var toFirstAudio: Double
    var toEnd: Double
    var wholeToFirstAudio: Double
    var wholeToEnd: Double
  }

  private func turns(
    _ engines: VoiceEngines, folder: URL, into report: inout BenchReport
  ) async throws {
    var answers: [Answer] = []
    var turns: [TurnMetrics] = []
    var lost = 0
    var cutOff = 0
    let bar = ProgressBar("Turns", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    let total = rounds * Self.questions.count
    let (began, before) = (ProcessorTime.seconds, EngineExecutor.processorSeconds)
    for index in 0..<total {
      let (round, number) = index.quotientAndRemainder(dividingBy: Self.questions.count)
      let name = Self.questions[number]
      bar.update(Double(index) / Double(total), remark: "round \(round + 1) of \(rounds), \(name)")
      let clip = try SoundFile.read(folder.appendingPathComponent(name).path)
      guard let start = Self.firstVoiced(clip), let end = Self.lastVoiced(clip) else {
        throw FileFault("There is no speech in \(name).")
      }
      let trace = ProcessorTrace(clock: MonotonicClock())
      let result = try await conversation(engines, clip).hold()
      await trace.stop()
      turns += result.turns
      if result.spoken.timeline.states.contains(where: { $0.state == .thinking && $0.time < end }) {
        cutOff += 1
      }
      guard let answer = answer(result, speech: start...end, trace) else {
        lost += 1
        continue
      }
      answers.append(answer)
    }
    var engineless = ProcessorTime.seconds - began
    for (label, seconds) in EngineExecutor.processorSeconds {
      let used = seconds - (before[label] ?? 0)
      engineless -= used
      let engine = label.replacing("yoob.", with: "").replacing("-", with: "_")
      report.add("cpu_per_turn_\(engine)_s", used / Double(total))
    }
    report.add("cpu_per_turn_rest_s", engineless / Double(total))
    report.add("lost_turns", Double(lost))
    report.add("cut_off_turns", Double(cutOff))
    report.add("first_audio_ms", answers.map { $0.firstAudio * 1000 }, unit: "ms")
    report.add("cpu_first_audio_s", answers.map(\.toFirstAudio), unit: "s")
    report.add("cpu_turn_s", answers.map(\.toEnd), unit: "s")
    report.add("cpu_speech_to_first_audio_s", answers.map(\.wholeToFirstAudio), unit: "s")
    report.add("cpu_speech_to_turn_end_s", answers.map(\.wholeToEnd), unit: "s")
    report.add("stage_endpoint_ms", turns.map(\.endpointMs), unit: "ms")
    report.add("stage_stt_ms", turns.map(\.sttMs), unit: "ms")
    report.add("stage_llm_first_token_ms", turns.map(\.llmFirstTokenMs), unit: "ms")
    report.add("stage_llm_first_clause_ms", turns.map(\.llmFirstClauseMs), unit: "ms")
    report.add("stage_tts_first_audio_ms", turns.map(\.ttsFirstAudioMs), unit: "ms")
    report.add("session_first_audio_ms", turns.map(\.firstAudioMs), unit: "ms")
    report.add("llm_tokens_per_second", turns.map(\.tokensPerSecond), unit: "tokens/s")
  }

  /// The first answer that was heard after the question; nil when there is none.
  private func answer(
    _ result: RecordedConversation.Result, speech: ClosedRange<Double>, _ trace: ProcessorTrace
  ) -> Answer? {
    let utterances = result.spoken.timeline.utterances
    let onsets = utterances.compactMap { reply in
      reply.clip.samples.firstIndex { abs($0) > Self.audible }.map {
        reply.start + Double($0) / Double(reply.clip.sampleRate)
      }
    }
    guard let heard = onsets.first(where: { $0 > speech.upperBound }), let last = utterances.last else {
      return nil
    }
    func used(_ start: Double, _ end: Double) -> Double {
      trace.seconds(from: result.origin + start, to: result.origin + end)
    }
    return Answer(
      firstAudio: heard - speech.upperBound, toFirstAudio: used(speech.upperBound, heard),
      toEnd: used(speech.upperBound, last.end), wholeToFirstAudio: used(speech.lowerBound, heard),
      wholeToEnd: used(speech.lowerBound, last.end))
  }

  private func interruptions(
    _ engines: VoiceEngines, folder: URL, into report: inout BenchReport
  ) async throws {
    report.add("interrupt_call_ms", try await calls(engines), unit: "ms")
    let story = try SoundFile.read(folder.appendingPathComponent("question-story.wav").path)
    let stop = try SoundFile.read(folder.appendingPathComponent("interruption.wav").path)
    var clip = story
    clip.samples += [Float](repeating: 0, count: clip.sampleRate * 3 / 2) + stop.samples
    guard let onset = Self.firstVoiced(stop) else { return }
    let spoken = Double(clip.samples.count - stop.samples.count) / Double(clip.sampleRate) + onset
    let bar = ProgressBar("Interruptions", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    var late: [Double] = []
    for index in 0..<rounds {
      bar.update(Double(index) / Double(rounds), remark: "round \(index + 1) of \(rounds)")
      var conversation = conversation(engines, clip)
      conversation.generation.systemPrompt =
        "You are a storyteller. Tell long stories of many sentences, and never ask anything."
      conversation.generation.softOutputTokens = nil
      conversation.generation.maxOutputTokens = 200
      let result = try await conversation.hold()
      guard let reply = result.spoken.timeline.utterances.first, reply.start < spoken, reply.end > spoken
      else {
        continue
      }
      late.append((reply.end - spoken) * 1000 - Double(Interruption().minDurationMs))
    }
    report.add("interrupt_speech_after_min_duration_ms", late, unit: "ms")
  }

  /// Milliseconds of sound after `interrupt()` was called in the middle of a line.
  private func calls(_ engines: VoiceEngines) async throws -> [Double] {
    let clock = MonotonicClock()
    var late: [Double] = []
    let count = max(3, rounds)
    let bar = ProgressBar("Calls of interrupt()", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    for index in 0..<count {
      bar.update(Double(index) / Double(count), remark: "round \(index + 1) of \(count)")
      let sink = RecordingSink(clock: clock)
      let microphone = FileMicrophone(
        AudioClip(samples: [0], sampleRate: 16_000), tail: nil, clock: clock)
      let session = RunAnywhere.voice.createSession(
        engines: engines, devices: VoiceDevices(microphone: microphone, sink: sink, clock: clock))
      try session.start()
      let line = Task {
        try await session.say(
          "This is a long line that goes on and on, so that there is time to stop it in the middle.")
      }
      while sink.playedSamples < 12_000 + index * 4_000 {
        await clock.sleep(until: clock.now + 0.01)
      }
      let call = clock.now
      session.interrupt()
      try? await line.value
      if let segment = sink.segments.last {
        late.append(max(0, sink.origin + segment.start + segment.clip.duration - call) * 1000)
      }
      await session.close()
    }
    return late
  }

  private func conversation(_ engines: VoiceEngines, _ clip: AudioClip) -> RecordedConversation {
    var conversation = RecordedConversation(engines: engines, clip: clip)
    conversation.generation = Self.generation
    conversation.quiet = true
    return conversation
  }

  /// Seconds to the first sample of speech, by the level of 10 ms blocks.
  static func firstVoiced(_ clip: AudioClip) -> Double? { voicedBlocks(clip).first.map { Double($0) / 100 } }

  /// Seconds to the end of the last sample of speech, by the level of 10 ms blocks.
  static func lastVoiced(_ clip: AudioClip) -> Double? {
    voicedBlocks(clip).last.map { Double($0 + 1) / 100 }
  }

  private static func voicedBlocks(_ clip: AudioClip) -> [Int] {
    let size = clip.sampleRate / 100
    let levels = stride(from: 0, to: clip.samples.count - size, by: size).map {
      Level(Array(clip.samples[$0..<$0 + size])).rms
    }
    guard let loudest = levels.max(), loudest > 0 else { return [] }
    return levels.indices.filter { levels[$0] > loudest * 0.03 }
  }
}
