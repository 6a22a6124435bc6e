import Testing

@testable import YoobWire

@Suite("Heard text")
struct HeardTextTests {
  private func heard(_ text: String, _ part: Double, isComplete: Bool = true) -> String {
    var caption = HeardText()
    caption.append(text)
    // A second of sound a byte: what arrived so far never limits the text.
    let received = max(1, text.utf8.count) * 24_000
    return caption.text(
      heard: Int(part * Double(received)), of: received, sampleRate: 24_000, isComplete: isComplete)
  }

  @Test(
    "a word belongs to what was heard from its half on",
    arguments: [(0.0, ""), (0.1, ""), (0.2, "four"), (0.6, "four"), (0.7, "four five!"), (1.0, "four five!")])
  func words(part: Double, text: String) {
    #expect(heard("four five!", part) == text)
  }

  @Test("text without spaces is cut between characters")
  func noSpaces() {
    let text = String(repeating: "你好😀", count: 20)
    for step in 0...100 {
      let part = heard(text, Double(step) / 100)
      #expect(text.hasPrefix(part))
    }
    #expect(heard(text, 0.5).count == 30)
  }

  @Test("what was shown is never taken back by more sound that arrives")
  func monotonic() {
    var caption = HeardText()
    caption.append("one two")
    let first = caption.advance(heard: 24_000, of: 24_000, sampleRate: 24_000, isComplete: false)
    #expect(first == "one two")
    caption.append(" three four five six")
    #expect(caption.advance(heard: 24_000, of: 96_000, sampleRate: 24_000, isComplete: false) == nil)
    #expect(caption.text(heard: 24_000, of: 96_000, sampleRate: 24_000, isComplete: false) == "one two")
  }

  @Test("a whole text that differs from its pieces is never shown with half a character")
  func replaced() {
    for words in 1...12 {
      var caption = HeardText()
      caption.append(String(repeating: "a ", count: 20))
      let shown = caption.advance(heard: 2 * words, of: 40, sampleRate: 1, isComplete: true) ?? ""
      caption.replace(String(repeating: "é😀", count: 10))
      let text = caption.text(heard: 0, of: 40, sampleRate: 1, isComplete: true)
      #expect(caption.text.unicodeScalars.starts(with: text.unicodeScalars))
      #expect((shown.utf8.count - 3...shown.utf8.count).contains(text.utf8.count))
    }
  }

  @Test("text and words are bounded")
  func bounds() {
    var caption = HeardText()
    for _ in 0..<100 {
      caption.append(String(repeating: "😀", count: 1000))
      caption.append([SpeechWord](repeating: SpeechWord(text: "a", startMs: 0, endMs: 1), count: 100))
    }
    #expect(caption.text.utf8.count <= HeardText.maximumBytes)
    #expect(caption.text.allSatisfy { $0 == "😀" })
    #expect(caption.words.count == HeardText.maximumWords)
  }

  @Test("words with times that are not in the text are passed over")
  func unknownWords() {
    var caption = HeardText()
    caption.append("In 1999 it rained.")
    let words = ["In", "nineteen", "ninety-nine", "it", "rained."].enumerated().map { index, word in
      SpeechWord(text: word, startMs: index * 100, endMs: index * 100 + 100)
    }
    caption.append(words)
    #expect(caption.text(heard: 9600, of: 24_000, sampleRate: 24_000, isComplete: false) == "In 1999 it")
  }

  @Test(
    "a text is cut between characters, without white space around it",
    arguments: [
      ("  ab  ", 10, "ab"), ("ab😀", 5, "ab"), ("ab😀", 6, "ab😀"), ("a b", 2, "a"), ("", 4, ""), ("é", 1, ""),
    ])
  func prefix(text: String, bytes: Int, expected: String) {
    #expect(text.trimmedPrefix(maximumBytes: bytes) == expected)
  }
}
