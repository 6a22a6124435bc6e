/// What both sides said last, for as long as it takes to read it.
struct CaptionBoard: Sendable, Equatable {
  /// One side's text.
  struct Entry: Sendable, Equatable {
    var text = ""
    /// Whether no more follows.
    var isFinal = false
    /// When it last changed, in seconds.
    var time = 0.0
  }

  /// Seconds that the last words stay: at least so many, and more the longer they are.
  static let stay = 3.0
  static let stayPerCharacter = 0.02
  /// Seconds after which what was not answered goes.
  static let unanswered = 15.0
  /// Seconds in which they fade.
  static let fade = 0.5
  /// Characters of a text that are kept, the last ones.
  static let most = 4000

  private(set) var user = Entry()
  private(set) var character = Entry()

  /// The user says, or has said.
  mutating func takeUser(_ text: String, isFinal: Bool, at time: Double) {
    // What is said next is the answer to this.
    if user.isFinal || isFinal { character = Entry() }
    user = Entry(text: Self.plain(text), isFinal: isFinal, time: time)
  }

  /// All that was heard of her utterance so far.
  mutating func takeCharacter(_ text: String, isFinal: Bool, at time: Double) {
    character = Entry(text: Self.plain(text), isFinal: isFinal, time: time)
  }

  /// How visible the captions are, 0...1.
  func opacity(at time: Double) -> Double {
    let end: Double
    if character.text.isEmpty {
      guard !user.text.isEmpty else { return 0 }
      end = user.time + Self.unanswered
    } else {
      let reading = Self.stayPerCharacter * Double(min(200, character.text.count))
      end = character.isFinal ? character.time + Self.stay + reading : .infinity
    }
    return min(1, max(0, (end - time) / Self.fade))
  }

  /// One line of text without what cannot be drawn.
  private static func plain(_ text: String) -> String {
    let words = text.split { character in
      character.isWhitespace
        || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    }
    return String(words.joined(separator: " ").suffix(most))
  }
}
