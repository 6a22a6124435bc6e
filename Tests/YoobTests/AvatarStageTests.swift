import Foundation
import Testing
import YoobFace

@testable import Yoob

@MainActor @Suite("What a view of an avatar shows")
struct AvatarStageTests {
  @Test("the poster covers the face until it was drawn, and again when the character is closed")
  func poster() async throws {
    let bench = AvatarBench()
    let stage = AvatarStage(bench.avatar)
    stage.setOnScreen(true)
    #expect(stage.showsPoster)
    #expect(!stage.hasFace)
    #expect(stage.drawing == .none)
    try await bench.avatar.prepare()
    #expect(stage.hasFace)
    #expect(stage.drawing == .graphics)
    #expect(stage.showsPoster)
    stage.drew(try #require(bench.avatar.liveFace))
    #expect(!stage.showsPoster)
    #expect(bench.avatar.stats.framesShown == 1)
    await bench.avatar.close()
    #expect(stage.showsPoster)
    #expect(stage.drawing == .none)
    try await bench.avatar.prepare()
    // Another face is not drawn yet.
    #expect(stage.showsPoster)
  }

  @Test("nothing is drawn off the screen and in the background")
  func pausing() async throws {
    let bench = AvatarBench()
    let stage = AvatarStage(bench.avatar)
    try await bench.avatar.prepare()
    #expect(stage.drawing == .none)
    stage.setOnScreen(true)
    #expect(stage.drawing == .graphics)
    stage.setInForeground(false)
    #expect(stage.drawing == .none)
    stage.setInForeground(true)
    #expect(stage.drawing == .graphics)
    stage.setOnScreen(false)
    #expect(stage.drawing == .none)
  }

  @Test("where the graphics device fails, the processor draws, and the avatar says why")
  func lostDevice() async throws {
    let bench = AvatarBench()
    let stage = AvatarStage(bench.avatar)
    stage.setOnScreen(true)
    try await bench.avatar.prepare()
    #expect(bench.avatar.lastRendererError == nil)
    stage.graphicsFailed("this device has no Metal")
    #expect(stage.drawing == .processor)
    #expect(stage.usesProcessor)
    #expect(bench.avatar.lastRendererError?.contains("no Metal") == true)
    #expect(bench.avatar.phase == .ready)
  }

  @Test("the processor's frames of a view fill it: a wide one shows the scene beside the canvas")
  func processorFrames() async throws {
    let bench = AvatarBench()
    #expect(throws: YoobError.self) {
      try bench.avatar.viewFrames(width: 120, height: 60, fit: .fill, rate: 25)
    }
    try await bench.avatar.prepare()
    let face = try #require(bench.avatar.liveFace)
    let filled = try FrameSource(face.character, width: 120, height: 60, fit: .fill)
      .frame(at: 0, playhead: nil)
    let whole = try FrameSource(face.character, width: 120, height: 60, fit: .fit)
      .frame(at: 0, playhead: nil)
    func alpha(_ frame: YoobFrame, _ x: Int) -> UInt8 { frame.rgba[(30 * 120 + x) * 4 + 3] }
    // The scene's own edge is soft in a picture this small.
    #expect((12..<108).allSatisfy { alpha(filled, $0) == 255 })
    #expect(alpha(whole, 12) == 0)
    #expect(alpha(whole, 107) == 0)
    #expect(alpha(whole, 60) == 255)
    var frames = try bench.avatar.viewFrames(width: 12, height: 6, fit: .fill, rate: 25).makeAsyncIterator()
    await bench.pass(0.1)
    #expect(await frames.next()?.rgba.count == 12 * 6 * 4)
  }

  @Test("motion is reduced when it is asked for, before and after the character is there")
  func motion() async throws {
    let bench = AvatarBench()
    bench.avatar.reducesMotion = true
    bench.avatar.movesWithSpeech = false
    try await bench.avatar.prepare()
    let face = try #require(bench.avatar.liveFace)
    #expect(face.read { $0.calm && !$0.movesWithSpeech })
    bench.avatar.reducesMotion = false
    bench.avatar.movesWithSpeech = true
    #expect(face.read { !$0.calm && $0.movesWithSpeech })
  }

  @Test("speech is shown while it is heard")
  func speech() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    #expect(!bench.avatar.isShowingSpeech)
    try bench.avatar.speak(pcm: AvatarBench.speech(0.5))
    bench.avatar.endSpeech()
    await bench.pass(0.2)
    #expect(bench.avatar.isShowingSpeech)
    await bench.pass(0.6)
    #expect(!bench.avatar.isShowingSpeech)
    #expect(bench.avatar.idleFramesPerSecond == 8)
  }

  @Test("the poster lies where the live face will be in a tall view")
  func canvas() async throws {
    let bench = AvatarBench()
    let before = bench.avatar.canvas().layout(width: 390, height: 844, fit: .fill).figure
    try await bench.avatar.prepare()
    let after = bench.avatar.canvas().layout(width: 390, height: 844, fit: .fill).figure
    #expect(before == after)
  }
}
