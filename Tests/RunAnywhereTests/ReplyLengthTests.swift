import Testing

@testable import RunAnywhere

@Suite("Length of a reply")
struct ReplyLengthTests {
  /// What is written of a reply that comes in these pieces.
  private func written(_ pieces: [String], limit: Int?) -> String {
    var length = ReplyLength(limit: limit)
    var text = ""
    for piece in pieces {
      if length.ends(before: piece) { break }
      text += piece
    }
    return text
  }

  /// Pieces as language models write them: words with the space before them, marks apart.
  private func pieces(_ text: String) -> [String] {
    var pieces: [String] = []
    for character in text {
      let isMark = ".,?!\n。？".contains(character)
      if pieces.isEmpty || character == " " || isMark { pieces.append("") }
      pieces[pieces.count - 1].append(character)
    }
    return pieces
  }

  @Test(
    "it ends behind the sentence in which it has grown long enough, and nowhere else",
    arguments: [
      ("It is Paris. It lies in France.", "It is Paris."), ("Is it Paris? Yes it is.", "Is it Paris?"),
      ("It is Paris.\n\nMore of it.", "It is Paris.\n"),
      ("It was in 1990. Then came more.", "It was in 1990."),
      ("You should ask Dr. Smith. He knows.", "You should ask Dr. Smith."),
      ("We eat fruit, e.g. apples. They are good.", "We eat fruit, e.g. apples."),
      ("Come at 7 p.m. today. Bye now.", "Come at 7 p.m. today."),
      ("It costs 3.50 euros. Cheap.", "It costs 3.50 euros."),
      ("One thing, and then another", "One thing, and then another"),
      ("Milk and\n1. Eggs are there. Ham.", "Milk and\n1. Eggs are there."), ("", ""),
    ])
  func ends(text: String, expected: String) {
    #expect(written(pieces(text), limit: 3) == expected)
    #expect(written(pieces(text), limit: nil) == text)
    #expect(written(pieces(text), limit: 100) == text)
  }

  @Test("scripts without spaces end at their own marks")
  func chinese() {
    #expect(written(["你好", "世界", "。", "今天", "很好", "。"], limit: 2) == "你好世界。")
  }

  @Test("reasoning is not counted and does not end it")
  func reasoning() {
    let text = "<think>The user asks. I know it. Paris.</think>It is Paris. It lies there."
    #expect(written(pieces(text), limit: 3) == "<think>The user asks. I know it. Paris.</think>It is Paris.")
  }
}
