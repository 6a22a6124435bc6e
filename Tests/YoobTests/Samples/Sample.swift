import Foundation
import Yoob

#if canImport(SwiftUI)
  import SwiftUI

  struct SampleScreen: View {
    @State private var avatar = YoobAvatar(
      .cloud(character: "luna-realistic") {
        try await Sample.session()
      })

    var body: some View {
      YoobAvatarView(avatar)
        .ignoresSafeArea()
        .task { try? await avatar.prepare() }
    }
  }
#endif

/// What an app writes, call by call as the quick starts of the first seed have it.
@MainActor enum Sample {
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
