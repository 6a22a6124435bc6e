/// Finds English questions that are answered by yes or no: they end in a question mark and do not begin
/// with a question word.
enum YesNoQuestions {
  private static let questionWords: Set<Substring> = [
    "what", "who", "whom", "whose", "which", "when", "where", "why", "how",
  ]

  /// The samples of each such question.
  static func find(in words: [WordTiming]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var first = 0
    for (index, word) in words.enumerated() {
      guard let end = word.text.last(where: { !"\"'”’)]*_".contains($0) }), ".!?…".contains(end) else {
        continue
      }
      let sentence = words[first...index]
      first = index + 1
      // "And what …?" asks so too.
      guard end == "?", !sentence.prefix(2).contains(where: { isQuestionWord($0.text) }),
        let start = sentence.first?.start, word.end > start
      else { continue }
      found.append(start..<word.end)
    }
    return found
  }

  private static func isQuestionWord(_ text: String) -> Bool {
    let lower = text.lowercased()
    let letters = lower.drop { !$0.isLetter }.prefix { $0.isLetter }
    return questionWords.contains(letters)
  }
}
