import RunAnywhere
import Testing
import VoiceAudio
import VoiceIO
import YoobTesting
import YoobWire

@testable import YoobLocalVoice

@Suite("Local voice agent")
struct LocalVoiceAgentTests {
  private let stt = ScriptedStt(["A": "what time is it"], clock: MonotonicClock())
  private let llm = ScriptedLlm(clock: MonotonicClock()) { _ in "It is noon." }
  private let tts = ScriptedTts(
    millisecondsPerWord: 60, sampleRate: 24_000, pitch: 210, clock: MonotonicClock())

  private func agent(_ change: (inout SpeechAgentConfiguration) -> Void = { _ in }) -> LocalVoiceAgent {
    var configuration = SpeechAgentConfiguration()
    change(&configuration)
    return LocalVoiceAgent(
      engines: VoiceEngines(vad: ScriptedVad(), stt: stt, llm: llm, tts: tts), configuration: configuration,
      visemes: { _, _, _ in [[1]] })
  }

  /// The events up to the end of the first reply.
  private func reply(of agent: LocalVoiceAgent) async -> [SpeechAgentEvent] {
    var events: [SpeechAgentEvent] = []
    for await event in agent.events {
      events.append(event)
      if case .responseFinished = event { break }
    }
    return events
  }

  /// A second of the scripted utterance A: its level without the alternation, which no resampler
  /// would let through.
  private var second: [UInt8] {
    PCM16.encode([Float](repeating: ScriptedSound.level(of: "A"), count: 24_000))
  }

  @Test("a typed message is answered with text, sound, words, mouth frames and melody")
  func typed() async throws {
    let agent = agent {
      $0.wantsVisemes = true
      $0.wantsWords = true
      $0.wantsProsody = true
    }
    try await agent.start()
    await agent.send(text: "hello")
    let events = await reply(of: agent)
    #expect(events.first == .responseStarted(responseID: "reply1"))
    #expect(events.last == .responseFinished(responseID: "reply1", status: .completed))
    let text = events.reduce("") { if case .responseText(_, let text) = $1 { $0 + text } else { $0 } }
    #expect(text == "It is noon.")
    let bytes = events.reduce(0) { if case .responseAudio(_, let pcm) = $1 { $0 + pcm.count } else { $0 } }
    #expect(bytes == 3 * 60 * 48)
    #expect(events.contains(.responseVisemes(responseID: "reply1", startMs: 0, rate: 100, frames: [[1]])))
    #expect(
      events.contains(
        .responseProsody(
          responseID: "reply1", startMs: 0, rate: 50, pitch: [Float](repeating: 210, count: 9),
          marks: [Int](repeating: 0, count: 9))))
    #expect(events.contains { if case .responseWords = $0 { true } else { false } })
    #expect(!events.contains { if case .userTranscript = $0 { true } else { false } })
    await agent.close()
  }

  @Test("what was said before the agent took part is known from the next reply on")
  func remembered() async throws {
    let given = Guarded<[ChatMessage]>([])
    let llm = ScriptedLlm(clock: MonotonicClock()) { messages in
      given.withLock { $0 = messages }
      return "You are Ada."
    }
    let agent = LocalVoiceAgent(
      engines: VoiceEngines(vad: ScriptedVad(), stt: stt, llm: llm, tts: tts),
      configuration: SpeechAgentConfiguration())
    try await agent.start()
    await agent.remember([
      SpeechAgentMessage(.user, "My name is Ada."), SpeechAgentMessage(.assistant, "Hello Ada."),
      SpeechAgentMessage(.user, ""),
    ])
    await agent.send(text: "Who am I?")
    _ = await reply(of: agent)
    #expect(
      given.withLock { $0 }.filter { $0.role != .system } == [
        ChatMessage(role: .user, content: "My name is Ada."),
        ChatMessage(role: .assistant, content: "Hello Ada."), ChatMessage(role: .user, content: "Who am I?"),
      ])
    await agent.close()
  }

  @Test("words, mouth frames and melody that nobody asked for are not made")
  func unasked() async throws {
    let agent = agent()
    try await agent.start()
    await agent.send(text: "hello")
    let events = await reply(of: agent)
    #expect(!events.contains { if case .responseVisemes = $0 { true } else { false } })
    #expect(!events.contains { if case .responseWords = $0 { true } else { false } })
    #expect(!events.contains { if case .responseProsody = $0 { true } else { false } })
    await agent.close()
  }

  @Test("a turn that the client ends is transcribed, and answered when asked")
  func manualTurn() async throws {
    let agent = agent { $0.detectsTurns = false }
    try await agent.start()
    agent.appendAudio(second)
    await agent.commitAudio()
    await agent.respond(instructions: nil)
    let events = await reply(of: agent)
    guard case .userTranscript(let text, true) = events.first else {
      Issue.record("no transcript: \(events)")
      return
    }
    #expect(text == "what time is it")
    #expect(llm.calls.last?.last == ChatMessage(role: .user, content: text))
    #expect(events.last == .responseFinished(responseID: "reply1", status: .completed))
    await agent.close()
  }

  @Test("sound that was cleared is not transcribed")
  func cleared() async throws {
    let agent = agent { $0.detectsTurns = false }
    agent.appendAudio(second)
    await agent.clearAudio()
    await agent.commitAudio()
    #expect(stt.calls == [[]])
    await agent.close()
  }

  @Test("the client's interruption ends the reply")
  func interruption() async throws {
    let agent = agent()
    try await agent.start()
    await agent.send(text: "hello")
    for await event in agent.events {
      if case .responseAudio = event { break }
    }
    await agent.interrupt(heardMs: 0)
    let events = await reply(of: agent)
    #expect(
      events.last == .responseFinished(responseID: "reply1", status: .cancelled(reason: "client_cancelled")))
    await agent.close()
  }

  @Test("the instructions reach the language model, changed ones too")
  func instructions() async throws {
    let agent = agent { $0.instructions = "Be kind." }
    try await agent.start()
    await agent.send(text: "hello")
    _ = await reply(of: agent)
    #expect(llm.calls.last?.first == ChatMessage(role: .system, content: "Be kind."))
    var configuration = SpeechAgentConfiguration()
    configuration.instructions = "Be brief."
    configuration.maxOutputTokens = 2
    await agent.configure(configuration)
    await agent.send(text: "again")
    _ = await reply(of: agent)
    #expect(llm.calls.last?.first == ChatMessage(role: .system, content: "Be brief."))
    #expect(llm.options?.maxOutputTokens == 2)
    await agent.close()
  }

  @Test("a voice that is not there is told, and the conversation goes on")
  func unknownVoice() async throws {
    let agent = agent()
    try await agent.start()
    var configuration = SpeechAgentConfiguration()
    configuration.voice = "nobody"
    await agent.configure(configuration)
    await agent.send(text: "hello")
    let events = await reply(of: agent)
    guard case .error("voice_not_available", let message, false) = events.first else {
      Issue.record("no error: \(events)")
      return
    }
    #expect(message.contains("scripted"))
    await agent.close()
  }

  @Test("closing ends the events, twice does no harm")
  func closing() async throws {
    let agent = agent()
    try await agent.start()
    await agent.close()
    await agent.close()
    var events: [SpeechAgentEvent] = []
    for await event in agent.events { events.append(event) }
    #expect(!events.contains { if case .error = $0 { true } else { false } })
  }
}
