import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO

extension BenchTurn {
  private static let quietSeconds = 10.0

  /// The share of a core that a session takes while it listens to a quiet room.
  func listening(_ engines: VoiceEngines, into report: inout BenchReport) async throws {
    let clock = MonotonicClock()
    var generator = SplitMix64(seed: 1)
    let room = (0..<16_000 * Int(Self.quietSeconds + 5)).map { _ in
      Float.random(in: -0.001...0.001, using: &generator)
    }
    let session = RunAnywhere.voice.createSession(
      engines: engines,
      devices: VoiceDevices(
        microphone: FileMicrophone(AudioClip(samples: room, sampleRate: 16_000), clock: clock),
        sink: RecordingSink(clock: clock), clock: clock))
    try session.start()
    await clock.sleep(for: 1)
    let (start, used) = (clock.now, ProcessorTime.seconds)
    await clock.sleep(for: Self.quietSeconds)
    report.add("idle_core_percent", 100 * (ProcessorTime.seconds - used) / (clock.now - start))
    await session.close()
  }

  /// What the language model has to read in the turns of one conversation.
  func conversation(
    _ engines: VoiceEngines, folder: URL, into report: inout BenchReport
  ) async throws {
    func clip(_ name: String) throws -> AudioClip {
      try SoundFile.read(folder.appendingPathComponent("\(name).wav").path)
    }
    let user = try RecordedUser(engines, generation: Self.generation)
    let bar = ProgressBar("Conversation", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    var isWhole = true
    for (index, name) in ["question-france", "question-rain", "question-sky"].enumerated() {
      bar.update(Double(index) / 5, remark: name)
      isWhole = await user.ask(try clip(name)) && isWhole
    }
    let plain = user.turns.dropFirst()
    bar.update(0.6, remark: "interruption")
    isWhole =
      await user.interrupt(try clip("question-story"), with: try clip("interruption")) && isWhole
    let interrupted = user.turns.suffix(1)
    bar.update(0.8, remark: "question-france")
    isWhole = await user.ask(try clip("question-france")) && isWhole
    let later = interrupted + user.turns.suffix(1)
    await user.leave()
    guard isWhole else { throw FileFault("A turn of the conversation got no answer.") }
    func add(_ name: String, _ turns: some Sequence<TurnMetrics>) {
      report.add(name + "_prompt_tokens", turns.map { Double($0.inputTokens) }, unit: "tokens")
      report.add(name + "_new_tokens", turns.map { Double($0.inputTokens - $0.cachedTokens) }, unit: "tokens")
    }
    add("conversation", plain)
    add("interrupted", later)
  }
}
