import Testing

@testable import YoobWindow

@Suite struct WindowActionTests {
  @Test(arguments: [
    (0x1B, WindowAction.close), (0x20, .interrupt), (0x6D, .toggleMute), (0x66, .toggleFullScreen),
    (0x4000_0044, .toggleFullScreen), (0x68, .toggleHelp), (0x4000_003A, .toggleHelp), (0x3F, .toggleHelp),
  ] as [(Int32, WindowAction)])
  func `every key has its action`(key: Int32, action: WindowAction) {
    #expect(WindowAction(key: key) == action)
  }

  @Test(arguments: [0x61, 0x0D, 0x09, 0x4000_004F, -1, 0xD800, 0x7FFF_FFFF] as [Int32])
  func `other keys do nothing`(key: Int32) {
    #expect(WindowAction(key: key) == nil)
  }

  @Test func `a slash asks for help only where it is a question mark`() {
    #expect(WindowAction(key: 0x2F, isShifted: true) == .toggleHelp)
    #expect(WindowAction(key: 0x2F) == nil)
  }

  @Test func `keys with Ctrl, Alt or Super belong to the desktop`() {
    #expect(WindowAction(key: 0x6D, isModified: true) == nil)
    #expect(WindowAction(key: 0x1B, isModified: true) == nil)
  }

  @Test func `Esc leaves full screen before it ends the conversation`() {
    #expect(WindowAction(key: 0x1B, isFullScreen: true) == .toggleFullScreen)
  }
}
