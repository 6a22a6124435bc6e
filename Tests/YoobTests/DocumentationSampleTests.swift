import Foundation
import Testing
import VoiceIO
import Yoob

@MainActor @Suite("The samples of the documentation's articles")
struct DocumentationSampleTests {
  @Test("a spoken chunk opens an utterance, and interrupting tells what was heard")
  func speaking() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    try DocumentationSamples.say(bench.avatar, [AvatarBench.speech(0.5), AvatarBench.speech(0.5)])
    #expect(bench.avatar.phase == .speaking)
    await bench.pass(0.5)
    let heard = DocumentationSamples.interrupt(bench.avatar)
    #expect(heard > 0 && heard < 1)
    #expect(bench.avatar.phase == .ready)
  }

  @Test("an app that plays the sound itself tells how far it is")
  func external() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    let player = DocumentationSamples.Player()
    try DocumentationSamples.playItself(bench.avatar, AvatarBench.speech(0.5), player)
    #expect(bench.avatar.phase == .speaking)
    player.onProgress?(12_000)
    #expect(bench.avatar.phase == .ready)
  }

  @Test("a pinned version that the pack has not is refused")
  func pinned() async {
    let avatar = DocumentationSamples.pinned(AvatarBench.quickFolder)
    await #expect(throws: YoobError.self) { try await avatar.prepare() }
    let shown = MyApp.shown.withLock { $0 }
    DocumentationSamples.watch(avatar)
    #expect(MyApp.shown.withLock { $0 } == shown + 1)
  }

  @Test("outages, feelings and the longest delay are set as the articles write")
  func settings() async {
    let bench = AvatarBench()
    DocumentationSamples.outages(bench.avatar)
    DocumentationSamples.sync(bench.avatar)
    await DocumentationSamples.behave(bench.avatar)
    await DocumentationSamples.front(bench.avatar)
    #expect(bench.avatar.heartbeatOutageGraceSeconds == 300)
    #expect(bench.avatar.maxSyncDelay == .seconds(0.5))
    #expect(bench.avatar.emotion == .happy)
    #expect(bench.avatar.gaze == .point(x: 0.5, y: 0))
  }

  @Test("conversations of every kind begin idle")
  func conversations() async throws {
    let bench = AvatarBench()
    #expect(DocumentationSamples.provider(bench.avatar).state == .idle)
    #expect(DocumentationSamples.gemini(bench.avatar).state == .idle)
    #expect(DocumentationSamples.noisy().turnDetection == .serverVAD(threshold: 0.7))
    #expect(DocumentationSamples.cloud().phase == .notPrepared)
    let tool = try #require(DocumentationSamples.tools().tools.first)
    #expect(try await tool.handler("{}") == #"{"sky": "clear", "asked": {}}"#)
  }

  @Test("a microphone is chosen by its name, and its sound is handed on")
  func microphone() async throws {
    let bench = ConversationBench()
    try await bench.finish {
      try await DocumentationSamples.choose(bench.avatar)
      try await DocumentationSamples.listen(bench.avatar) { pcm in MyApp.show([UInt8](pcm)) }
    }
    #expect(bench.avatar.microphone.selectedInputID == "b")
    let before = MyApp.shown.withLock { $0 }
    bench.microphone.hear(0.1)
    #expect(MyApp.shown.withLock { $0 } > before)
    bench.avatar.microphone.stop()
  }
}
