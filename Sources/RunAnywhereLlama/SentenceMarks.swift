/// Marks at the ends of sentences, of many scripts.
enum SentenceMarks {
  private static let closing: Set<Character> = [".", "?", "!", "。", "？", "！", "।", "؟", "۔"]

  /// Whether the text begins with a mark that ends a sentence.
  static func begin(_ text: String) -> Bool { text.first.map { closing.contains($0) } ?? false }

  /// The text without the marks and spaces behind its last word.
  static func removed(from text: String) -> String {
    var text = Substring(text)
    while let last = text.last, last.isWhitespace || last.isPunctuation { text.removeLast() }
    return String(text)
  }
}
