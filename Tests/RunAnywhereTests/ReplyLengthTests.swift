import Testing

@testable import RunAnywhere

@Suite("Length of a reply")
struct ReplyLengthTests {
  @Test(
    "it ends behind a sentence, and nowhere else",
    arguments: [
      ("It is Paris.", " It", true), ("Is it?", "\n\n", true), ("He said \u{201c}no!\u{201d}", " Then", true),
      ("It is Paris", " now", false), ("It costs 3.", "50", false), ("Three things:\n1.", " Milk", false),
      ("It is Paris,", " which", false), ("", " It", false), ("It is Paris.", "", false),
      ("Is it 5?", " Yes", true), ("\u{4f60}\u{597d}\u{3002}", "\n", true),
    ])
  func ends(text: String, next: String, isEnd: Bool) {
    var options = LlmOptions()
    options.softOutputTokens = 10
    #expect(options.endsReply(text, before: next, tokens: 10) == isEnd)
    #expect(!options.endsReply(text, before: next, tokens: 9))
    options.softOutputTokens = nil
    #expect(!options.endsReply(text, before: next, tokens: 1000))
  }
}
