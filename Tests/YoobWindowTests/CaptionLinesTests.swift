import Testing

@testable import YoobWindow

/// Every letter is one wide.
@Suite("Lines of captions")
struct CaptionLinesTests {
  private func last(_ most: Int, of text: String, width: Double) -> [String] {
    CaptionLines.last(most, of: text, width: width) { Double($0.count) }
  }

  @Test("a text is broken between words")
  func textBrokenBetweenWords() {
    #expect(
      last(9, of: "The dragon slept under a hill.", width: 12) == ["The dragon", "slept under", "a hill."])
  }

  @Test("of a long text the last lines are shown")
  func longTextLastLines() {
    #expect(last(2, of: "The dragon slept under a hill.", width: 12) == ["slept under", "a hill."])
  }

  @Test("lines stay as they are when words are added")
  func linesStayTheyWhen() {
    let text = "one two three four five six seven eight nine ten eleven twelve"
    let words = text.split(separator: " ")
    var before: [String] = []
    for count in 1...words.count {
      let lines = last(99, of: words.prefix(count).joined(separator: " "), width: 14)
      #expect(Array(lines.prefix(max(0, before.count - 1))) == Array(before.dropLast()))
      before = lines
    }
  }

  @Test("a word that is too long is broken anywhere")
  func wordTooLongBroken() {
    #expect(last(9, of: "see abcdefghij now", width: 4) == ["see", "abcd", "efgh", "ij", "now"])
  }

  @Test("no text has no lines, and no room takes a letter a line")
  func noTextHasNo() {
    #expect(last(3, of: " \n ", width: 10).isEmpty)
    #expect(last(0, of: "word", width: 10).isEmpty)
    #expect(last(9, of: "abc", width: 0) == ["a", "b", "c"])
  }

  @Test("a line shows the end of what is too long for it")
  func lineShowsEndWhat() {
    func end(_ text: String, _ width: Double) -> String {
      CaptionLines.end(of: text, width: width) { Double($0.count) }
    }
    #expect(end("what is the capital of France", 40) == "what is the capital of France")
    #expect(end("what is the capital of France", 14) == "… of France")
    #expect(end("abcdefghij", 5) == "…ghij")
    #expect(end("abc", 0) == "…")
  }
}
