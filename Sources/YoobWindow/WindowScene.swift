/// What a window shows beside the character.
struct WindowScene: Sendable, Equatable {
  /// Seconds for which the window says at first how to get help.
  static let hintTime = 6.0

  var title: String
  var captions = CaptionBoard()
  var isMuted = false
  var isHelpShown = false
  /// A line for the person who watches, and when it goes, in seconds.
  var notice: String?
  var noticeEnd = Double.infinity
  /// When the window opened.
  var opened: Double

  /// The title as the desktop shows it.
  var fullTitle: String { isMuted ? "\(title) (microphone muted)" : title }

  /// The line at the top now; nil for none.
  func line(at time: Double) -> String? {
    if let notice, time < noticeEnd { return notice }
    if isMuted { return "Microphone muted. M turns it on." }
    return !isHelpShown && time < opened + Self.hintTime ? "H shows the keys." : nil
  }
}
