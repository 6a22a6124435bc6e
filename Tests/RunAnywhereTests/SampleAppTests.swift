import RunAnywhere
import Testing
import VoiceIO
import YoobTesting

/// An app's use of a session, as documented, without its views.
@MainActor
final class VoiceAssistant {
  enum SessionState: Equatable {
    case disconnected, connecting, listening, processing, speaking
    case error(String)
  }

  private(set) var state: SessionState = .disconnected
  private(set) var transcript = ""
  private(set) var assistantResponse = ""

  private var session: VoiceSession?
  private var eventTask: Task<Void, Never>?

  func start() async {
    guard case .disconnected = state else { return }

    state = .connecting
    transcript = ""
    assistantResponse = ""

    do {
      let session = try await RunAnywhere.voice.createSession(
        stt: "sherpa-onnx-whisper-tiny.en",
        llm: "lfm2-350m-q4_k_m",
        tts: "vits-piper-en_US-lessac-medium"
      )
      self.session = session

      let events = session.events
      eventTask = Task { [weak self] in
        do {
          for try await event in events {
            await MainActor.run { self?.handle(event) }
          }
        } catch {
          await MainActor.run { self?.state = .error(error.localizedDescription) }
        }
      }

      try session.start()
      state = .listening
    } catch {
      state = .error(error.localizedDescription)
    }
  }

  func stop() async {
    eventTask?.cancel()
    eventTask = nil
    state = .disconnected

    let closing = session
    session = nil
    await closing?.close()
  }

  func interrupt() {
    session?.interrupt()
  }

  func handle(_ event: VoiceEvent) {
    switch event {
    case .agentStateChanged(let agentState):
      switch agentState {
      case .listening: state = .listening
      case .thinking: state = .processing
      case .speaking: state = .speaking
      }

    case .userTranscribed(let text, let isFinal):
      transcript = text
      if isFinal { assistantResponse = "" }

    case .agentResponse(let text):
      assistantResponse += text

    case .speechStarted:
      state = .listening

    case .speechEnded:
      state = .processing

    case .error(let message, let recoverable):
      if !recoverable { state = .error(message) }
    }
  }
}

@Suite("The documented app, and the product's start", .serialized)
struct SampleAppTests {
  private struct Loader: EngineLoading {
    let clock: ManualClock

    func loadEngine(_ id: String, downloadIfNeeded: Bool) async throws -> LoadedEngine {
      switch id {
      case "silero-vad": return .vad(ScriptedVad())
      case "sherpa-onnx-whisper-tiny.en": return .stt(ScriptedStt([:], clock: clock))
      case "lfm2-350m-q4_k_m": return .llm(ScriptedLlm(clock: clock) { _ in "Hi." })
      case "vits-piper-en_US-lessac-medium": return .tts(ScriptedTts(clock: clock))
      default: throw SDKException(.modelNotFound, category: .model, "There is no model \(id).")
      }
    }
  }

  private func reset() async {
    await RunAnywhere.reset()
    RunAnywhere.setEngineLoader(nil)
    VoiceDevices.setStandard(nil)
  }

  @Test("the app shows the states of a conversation")
  @MainActor
  func states() {
    let app = VoiceAssistant()
    let events: [VoiceEvent] = [
      .agentStateChanged(.listening), .speechStarted, .userTranscribed(text: "hel", isFinal: false),
      .speechEnded, .userTranscribed(text: "hello", isFinal: true), .agentStateChanged(.thinking),
      .agentResponse(text: "Hi "), .agentStateChanged(.speaking), .agentResponse(text: "you."),
    ]
    for event in events { app.handle(event) }
    #expect(app.state == .speaking)
    #expect(app.transcript == "hello")
    #expect(app.assistantResponse == "Hi you.")
  }

  @Test("the app runs on models that are loaded by their ids")
  @MainActor
  func appRuns() async throws {
    let clock = ManualClock()
    RunAnywhere.setEngineLoader(Loader(clock: clock))
    VoiceDevices.setStandard {
      VoiceDevices(
        microphone: PushMicrophone(), sink: RecordingSink(clock: clock), clock: clock)
    }
    try RunAnywhere.initialize()
    let app = VoiceAssistant()
    await app.start()
    #expect(app.state == .listening)
    await app.stop()
    #expect(app.state == .disconnected)
    await reset()
  }

  @Test("before initialize a session is refused")
  func notInitialized() async {
    let error = await #expect(throws: SDKException.self) {
      _ = try await RunAnywhere.voice.createSession(stt: "a", llm: "b", tts: "c")
    }
    #expect(error?.code == .notInitialized)
  }

  @Test("initialize works once, and again after a reset, which closes sessions")
  func initializeTwice() async throws {
    try RunAnywhere.initialize(apiKey: nil, environment: .development)
    #expect(RunAnywhere.isInitialized)
    let error = #expect(throws: SDKException.self) { try RunAnywhere.initialize() }
    #expect(error?.code == .alreadyInitialized)
    await reset()
    #expect(!RunAnywhere.isInitialized)
  }

  @Test("an address without http is refused")
  func badAddress() {
    let error = #expect(throws: SDKException.self) { try RunAnywhere.initialize(baseUrl: "nonsense") }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test("an unknown model and an unknown voice are named")
  func unknownModels() async throws {
    let clock = ManualClock()
    RunAnywhere.setEngineLoader(Loader(clock: clock))
    try RunAnywhere.initialize()
    let missing = await #expect(throws: SDKException.self) {
      _ = try await RunAnywhere.voice.createSession(
        stt: "no-such-model", llm: "lfm2-350m-q4_k_m", tts: "vits-piper-en_US-lessac-medium")
    }
    #expect(missing?.code == .modelNotFound)
    let voice = await #expect(throws: SDKException.self) {
      _ = try await RunAnywhere.voice.createSession(
        stt: "sherpa-onnx-whisper-tiny.en", llm: "lfm2-350m-q4_k_m",
        tts: ModelRef(id: "vits-piper-en_US-lessac-medium", voice: "nobody"))
    }
    #expect(voice?.code == .voiceNotAvailable)
    let kind = await #expect(throws: SDKException.self) {
      _ = try await RunAnywhere.voice.createSession(
        stt: "lfm2-350m-q4_k_m", llm: "lfm2-350m-q4_k_m", tts: "vits-piper-en_US-lessac-medium")
    }
    #expect(kind?.code == .modelIncompatible)
    await reset()
  }
}
