import Testing

@testable import YoobWindow

@Suite struct WindowActionTests {
  @Test(arguments: [
    (0x1B, WindowAction.close), (0x20, .interrupt), (0x6D, .toggleMute), (0x66, .toggleFullScreen),
    (0x4000_0044, .toggleFullScreen), (0x68, .toggleHelp), (0x4000_003A, .toggleHelp), (0x3F, .toggleHelp),
  ] as [(Int32, WindowAction)])
  func everyKeyHasItsAction(key: Int32, action: WindowAction) {
    #expect(WindowAction(key: key) == action)
  }
}
