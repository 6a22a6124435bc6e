import Testing

@testable import YoobWindow

@Suite("Keys of a window")
struct WindowActionTests {
  @Test(
    "every key has its action",
    arguments: [
      (0x1B, WindowAction.close), (0x20, .interrupt), (0x6D, .toggleMute), (0x66, .toggleFullScreen),
      (0x4000_0044, .toggleFullScreen), (0x68, .toggleHelp), (0x4000_003A, .toggleHelp), (0x3F, .toggleHelp),
    ] as [(Int32, WindowAction)])
  func everyKeyHasAction(key: Int32, action: WindowAction) {
    #expect(WindowAction(key: key) == action)
  }

  @Test(
    "other keys do nothing", arguments: [0x61, 0x0D, 0x09, 0x4000_004F, -1, 0xD800, 0x7FFF_FFFF] as [Int32])
  func otherKeysDoNothing(key: Int32) {
    #expect(WindowAction(key: key) == nil)
  }

  @Test("a slash asks for help only where it is a question mark")
  func slashAsksHelpOnly() {
    #expect(WindowAction(key: 0x2F, isShifted: true) == .toggleHelp)
    #expect(WindowAction(key: 0x2F) == nil)
  }

  @Test("keys with Ctrl, Alt or Super belong to the desktop")
  func keysWithCtrlAlt() {
    #expect(WindowAction(key: 0x6D, isModified: true) == nil)
    #expect(WindowAction(key: 0x1B, isModified: true) == nil)
  }

  @Test("Esc leaves full screen before it ends the conversation")
  func escLeavesFullScreen() {
    #expect(WindowAction(key: 0x1B, isFullScreen: true) == .toggleFullScreen)
  }
}
