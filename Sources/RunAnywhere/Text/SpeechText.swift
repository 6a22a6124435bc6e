/// A clause made ready for a voice, with the way back from spoken to written words.
///
/// ```swift
/// SpeechText("**Dr.** Lee pays $5 at 7:30 😀").text
/// // "Doctor Lee pays five dollars at seven thirty"
/// ```
public struct SpeechText: Sendable, Equatable {
  /// A word for the voice.
  public struct Word: Sendable, Equatable {
    /// As the voice is to say it, such as "five".
    public var text: String
    /// Index in `written` of the word that it comes from.
    public var source: Int
  }

  /// Written words with the white space before each; joined they are the clause.
  public let written: [String]
  /// Spoken words in order.
  public let words: [Word]
  /// What the voice is given; empty when nothing in the clause can be spoken.
  public var text: String { words.map(\.text).joined(separator: " ") }

  /// Prepares one clause as `ClauseSplitter` cut it. Markup, emoji, addresses and code are removed
  /// or read sensibly; in English also numbers, times, money, units and abbreviations become words.
  public init(_ clause: String, language: String = "en-US") {
    written = Self.writtenWords(clause)
    let isEnglish = language.lowercased().hasPrefix("en")
    let marked = Markup(written: written, isEnglish: isEnglish).words
    let spoken = isEnglish ? SpeechReader(marked).read() : marked
    words = spoken.filter { $0.text.contains(where: { $0.isLetter || $0.isNumber }) }
  }

  /// Cuts before each run of white space.
  static func writtenWords(_ text: String) -> [String] {
    var words: [String.UnicodeScalarView] = []
    var hasBody = true
    for scalar in text.unicodeScalars {
      let isSpace = scalar.properties.isWhitespace
      if words.isEmpty || (isSpace && hasBody) {
        words.append(String.UnicodeScalarView())
        hasBody = false
      }
      if !isSpace { hasBody = true }
      words[words.count - 1].append(scalar)
    }
    return words.map(String.init)
  }
}
