import RunAnywhere
import Testing
import VoiceAudio
import VoiceIO
import YoobTesting

private struct FrameCounter: NearEndProcessing {
  let sampleRate = 16_000
  let count: Guarded<Int>
  func process(near: inout [Float], far: [Float]) { count.withLock { $0 += 1 } }
}

/// A session over a microphone and a loudspeaker that the test plays by hand.
private final class DeviceBench {
  let clock = ManualClock()
  let executor = ManualExecutor()
  let backend = FakeBackend()
  let device: DuplexDevice
  /// Frames that the device handed on.
  let counted = Guarded(0)
  let session: VoiceSession
  private let seenEvents = Guarded<[VoiceEvent]>([])
  private let seenDiagnostics = Guarded<[VoiceDiagnostic]>([])

  init(transcripts: [Character: String] = [:], reply: @escaping @Sendable ([ChatMessage]) -> String) {
    device = DuplexDevice(backend: backend, processor: FrameCounter(count: counted), clock: clock)
    let executor = executor
    var devices = VoiceDevices(microphone: device, sink: device, clock: clock)
    devices.tasks = TaskSpawner { body in Task(executorPreference: executor) { await body() } }
    session = RunAnywhere.voice.createSession(
      engines: VoiceEngines(
        vad: ScriptedVad(), stt: ScriptedStt(transcripts, clock: clock),
        llm: ScriptedLlm(clock: clock, reply: reply), tts: ScriptedTts(clock: clock)),
      devices: devices)
    let (events, diagnostics) = (session.events, session.diagnostics)
    executor.task { [seenEvents] in
      for try await event in events { seenEvents.withLock { $0.append(event) } }
    }
    executor.task { [seenDiagnostics] in
      for await diagnostic in diagnostics { seenDiagnostics.withLock { $0.append(diagnostic) } }
    }
  }

  var events: [VoiceEvent] { seenEvents.withLock { $0 } }
  var diagnostics: [VoiceDiagnostic] { seenDiagnostics.withLock { $0 } }
  var finals: [String] {
    events.compactMap { if case .userTranscribed(let text, isFinal: true) = $0 { text } else { nil } }
  }

  /// 20 ms go by, in which the microphone hears `level` and the loudspeaker plays.
  func step(_ level: Float = 0) {
    clock.advance(by: 0.02)
    for _ in 0..<2 { backend.capture(level) }
    _ = backend.client?.render(960)
    executor.drain()
  }

  /// The microphone hears the script, and the session has been given it.
  func hear(_ script: String) async {
    for character in script {
      for _ in 0..<5 {
        let before = counted.withLock { $0 }
        step(ScriptedSound.level(of: character))
        #expect(await eventually { counted.withLock { $0 } >= before + 2 })
        executor.drain()
      }
    }
  }

  func run(until isMet: () -> Bool) async -> Bool {
    await eventually {
      step()
      return isMet()
    }
  }

  func lose() async -> Bool {
    backend.state.withLock { $0.fault = AudioDeviceError.none(.loudspeaker) }
    let closings = backend.state.withLock { $0.closings }
    backend.client?.lost(.lost("Speaker"))
    return await eventually {
      executor.drain()
      return backend.state.withLock { $0.closings } > closings
    }
  }

  func giveBack() { backend.state.withLock { $0.fault = nil } }

  func send(_ text: String) {
    executor.task { [session] in await session.send(text: text) }
    executor.drain()
  }

  func close() async {
    let isClosed = Guarded(false)
    executor.task { [session] in
      await session.close()
      isClosed.withLock { $0 = true }
    }
    _ = await run { isClosed.withLock { $0 } }
    device.close()
  }
}

@Suite("Devices that vanish")
struct DeviceLossTests {
  private static let story = "One two three four five six seven. Eight nine ten eleven twelve thirteen."

  @Test("speech goes on where it was heard when the devices are back in time, and the history keeps all")
  func back() async throws {
    let bench = DeviceBench { _ in Self.story }
    try bench.session.start()
    bench.send("tell me")
    #expect(await bench.run { bench.device.playedSamples > 16_000 })
    #expect(await bench.lose())
    let played = bench.device.playedSamples
    for _ in 0..<40 { bench.step() }
    #expect(bench.device.playedSamples == played)
    bench.giveBack()
    #expect(await bench.run { bench.session.history.last?.content == Self.story })
    #expect(!bench.events.contains { if case .error = $0 { true } else { false } })
    #expect(
      bench.diagnostics.contains(.deviceLost(reason: "\(AudioDeviceError.lost("Speaker"))")))
    #expect(bench.diagnostics.contains(.deviceReturned(microphone: "Mic 2", loudspeaker: "Speaker")))
    await bench.close()
  }

  @Test("a reply whose loudspeaker does not come back ends at what was heard, and the talk goes on later")
  func gone() async throws {
    let bench = DeviceBench { _ in Self.story }
    try bench.session.start()
    bench.send("tell me")
    #expect(await bench.run { bench.device.playedSamples > 16_000 })
    #expect(await bench.lose())
    #expect(await bench.run { bench.events.last == .agentStateChanged(.listening) })
    let heard = try #require(bench.session.history.last?.content)
    #expect(bench.session.history.last?.role == .assistant)
    #expect(Self.story.hasPrefix(heard) && heard.contains("three") && !heard.contains("twelve"))
    // What is said while there is nothing to say it with is not taken for heard.
    bench.send("go on")
    #expect(
      await bench.run {
        bench.events.filter { if case .error(_, recoverable: true) = $0 { true } else { false } }.count == 2
      })
    #expect(bench.session.history.last == ChatMessage(role: .user, content: "go on"))
    bench.giveBack()
    #expect(await bench.run { bench.device.names != nil })
    bench.send("once more")
    #expect(await bench.run { bench.session.history.last?.content == Self.story })
    await bench.close()
  }

  @Test("a microphone that vanishes in the middle of a sentence and is back: one message")
  func midTurn() async throws {
    let bench = DeviceBench(transcripts: ["A": "how are you", "B": "my dear friend"]) { _ in "Fine." }
    try bench.session.start()
    await bench.hear("..AAAAAAAA")
    #expect(await bench.lose())
    for _ in 0..<20 { bench.step() }
    bench.giveBack()
    #expect(await bench.run { bench.device.names != nil })
    await bench.hear("BBBBBBBB")
    #expect(await bench.run { !bench.finals.isEmpty })
    #expect(bench.finals == ["how are you my dear friend"])
    await bench.close()
  }
}
