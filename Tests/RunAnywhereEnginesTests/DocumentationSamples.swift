// The samples of Sources/RunAnywhere/RunAnywhere.docc: `scripts/docs` finds each of them here, line by line.
import Foundation
import RunAnywhere
import RunAnywhereHTTP
import RunAnywhereHibari
import RunAnywhereLlama
import RunAnywhereSherpa
import Testing
import VoiceAudio
import VoiceIO
import VoiceProcessing

/// What an app does with what it is told.
private enum MyApp {
  static func show(_ text: String) { shown.withLock { $0.append(text) } }
  static let shown = Guarded<[String]>([])
}

private enum DocumentationSamples {
  // MARK: GettingStarted

  static func begin() throws {
    RunAnywhereSherpa.register()
    RunAnywhereHibari.register()
    RunAnywhereLlama.register()
    try RunAnywhere.initialize()
  }

  static func talk() async throws {
    let device = DuplexDevice(processor: try VoiceProcessor())
    let session = try await RunAnywhere.voice.createSession(
      stt: "sherpa-onnx-whisper-tiny.en", llm: "smollm2-135m-instruct-q4_1", tts: "hibari-heart",
      devices: VoiceDevices(microphone: device, sink: device))
    try session.start()
    for try await event in session.events {
      show(event)
    }
    await session.close()
  }

  static func answer(_ question: AudioClip, _ engines: VoiceEngines) async throws -> AudioClip {
    let sink = RecordingSink()
    let session = RunAnywhere.voice.createSession(
      engines: engines, devices: VoiceDevices(microphone: FileMicrophone(question), sink: sink))
    try session.start()
    for try await event in session.events {
      if event == .agentStateChanged(.listening), session.history.last?.role == .assistant { break }
    }
    await session.close()
    return sink.recording(sampleRate: 24_000)
  }

  // MARK: VoiceSessions

  static func show(_ event: VoiceEvent) {
    switch event {
    case .userTranscribed(let text, let isFinal): MyApp.show(isFinal ? text : text + "…")
    case .agentResponse(let text): MyApp.show(text)
    case .agentStateChanged(let state): MyApp.show("\(state)")
    case .speechStarted, .speechEnded: break
    case .error(let message, _): MyApp.show(message)
    }
  }

  static func control(_ session: VoiceSession) async throws {
    try await session.say("We close in ten minutes.")
    await session.send(text: "What is the capital of France?")
    session.interrupt()
    await session.respond(instructions: "Say goodbye in one sentence.")
  }

  static func measure(_ session: VoiceSession) async {
    for await diagnostic in session.diagnostics {
      if case .turn(let metrics) = diagnostic { MyApp.show("\(Int(metrics.firstAudioMs)) ms") }
    }
  }

  // MARK: TurnHandling

  static func patient(_ session: VoiceSession) async {
    var turns = TurnHandlingOptions()
    turns.endpointing = Endpointing(minDelayMs: 700, maxDelayMs: 4000)
    turns.interruption = Interruption(enabled: true, minDurationMs: 300)
    await session.update(turnHandling: turns)
  }

  // MARK: Engines

  static func server(stt: any SttEngine, tts: any TtsEngine, vad: any VadEngine) throws -> VoiceEngines {
    let llm = try HTTPLanguageModel("http://127.0.0.1:11434/v1#llama3.2")
    let engines = VoiceEngines(vad: vad, stt: stt, llm: llm, tts: tts)
    return engines
  }

  static func load() async throws -> SynthesizedSpeech? {
    let voice = try await RunAnywhere.models.load("hibari-heart")
    guard case .tts(let engine) = voice.engine else { return nil }
    return try await engine.synthesize("Hello, I am Luna.", options: TtsOptions())
  }

  static func fetch(_ id: String) async throws {
    for try await event in RunAnywhere.models.download(id) {
      if case .progress(let progress) = event { MyApp.show("\(Int(progress.fraction * 100)) %") }
    }
  }

  // MARK: Devices

  static func devices() throws -> [String] {
    let names = try AudioDevice.list().filter { $0.kind == .microphone }.map(\.name)
    return names
  }

  static func headset() throws -> DuplexDevice {
    let device = DuplexDevice(DuplexDevice.Options(microphone: "Headset"), processor: try VoiceProcessor())
    try device.open()
    return device
  }

  static func socket(_ session: VoiceSession, microphone: PushMicrophone, packet: [Float]) throws {
    try session.start()
    microphone.push(packet, sampleRate: 16_000)
  }
}

@Suite("The samples of the documentation's articles")
struct DocumentationSampleTests {
  @Test("events are shown as an app would")
  func events() {
    DocumentationSamples.show(.userTranscribed(text: "hel", isFinal: false))
    DocumentationSamples.show(.agentStateChanged(.speaking))
    #expect(MyApp.shown.withLock { $0 } == ["hel…", "speaking"])
  }

  @Test("a language model behind an address takes its place among the engines")
  func engines() async throws {
    let engines = try DocumentationSamples.server(
      stt: try await TestModels.recognizer.value, tts: try await TestModels.voice.value,
      vad: try await TestModels.loadVad())
    let model = try #require(engines.llm as? HTTPLanguageModel)
    #expect(model.base == "http://127.0.0.1:11434/v1")
    #expect(model.model == "llama3.2")
  }

  @Test("a question in a file is answered into a clip", .timeLimit(.minutes(5)))
  func file() async throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/question-sky.wav")
    let engines = VoiceEngines(
      vad: try await TestModels.loadVad(), stt: try await TestModels.recognizer.value,
      llm: try await TestModels.loadLlm(), tts: try await TestModels.voice.value)
    let clip = try await DocumentationSamples.answer(try WAV.decode([UInt8](Data(contentsOf: url))), engines)
    #expect(clip.sampleRate == 24_000)
    #expect(clip.samples.contains { abs($0) > 0.1 })
  }
}
