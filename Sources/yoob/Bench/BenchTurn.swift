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
  var isQuiet = false

  private static let questions = [
    "question-france.wav", "question-rain.wav", "question-sky.wav", "question-story.wav",
  ]
  /// Amplitude from which a sample counts as heard.
  private static let audible: Float = 0.01

  func run() async throws -> BenchReport {
    var choice = LocalEngines.Choice()
    choice.threads = threads
    let engines = try await LocalEngines.load(choice, quiet: isQuiet)
    var report = BenchReport(
      name: "turn",
      command: "yoob bench turn --rounds \(rounds)" + (threads > 0 ? " --threads \(threads)" : ""))
    try await turns(engines, folder: fixtures, into: &report)
    try await interruptions(engines, folder: fixtures, into: &report)
    report.add("memory_peak_mb", BenchMachine.peakMegabytes)
    return report
  }

  private func turns(
    _ engines: VoiceEngines, folder: URL, into report: inout BenchReport
  ) async throws {
    var firstAudio: [Double] = []
    var turns: [TurnMetrics] = []
    let bar = ProgressBar("Turns", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    let total = rounds * Self.questions.count
    for index in 0..<total {
      let (round, number) = index.quotientAndRemainder(dividingBy: Self.questions.count)
      let name = Self.questions[number]
      bar.update(Double(index) / Double(total), remark: "round \(round + 1) of \(rounds), \(name)")
      let clip = try SoundFile.read(folder.appendingPathComponent(name).path)
      let result = try await conversation(engines, clip).hold()
      guard let end = Self.lastVoiced(clip), let reply = result.spoken.timeline.utterances.first,
        let onset = reply.clip.samples.firstIndex(where: { abs($0) > Self.audible })
      else { throw FileFault("There was no answer to \(name).") }
      let heard = reply.start + Double(onset) / Double(reply.clip.sampleRate)
      firstAudio.append((heard - end) * 1000)
      turns += result.turns
    }
    report.add("first_audio_ms", firstAudio, unit: "ms")
    report.add("stage_endpoint_ms", turns.map(\.endpointMs), unit: "ms")
    report.add("stage_stt_ms", turns.map(\.sttMs), unit: "ms")
    report.add("stage_llm_first_token_ms", turns.map(\.llmFirstTokenMs), unit: "ms")
    report.add("stage_llm_first_clause_ms", turns.map(\.llmFirstClauseMs), unit: "ms")
    report.add("stage_tts_first_audio_ms", turns.map(\.ttsFirstAudioMs), unit: "ms")
    report.add("session_first_audio_ms", turns.map(\.firstAudioMs), unit: "ms")
    report.add("llm_tokens_per_second", turns.map(\.tokensPerSecond), unit: "tokens/s")
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
    conversation.generation = Luna.generation
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
