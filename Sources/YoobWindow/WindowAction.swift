/// What the person at the window asks for.
public enum WindowAction: Sendable, Equatable {
  /// The end: Esc, or the window was closed.
  case close
  /// She is to stop speaking: the space bar.
  case interrupt
  /// The microphone is to be muted, or to be heard again: M.
  case toggleMute
  /// The whole screen or a window: F, F11. The window does this itself.
  case toggleFullScreen
  /// The list of keys: H, F1 or a question mark. The window does this itself.
  case toggleHelp

  /// Keys that are no letters, as SDL numbers them.
  private enum Key {
    static let escape: Int32 = 0x1B
    static let f1: Int32 = 0x4000_003A
    static let f11: Int32 = 0x4000_0044
  }

  /// The action of a key, nil for those that have none.
  ///
  /// `key` is an SDL key code, which for a key that writes a character is that character unshifted. In full
  /// screen Esc goes back to the window, as everywhere; a key with Ctrl, Alt or Super belongs to the desktop.
  init?(key: Int32, isShifted: Bool = false, isModified: Bool = false, isFullScreen: Bool = false) {
    guard !isModified else { return nil }
    switch key {
    case Key.escape: self = isFullScreen ? .toggleFullScreen : .close
    case Key.f11: self = .toggleFullScreen
    case Key.f1: self = .toggleHelp
    default:
      guard let scalar = UInt32(exactly: key).flatMap(Unicode.Scalar.init) else { return nil }
      switch Character(scalar) {
      case " ": self = .interrupt
      case "m": self = .toggleMute
      case "f": self = .toggleFullScreen
      // Where / and ? share a key.
      case "h", "?": self = .toggleHelp
      case "/" where isShifted: self = .toggleHelp
      default: return nil
      }
    }
  }

  /// The keys and what they do, as the window lists them.
  static let help: [(key: String, text: String)] = [
    ("Space", "stops her"),
    ("M", "mutes the microphone"),
    ("F", "full screen"),
    ("H", "this list"),
    ("Esc", "ends the conversation"),
  ]
}
