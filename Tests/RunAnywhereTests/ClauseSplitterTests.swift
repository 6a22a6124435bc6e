import RunAnywhere
import Testing
import VoiceAudio

@Suite("Clause splitter")
struct ClauseSplitterTests {
  private func clauses(_ pieces: [String]) -> [Clause] {
    var splitter = ClauseSplitter()
    return pieces.flatMap { splitter.process($0) } + splitter.finish()
  }

  private func texts(_ text: String) -> [String] {
    clauses([text]).map { $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  @Test(
    "clauses end where a person would pause",
    arguments: [
      ("Hello there. How are you?", ["Hello there.", "How are you?"]),
      ("Dr. Smith is here. He waits.", ["Dr. Smith is here.", "He waits."]),
      ("Pi is 3.14 or so. Yes.", ["Pi is 3.14 or so.", "Yes."]),
      ("We meet at 5 p.m. The end.", ["We meet at 5 p.m.", "The end."]),
      ("At 9 a.m. we go. Fine.", ["At 9 a.m. we go.", "Fine."]),
      ("Use tools, e.g. a saw. Good.", ["Use tools, e.g. a saw.", "Good."]),
      ("The U.S. Army won. Yes.", ["The U.S. Army won.", "Yes."]),
      ("He lives in the U.S. It is big.", ["He lives in the U.S.", "It is big."]),
      ("Wait... what? No.", ["Wait... what?", "No."]),
      ("She said \"Stop!\" and left. Ok.", ["She said \"Stop!\" and left.", "Ok."]),
      ("He said \"Go.\" Then he went.", ["He said \"Go.\"", "Then he went."]),
      ("1. Apples\n2. Pears", ["1. Apples", "2. Pears"]),
      ("It costs 1,000 dollars. Wow.", ["It costs 1,000 dollars.", "Wow."]),
      ("Go to St. Louis. Now.", ["Go to St. Louis.", "Now."]),
      ("See J. R. Smith. Yes.", ["See J. R. Smith.", "Yes."]),
      ("What?! Really? Yes!", ["What?!", "Really?", "Yes!"]),
      ("It is (really.) Done.", ["It is (really.)", "Done."]),
      ("Visit www.example.com. Thanks.", ["Visit www.example.com.", "Thanks."]),
      ("See p. 5 for more. Yes.", ["See p. 5 for more.", "Yes."]),
      ("J.R.R. Tolkien wrote it. Yes.", ["J.R.R. Tolkien wrote it.", "Yes."]),
      ("Is it 5 p.m.? Yes.", ["Is it 5 p.m.?", "Yes."]),
      ("No. 5 is alive. Yes.", ["No. 5 is alive.", "Yes."]),
      ("Version 2.0. Next one.", ["Version 2.0.", "Next one."]),
      ("Wait… What? “Go.” He went.", ["Wait…", "What?", "“Go.”", "He went."]),
      ("A <img alt=\"One. Two\"> cat. Yes.", ["A <img alt=\"One. Two\"> cat.", "Yes."]),
      ("If a <b. Then c. Yes.", ["If a <b.", "Then c.", "Yes."]),
      ("Mr. and Mrs. Fox came. Hi.", ["Mr. and Mrs. Fox came.", "Hi."]),
      ("これは本です。次です。", ["これは本です。", "次です。"]),
    ])
  func table(text: String, expected: [String]) {
    #expect(texts(text) == expected)
  }

  @Test("the first clause ends at a comma after three words")
  func firstComma() {
    #expect(
      texts("Well I think so, because it rains. Yes, it does.")
        == ["Well I think so,", "because it rains.", "Yes, it does."])
  }

  @Test("a comma after one word ends nothing")
  func shortComma() {
    #expect(texts("Yes, it is raining now.") == ["Yes, it is raining now."])
  }

  @Test("a long first sentence is cut before a joining word")
  func longFirst() {
    let text = "The weather over there is going to be quite nice and warm and sunny."
    #expect(
      texts(text) == ["The weather over there is going to be quite nice", "and warm and sunny."])
  }

  @Test("code between fences is one clause of its own")
  func code() {
    let result = clauses(["Try this:\n```swift\nlet a = 1. Then\nlet b = 2\n```\nDone. Bye."])
    #expect(result.map(\.ending) == [.sentence, .code, .sentence, .sentence])
    #expect(result.dropFirst().first?.text.contains("let b = 2") == true)
  }

  @Test("the first clause is given as soon as the next word begins")
  func early() {
    var splitter = ClauseSplitter()
    #expect(splitter.process("Hello there.").isEmpty)
    #expect(splitter.process(" H").map(\.text) == ["Hello there."])
  }

  @Test("however the text is cut, the clauses are the same and nothing is lost")
  func chunking() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<400 {
      let text = randomText(using: &random, pieces: 60)
      let whole = clauses([text])
      #expect(clauses(randomCuts(of: text, using: &random)) == whole)
      #expect(Array(whole.flatMap(\.text.unicodeScalars)) == Array(text.unicodeScalars))
    }
  }

  @Test("text without any space is cut all the same")
  func noSpace() {
    let result = clauses([String(repeating: "x", count: 2000)])
    #expect(result.count >= 5)
    #expect(result.map(\.text.count).reduce(0, +) == 2000)
  }
}
