// The samples of Sources/Yoob/Yoob.docc: `scripts/docs` finds each of them here, line by line.
import Foundation
import VoiceIO
import Yoob

#if canImport(SwiftUI)
  import SwiftUI

  struct CharacterScreen: View {
    @State private var avatar = YoobAvatar(.local(CharacterScreen.folder))
    private static let folder = Bundle.main.bundleURL.appendingPathComponent("luna-anime")

    var body: some View {
      YoobAvatarView(avatar)
        .task { try? await avatar.prepare() }
        .onDisappear { Task { await avatar.close() } }
    }
  }
#endif

/// What stands around the samples: an app's own server, and what it does with what it gets.
enum MyApp {
  struct Server: Sendable {
    func avatarSession() async throws -> Data {
      Data(#"{"session_token": "s", "download_token": "yg1.d", "heartbeat_seconds": 15}"#.utf8)
    }
    func voiceSession() async throws -> Data {
      Data(#"{"voice_token": "yv1.t", "url": "wss://voice.example.org/v1/realtime?model=m"}"#.utf8)
    }
    func clientSecret() async throws -> String { "ek_1" }
    func geminiToken() async throws -> String { "auth_tokens/1" }
  }
  static let server = Server()
  static func show(_ pixels: [UInt8]) { shown.withLock { $0 += pixels.isEmpty ? 0 : 1 } }
  static func show(_ text: String) { shown.withLock { $0 += text.isEmpty ? 0 : 1 } }
  /// How many things were shown.
  static let shown = Guarded(0)
}

@MainActor enum DocumentationSamples {
  // MARK: GettingStarted

  static func showFrames(folder: URL) async throws {
    let avatar = YoobAvatar(.local(folder))
    try await avatar.prepare()
    for await frame in try avatar.frames(width: 720, height: 1280, rate: 30) {
      MyApp.show(frame.rgba)  // premultiplied RGBA, rows from the top
    }
  }

  static func say(_ avatar: YoobAvatar, _ chunks: [Data]) throws {
    for chunk in chunks {
      try avatar.speak(pcm: chunk, sampleRate: 24_000)
    }
    avatar.endSpeech()
  }

  static func talk(_ avatar: YoobAvatar) async throws {
    let conversation = YoobConversation(avatar: avatar) {
      try YoobVoiceSession(json: try await MyApp.server.voiceSession())
    }
    try await conversation.start()
    // …
    conversation.stop()
  }

  // MARK: Speaking

  static func interrupt(_ avatar: YoobAvatar) -> Double {
    let samples = avatar.interrupt()
    let seconds = Double(samples) / 24_000
    return seconds
  }

  static func playItself(_ avatar: YoobAvatar, _ chunk: Data, _ player: Player) throws {
    try avatar.appendAudio(pcm: chunk, sampleRate: 24_000)
    avatar.endSpeech()
    player.onProgress = { samples in avatar.audioPlayed(samples: samples) }
  }

  final class Player {
    var onProgress: (@MainActor (Int) -> Void)?
  }

  static func sync(_ avatar: YoobAvatar) {
    avatar.maxSyncDelay = .seconds(0.5)
  }

  static func follow(_ avatar: YoobAvatar) async {
    for await caption in avatar.captions {
      MyApp.show(caption.text)
    }
  }

  static func behave(_ avatar: YoobAvatar) async {
    avatar.setEmotion(.happy, intensity: 0.8, duration: 4)
    avatar.gaze = .point(x: 0.5, y: 0)
    await avatar.perform(.nod)
  }

  // MARK: Characters

  static func cloud() -> YoobAvatar {
    YoobAvatar(
      .cloud(character: "luna-anime") {
        try YoobCredentials(json: try await MyApp.server.avatarSession())
      })
  }

  static func configure() {
    Yoob.configure(
      trustedKeys: ["studio-2026": "GxQ0Xb1o4nR9dS0zYkq1TnZ8m3h7J5v2uW6pL4eC8aI="],
      apiBase: "https://avatars.example.org", cdnBase: "https://cdn.example.org")
  }

  static func watch(_ avatar: YoobAvatar) {
    switch avatar.phase {
    case .downloading(let progress): MyApp.show("\(Int(progress.fraction * 100)) %")
    case .failed(let error), .stopped(let error): MyApp.show(error.localizedDescription)
    case .notPrepared, .warming, .ready, .speaking: break
    }
  }

  static func pinned(_ folder: URL) -> YoobAvatar {
    YoobAvatar(.local(folder), version: "2026.11.30.1")
  }

  static func clear() async throws {
    try await Yoob.clearCache()
  }

  // MARK: Sessions

  static func outages(_ avatar: YoobAvatar) {
    avatar.heartbeatOutageGraceSeconds = 300
    avatar.onHeartbeatDegraded = { reason in MyApp.show("Connection lost: \(reason)") }
    avatar.onHeartbeatRecovered = { MyApp.show("") }
    avatar.onSessionEnded = { error in MyApp.show(error.localizedDescription) }
  }

  static func front(_ avatar: YoobAvatar) async {
    await avatar.refreshSession()
  }

  // MARK: Conversations

  static func provider(_ avatar: YoobAvatar) -> YoobConversation {
    var options = YoobConversation.Options()
    options.voice = "marin"
    options.instructions = "You are Luna, a warm, curious companion."
    options.greet = true
    let conversation = YoobConversation(avatar: avatar, options: options) {
      try await MyApp.server.clientSecret()
    }
    return conversation
  }

  static func gemini(_ avatar: YoobAvatar) -> YoobGeminiConversation {
    var options = YoobGeminiConversation.Options()
    options.voice = "Kore"
    options.systemInstruction = "You are Luna, a warm, curious companion."
    let conversation = YoobGeminiConversation(avatar: avatar, options: options) {
      try await MyApp.server.geminiToken()
    }
    return conversation
  }

  static func tools() -> YoobConversation.Options {
    var options = YoobConversation.Options()
    options.tools = [
      YoobTool(
        name: "weather", description: "Tells the weather in a city.",
        parameters: #"{"type": "object", "properties": {"city": {"type": "string"}}}"#
      ) { arguments in
        #"{"sky": "clear", "asked": \#(arguments)}"#
      }
    ]
    return options
  }

  static func noisy() -> YoobConversation.Options {
    var options = YoobConversation.Options()
    options.turnDetection = .serverVAD(silenceMS: 450, threshold: 0.7, prefixPaddingMS: 300)
    return options
  }

  // MARK: Microphone

  static func listen(_ avatar: YoobAvatar, _ append: @escaping @Sendable (Data) -> Void) async throws {
    avatar.microphone.onAudio = { pcm in append(pcm) }  // 20 ms of 24 kHz mono PCM16
    try await avatar.microphone.start()
  }

  static func choose(_ avatar: YoobAvatar) async throws {
    try await avatar.microphone.refreshInputs()
    if let headset = avatar.microphone.inputs.first(where: { $0.name.contains("Headset") }) {
      try avatar.microphone.select(inputID: headset.id)
    }
  }
}
