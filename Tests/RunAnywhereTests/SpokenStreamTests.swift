import RunAnywhere
import Testing
import VoiceAudio

@Suite("From a stream of text to words")
struct SpokenStreamTests {
  /// The words that are spoken when a model writes these pieces.
  private func spoken(_ pieces: [String]) -> [String] {
    clauses(pieces).flatMap { SpeechText($0.text).words.map(\.text) }
  }

  private func clauses(_ pieces: [String]) -> [Clause] {
    var filter = ReasoningFilter()
    var splitter = ClauseSplitter()
    var clauses: [Clause] = []
    for piece in pieces { clauses += splitter.process(filter.process(piece)) }
    return clauses + splitter.process(filter.finish()) + splitter.finish()
  }

  @Test("wherever a stream is cut, the same words are spoken", arguments: SpokenForms.all)
  func everyCut(form: (written: String, spoken: String)) {
    let text = form.written + " <think>hm **no** </think>And so it goes."
    let whole = clauses([text])
    let scalars = Array(text.unicodeScalars)
    for cut in 1..<scalars.count {
      let parts = [scalars[..<cut], scalars[cut...]].map { String(String.UnicodeScalarView($0)) }
      #expect(clauses(parts) == whole, "cut at \(cut)")
    }
    #expect(clauses(scalars.map { String($0) }) == whole)
  }

  @Test("no word that is meant for the ear is lost, whatever it is wrapped in")
  func nothingLost() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<400 {
      let sample = wrapped(using: &random, count: 12)
      let known = Set(sample.words)
      let heard = spoken(randomCuts(of: sample.text, using: &random))
        .map { String($0.lowercased().filter(\.isLetter)) }.filter(known.contains)
      #expect(heard == sample.words, "\(sample.text.debugDescription)")
    }
  }

  @Test("any bytes at all are survived", arguments: [1, 2, 3] as [UInt64])
  func bytes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 0..<120, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : Array("*_`~#<>[]()|\\$^{}&;:.,-/@0159 \n".utf8).randomElement(using: &random)!
      }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(spoken([text]) == spoken(randomCuts(of: text, using: &random)), "\(text.debugDescription)")
    }
  }

  @Test("code is not read aloud, wherever its fence stands; what stands around it is")
  func fences() {
    let table: [(written: String, spoken: String)] = [
      ("Try this: ```\nlet a = 1\n``` and go on.", "Try this: and go on."),
      ("Run ```ls -l``` now.", "Run ls -l now."),
      ("```swift\nlet a = 1```\nDone. Bye.", "Done. Bye."),
      ("~~~\nlet a = 1\n~~~\nDone.", "Done."),
      ("1. First:\n   ```\n   x\n   ```\n2. Then.", "one, First: two, Then."),
      ("Never closed: ```\nlet a = 1", "Never closed:"),
    ]
    for (written, words) in table { #expect(spoken([written]).joined(separator: " ") == words) }
  }

  /// Made-up words in all kinds of wrapping, and the words alone.
  private func wrapped(using random: inout SplitMix64, count: Int) -> (text: String, words: [String]) {
    var words: [String] = []
    var text = ""
    let frames = [
      "**1** ", "*1* ", "_1_ ", "__1 2__ ", "~~1~~ ", "`1` ", "[1 2](http://a.b/c?d=e,f) ", "![1](a.png) ",
      "<b>1</b> ", "(1) ", "\"1\" ", "“1” ", "1/2 ", "1—2 ", "1… ", "\n# 1 2\n", "\n- 1\n", "\n> 1\n",
      "\n| 1 | 2 |\n|---|---|\n| 3 | 4 |\n", "\n7. 1\n8) 2\n", "\\*1\\* ", "1<br>2 ", "1&amp;2 ", "1 😀 ",
      "1 :) ", "1, ", "1. ", "1? ", "1; 2: ", "<think>not \n this</think> 1 ", "***1*** ", "< 1 > ",
      "$5 1 6.78 ",
      "Dr. 1 ", "1 a.m. ", "\n- [x] 1\n* 2\n", "[1] ", "#1 ", "1\n", "5 km 1 No. 6 ", "```\nlet x = 0\n```\n",
      "[1][note] ", "{1} ", "1's ", "<i class=\"a. b\">1</i> ", "1 ", "1 2 ", "1 ",
    ]
    for _ in 0..<count {
      let frame = frames[Int.random(in: 0..<frames.count, using: &random)]
      for character in frame {
        guard "1234".contains(character) else {
          text.append(character)
          continue
        }
        let word = (0..<Int.random(in: 2...4, using: &random)).map { _ in
          ["ba", "ke", "lo", "mu", "ri", "zo", "tav", "nel"][Int.random(in: 0..<8, using: &random)]
        }.joined()
        let isCapital = Int.random(in: 0..<6, using: &random) == 0
        text += isCapital ? word.prefix(1).uppercased() + word.dropFirst() : word
        words.append(word + (frame.hasPrefix("1's") ? "s" : ""))
      }
    }
    return (text, words)
  }
}
