import RunAnywhere
import Testing
import VoiceIO
import YoobTesting

/// Sessions on real threads: only the clock is the test's.
@Suite("Sessions on many threads")
struct ThreadTests {
  private let clock = ManualClock()

  @Test("whatever comes from whatever thread, close ends everything", .timeLimit(.minutes(1)))
  func storm() async throws {
    for round in 0..<8 {
      let microphone = PushMicrophone()
      let sink = RecordingSink(clock: clock)
      let session = RunAnywhere.voice.createSession(
        engines: VoiceEngines(
          vad: ScriptedVad(), stt: ScriptedStt(["A": "how are you today"], delay: 0.05, clock: clock),
          llm: ScriptedLlm(tokenDelay: 0.01, clock: clock) { _ in "I am fine. Thank you very much." },
          tts: ScriptedTts(delay: 0.02, clock: clock)),
        devices: VoiceDevices(microphone: microphone, sink: sink, clock: clock))
      try session.start()
      let reader = Task {
        var count = 0
        for try await _ in session.events { count += 1 }
        return count
      }
      let isOver = Guarded(false)
      let time = Task.detached { [clock] in
        while !isOver.withLock({ $0 }) {
          clock.advance(by: 0.01)
          await Task.yield()
        }
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for frame in 0..<200 {
            let script = (frame / 40).isMultiple(of: 2) ? "." : "A"
            microphone.push(Array(ScriptedSound.samples(script).prefix(320)), sampleRate: 16_000)
            await Task.yield()
          }
        }
        group.addTask { for _ in 0..<20 { await session.send(text: "hello") } }
        group.addTask {
          for _ in 0..<40 {
            session.interrupt()
            await Task.yield()
          }
        }
        group.addTask { for _ in 0..<3 { try? await session.say("A line.") } }
        if round.isMultiple(of: 2) { group.addTask { await session.close() } }
      }
      await session.close()
      isOver.withLock { $0 = true }
      await time.value
      #expect(try await reader.value > 0)
      let sound = sink.segments.map(\.clip.samples.count).reduce(0, +)
      clock.advance(by: 5)
      #expect(sink.segments.map(\.clip.samples.count).reduce(0, +) == sound)
    }
  }
}
