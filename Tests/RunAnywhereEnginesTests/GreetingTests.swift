import RunAnywhere
import Testing
import VoiceIO

@Suite("Greeting")
struct GreetingTests {
  @Test("a greeting, which no message of the user asks for, is written from the instructions")
  func greets() async throws {
    let llm = try await TestModels.loadLlm()
    let clock = MonotonicClock()
    let sink = CallbackSink(clock: clock) { _ in }
    let session = RunAnywhere.voice.createSession(
      engines: VoiceEngines(
        vad: try await TestModels.loadVad(), stt: try await TestModels.recognizer.value, llm: llm,
        tts: try await TestModels.voice.value),
      generation: LlamaEngineTests.options(maxOutputTokens: 12),
      devices: VoiceDevices(microphone: PushMicrophone(), sink: sink, clock: clock))
    try session.start()
    await session.respond(instructions: "Greet the user in three words.")
    var text = ""
    for try await event in session.events {
      switch event {
      case .agentResponse(let piece): text += piece
      case .error(let message, _): Issue.record("\(message)")
      default: break
      }
      if event == .agentStateChanged(.speaking) || event == .agentStateChanged(.listening), !text.isEmpty {
        break
      }
    }
    #expect(text.contains { $0.isLetter })
    await session.close()
  }
}
