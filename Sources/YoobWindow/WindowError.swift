import Foundation

/// Why there is no window.
public enum WindowError: Error, Sendable, Equatable, LocalizedError {
  /// The program was built without the trait `Window`, or not for Linux.
  case notBuilt
  /// This session has no display.
  case noDisplay
  /// The program shows a window already; SDL has one.
  case busy
  /// The character cannot be shown, or SDL failed, in its own words.
  case failed(String)

  /// One or two sentences for the user.
  public var errorDescription: String? {
    switch self {
    case .notBuilt: "This build has no window. Build it with the trait Window, which is on by default."
    case .noDisplay:
      "No display was found. Run it in a desktop session, where DISPLAY or WAYLAND_DISPLAY is set."
    case .busy: "This program shows a window already. Close that one first."
    case .failed(let reason): "The window could not be opened: \(reason)."
    }
  }
}
