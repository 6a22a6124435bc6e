extension LlmOptions {
  private static let marks: Set<Character> = [".", "?", "!", "。", "？", "！", "।", "؟", "۔"]
  private static let closers: Set<Character> = ["\"", "”", "’", "'", ")", "*"]

  /// Whether a reply ends here, because it is long enough and a sentence is complete.
  /// - Parameters:
  ///   - text: The reply so far.
  ///   - next: What the model would write next.
  ///   - tokens: Tokens of `text`.
  package func endsReply(_ text: String, before next: String, tokens: Int) -> Bool {
    guard let softOutputTokens, tokens >= softOutputTokens, next.first?.isWhitespace == true else {
      return false
    }
    var sentence = Substring(text)
    while let last = sentence.last, Self.closers.contains(last) { sentence.removeLast() }
    guard let mark = sentence.popLast(), Self.marks.contains(mark) else { return false }
    // "1." begins an entry of a list.
    return sentence.last?.isLetter == true || mark != "."
  }
}
