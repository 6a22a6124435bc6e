import Foundation
import Testing
import VoiceIO

@testable import Yoob

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
