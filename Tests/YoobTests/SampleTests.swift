import Foundation
import Testing

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

  @Test("sessions are decoded, and conversations begin idle with what the app asked for")
  func conversations() async throws {
    #expect(try await Sample.session().grant.downloadToken == "yg1.d")
    let bench = AvatarBench()
    #expect(Sample.converse(bench.avatar).state == .idle)
    #expect(Sample.plainConversation(bench.avatar).assistantTranscript == "")
    #expect(Sample.cloud().phase == .notPrepared)
  }
}
