import Foundation
import Testing
import VoiceIO

@testable import Yoob
@testable import YoobFace

@MainActor @Suite("An avatar's life")
struct LifeTests {
  @Test("it shows its poster, warms up and is ready; a second call waits for the first")
  func prepares() async throws {
    let bench = AvatarBench()
    #expect(bench.avatar.phase == .notPrepared)
    #expect(bench.avatar.aspectRatio == 9.0 / 16)
    async let first: Void = bench.avatar.prepare()
    async let second: Void = bench.avatar.prepare()
    _ = try await (first, second)
    #expect(bench.avatar.phase == .ready)
    #expect(bench.avatar.manifest?.displayName == "Luna")
    #expect(bench.avatar.character == "luna-anime")
    #expect(bench.avatar.posterData?.prefix(2) == [0xFF, 0xD8])
    try await bench.avatar.prepare()
    #expect(bench.avatar.phase == .ready)
  }

  @Test("a feeling keeps its strength over the loading, and one that was to pass is gone after a close")
  func feelings() async throws {
    let bench = AvatarBench()
    bench.avatar.setEmotion(.happy, intensity: 0.25)
    try await bench.avatar.prepare()
    #expect(bench.avatar.emotionIntensity == 0.25)
    var strength: Float = 0
    bench.avatar.loaded?.face.change { strength = $0.motion.intensity }
    #expect(strength == 0.25)
    bench.avatar.setEmotion(.sad, duration: 5)
    await bench.avatar.close()
    #expect(bench.avatar.emotion == .neutral)
    bench.avatar.setEmotion(.angry)
    try await bench.avatar.prepare()
    #expect(bench.avatar.emotion == .angry)
  }

  @Test("every error is whole sentences that end once")
  func texts() {
    let errors: [YoobError] = [
      .unauthorized, .outOfCredit, .network("the server is away."), .network("it timed out"),
      .invalidAssets("mouth.bin is damaged. Download it again."), .unsupported("there is no such character"),
      .invalidAudio("half a sample"), .renderer("there is no microphone here"),
      .permissionDenied("\(AudioDeviceError.notPermitted)"), .sessionEnded("unreachable"),
      .voiceSession(code: 4001, message: "Refused."),
    ]
    for error in errors {
      let text = error.localizedDescription
      #expect(!text.contains(".."), "\(text)")
      #expect(text.first?.isUppercase == true, "\(text)")
      #expect(text.hasSuffix(".") || text.hasSuffix(")"), "\(text)")
    }
    #expect(
      YoobError.renderer("there is no microphone here").localizedDescription == "There is no microphone here."
    )
  }

  @Test("a wrong version, a missing folder and a damaged file are refused, and another try may succeed")
  func refusals() async throws {
    let wrong = AvatarBench(version: "2020.01.01.1")
    await #expect(throws: YoobError.self) { try await wrong.avatar.prepare() }
    guard case .failed(.unsupported) = wrong.avatar.phase else {
      Issue.record("\(wrong.avatar.phase)")
      return
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pack-\(UUID())")
    try FileManager.default.copyItem(at: AvatarBench.lunaFolder, to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let puppet = folder.appendingPathComponent("puppet.bin")
    let whole = try Data(contentsOf: puppet)
    var damaged = whole
    damaged[5000] ^= 1
    try damaged.write(to: puppet)
    let bench = AvatarBench(.local(folder))
    await #expect(throws: YoobError.self) { try await bench.avatar.prepare() }
    guard case .failed(.invalidAssets) = bench.avatar.phase else {
      Issue.record("\(bench.avatar.phase)")
      return
    }
    #expect(bench.avatar.lastRendererError?.contains("puppet.bin") == true)
    try whole.write(to: puppet)
    try await bench.avatar.prepare()
    #expect(bench.avatar.phase == .ready)
    #expect(bench.avatar.lastRendererError == nil)
  }

  @Test("a voice waits for the face, and no longer than maxSyncDelay")
  func holds() async throws {
    let bench = AvatarBench()
    bench.avatar.voice.pump.set(face: .coming)
    bench.avatar.maxSyncDelay = .seconds(0.7)
    try bench.avatar.speak(pcm: AvatarBench.speech(3))
    await bench.pass(0.6)
    #expect(bench.heard == 0)
    await bench.pass(0.3)
    #expect(abs((bench.speaker.segments.first?.start ?? 0) - 0.7) < 0.011)
    bench.avatar.interrupt()
    try bench.avatar.speak(pcm: AvatarBench.speech(3))
    await bench.pass(0.3)
    bench.avatar.voice.pump.set(face: .ready)
    await bench.pass(0.1)
    #expect(abs((bench.speaker.segments.last?.start ?? 0) - 1.2) < 0.011)
  }

  @Test("closing ends sound and frames, and it can be prepared again")
  func closes() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    let frames = try bench.avatar.frames(width: 90, height: 160)
    try bench.avatar.speak(pcm: AvatarBench.speech(3))
    await bench.pass(0.5)
    await bench.avatar.close()
    await bench.avatar.close()
    #expect(bench.avatar.phase == .notPrepared)
    for await _ in frames {}
    await bench.pass(4)
    #expect(bench.heard == 12_000)
    #expect(throws: YoobError.self) { try bench.avatar.frames(width: 90, height: 160) }
    try await bench.avatar.prepare()
    #expect(bench.avatar.phase == .ready)
  }

  @Test("frames and sizes out of range are refused")
  func sizes() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    for (width, height, rate) in [
      (0, 10, 30.0), (10, -1, 30), (99_999, 10, 30), (90, 160, 0), (90, 160, .nan),
    ] {
      #expect(throws: YoobError.self) {
        try bench.avatar.frames(width: width, height: height, rate: rate)
      }
    }
  }

  @Test("a gesture ends, a feeling fades after its time, and both wait for no face")
  func feels() async throws {
    let bench = AvatarBench()
    await bench.avatar.perform(.nod)
    try await bench.avatar.prepare()
    bench.avatar.setEmotion(.happy, intensity: 0.8, duration: 0.5)
    #expect(bench.avatar.emotion == .happy)
    let nod = Task { await bench.avatar.perform(.nod) }
    await bench.pass(1)
    await nod.value
    #expect(bench.avatar.emotion == .neutral)
  }
}
