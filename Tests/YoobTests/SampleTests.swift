import Foundation
import Testing
import VoiceIO

@testable import Yoob

/// What an app writes, as README.md and the SDK's quick start have it.
@MainActor private enum Sample {
  static func session() async throws -> YoobCredentials {
    try JSONDecoder().decode(
      YoobCredentials.self,
      from: Data(#"{"session_token": "s", "download_token": "yg1.d", "heartbeat_seconds": 15}"#.utf8))
  }

  static func voiceSession() async throws -> YoobVoiceSession {
    try JSONDecoder().decode(
      YoobVoiceSession.self,
      from: Data(#"{"voice_token": "yv1.t", "url": "wss://voice.example.org/v1/realtime?model=m"}"#.utf8))
  }

  static func cloud() -> YoobAvatar {
    YoobAvatar(.cloud(character: "luna-anime") { try await session() })
  }

  static func talk(_ avatar: YoobAvatar, _ chunk: Data) async throws -> Int {
    try await avatar.prepare()
    try avatar.speak(pcm: chunk, sampleRate: 24_000)
    avatar.endSpeech()
    let heard = avatar.interrupt()
    await avatar.close()
    return heard
  }

  static func converse(_ avatar: YoobAvatar) -> YoobConversation {
    var options = YoobConversation.Options()
    options.greet = true
    return YoobConversation(avatar: avatar, options: options) { try await voiceSession() }
  }

  static func plainConversation(_ avatar: YoobAvatar) -> YoobConversation {
    YoobConversation(avatar: avatar) { try await voiceSession() }
  }

  static func greet(_ avatar: YoobAvatar) async throws -> YoobConversation.State {
    var options = YoobConversation.Options()
    options.voice = "marin"
    options.instructions = "You are Luna, a warm, curious companion."
    options.greet = true
    let conversation = YoobConversation(avatar: avatar, options: options) {
      try await clientSecret()
    }
    try await conversation.start()
    let state = conversation.state
    _ = (conversation.userTranscript, conversation.assistantTranscript)
    conversation.send(text: "Tell me a story")
    conversation.stop()
    return state
  }

  static func gemini(_ avatar: YoobAvatar) async throws -> YoobGeminiConversation {
    var options = YoobGeminiConversation.Options()
    options.voice = "Kore"
    options.systemInstruction = "You are Luna, a warm, curious companion."
    options.greet = true
    let conversation = YoobGeminiConversation(avatar: avatar, options: options) {
      try await geminiToken()
    }
    try await conversation.start()
    return conversation
  }

  static func listen(_ avatar: YoobAvatar, _ take: @escaping @Sendable (Data) -> Void) async throws -> [Float]
  {
    let mic = avatar.microphone
    try await mic.start()
    for input in mic.inputs.prefix(1) { try mic.select(inputID: input.id) }
    mic.setMuted(true)
    let level = mic.level
    if case .failed(let error) = mic.state { throw error }
    mic.onAudio = { pcm in take(pcm) }
    mic.stop()
    return [level]
  }

  static func clientSecret() async throws -> String { "ek_1" }
  static func geminiToken() async throws -> String { "auth_tokens/1" }

  static func bundled(_ url: URL) -> YoobAvatar { YoobAvatar(.local(url)) }
  static func pinned(_ source: YoobSource) -> YoobAvatar { YoobAvatar(source, version: "2026.11.30.1") }

  static func external(_ avatar: YoobAvatar, _ chunk: Data) throws {
    try avatar.appendAudio(pcm: chunk, sampleRate: 24_000)
    avatar.audioPlayed(samples: chunk.count / 2)
    avatar.endSpeech()
  }
}

@MainActor @Suite("The samples of the documentation")
struct SampleTests {
  @Test("the quick start speaks and ends")
  func quickStart() async throws {
    let bench = AvatarBench()
    #expect(try await Sample.talk(bench.avatar, AvatarBench.speech(0.5)) == 0)
    #expect(bench.avatar.phase == .notPrepared)
  }

  @Test("speech that the app plays itself ends when all was heard")
  func external() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    try Sample.external(bench.avatar, AvatarBench.speech(0.5))
    #expect(bench.avatar.phase == .ready)
  }

  @Test("a conversation is opened, written to and stopped")
  func conversation() async throws {
    let bench = ConversationBench()
    bench.sockets.onOpen { $0.tell(["type": "session.updated"]) }
    let avatar = bench.avatar
    let state = try await bench.finish { try await Sample.greet(avatar) }
    #expect([.listening, .thinking].contains(state))
    await bench.pass(0.5)
    #expect(bench.sockets.all.map(\.closeCode) == [1000])
    #expect(bench.running.withLock { $0 } == 0)
    #expect(avatar.microphone.state == .off)
  }

  @Test("a conversation with Gemini is opened and stopped")
  func gemini() async throws {
    let bench = ConversationBench()
    bench.sockets.onOpen { $0.tell(["setupComplete": [:]]) }
    let avatar = bench.avatar
    let conversation = try await bench.finish { try await Sample.gemini(avatar) }
    #expect([.listening, .thinking].contains(conversation.state))
    conversation.stop()
    #expect(conversation.state == .ended)
    await bench.pass(0.5)
    #expect(bench.running.withLock { $0 } == 0)
  }

  @Test("the microphone is started, chosen, muted and stopped")
  func microphone() async throws {
    let bench = ConversationBench()
    let avatar = bench.avatar
    let heard = Guarded(0)
    let level = try await bench.finish {
      try await Sample.listen(avatar) { pcm in heard.withLock { $0 += pcm.count } }
    }
    #expect(level == [0])
    #expect(avatar.microphone.state == .off)
    #expect(avatar.microphone.selectedInputID == avatar.microphone.inputs.first?.id)
    #expect(heard.withLock { $0 } == 0)
  }

  @Test("a bundled pack is prepared without a network; another version than its own is refused")
  func bundled() async throws {
    let avatar = Sample.bundled(AvatarBench.quickFolder)
    try await avatar.prepare()
    #expect(avatar.phase == .ready)
    let pinned = Sample.pinned(.local(AvatarBench.quickFolder))
    await #expect(throws: YoobError.self) { try await pinned.prepare() }
    for avatar in [avatar, pinned] { await avatar.close() }
  }

  @Test("sessions are decoded, and conversations begin idle with what the app asked for")
  func conversations() async throws {
    #expect(try await Sample.session().grant.downloadToken == "yg1.d")
    let bench = AvatarBench()
    #expect(Sample.converse(bench.avatar).state == .idle)
    #expect(Sample.plainConversation(bench.avatar).assistantTranscript == "")
    #expect(Sample.cloud().phase == .notPrepared)
  }
}
