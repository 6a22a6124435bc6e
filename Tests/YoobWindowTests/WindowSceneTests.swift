import Testing

@testable import YoobWindow

@Suite("What a window shows beside the character")
struct WindowSceneTests {
  private var scene = WindowScene(title: "Luna", opened: 10)

  @Test("the line at the top first says how to get help")
  mutating func lineAtTopFirst() {
    #expect(scene.line(at: 11) == "H shows the keys.")
    #expect(scene.line(at: 10 + WindowScene.hintTime) == nil)
    scene.isHelpShown = true
    #expect(scene.line(at: 11) == nil)
  }

  @Test("a muted microphone is told of in the picture and in the title")
  mutating func mutedMicrophoneToldPicture() {
    scene.isMuted = true
    #expect(scene.line(at: 99) == "Microphone muted. M turns it on.")
    #expect(scene.fullTitle == "Luna (microphone muted)")
  }

  @Test("a notice goes before everything, for as long as it holds")
  mutating func noticeGoesBeforeEverything() {
    scene.isMuted = true
    (scene.notice, scene.noticeEnd) = ("The headset is gone.", 20)
    #expect(scene.line(at: 19) == "The headset is gone.")
    #expect(scene.line(at: 20) == "Microphone muted. M turns it on.")
  }
}
