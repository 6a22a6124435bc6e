import RunAnywhere
import Testing
import VoiceAudio

@Suite("Reasoning filter")
struct ReasoningFilterTests {
  private func filtered(_ pieces: [String]) -> String {
    var filter = ReasoningFilter()
    return pieces.map { filter.process($0) }.joined() + filter.finish()
  }

  @Test(
    "reasoning is removed, all else stays",
    arguments: [
      ("<think>let me see</think>Hello.", "Hello."),
      ("Hi <think>x</think> there.", "Hi there."),
      ("<THINK>x</Think>\n\nYes.", "Yes."),
      ("<thinking>a < b</thinking>Fine.", "Fine."),
      ("no tags, 3 < 4 and 5 > 2", "no tags, 3 < 4 and 5 > 2"),
      ("<b>bold</b>", "<b>bold</b>"),
      ("Answer.<think>never closed", "Answer."),
      ("left over</think> Answer.", "left overAnswer."),
      ("<think></think><think>y</think>Z", "Z"),
      ("ends with <thi", "ends with <thi"),
      ("[THINK]hm[/THINK]Yes.", "Yes."),
      ("◁think▷hm◁/think▷Yes.", "Yes."),
      ("<|channel|>analysis<|message|>hm<|end|>Yes.", "Yes."),
      ("<<think>x</think>Yes.", "<Yes."),
      ("[thin ice] and [THINK] never closed", "[thin ice] and "),
      ("<reflection>x</reflection>Yes <scratchpad>y", "Yes "),
      ("<Th is not a tag", "<Th is not a tag"),
    ])
  func table(text: String, expected: String) {
    #expect(filtered([text]) == expected)
  }

  @Test("a tag that is cut into single characters is still a tag")
  func singleCharacters() {
    #expect(filtered("A<think>secret</think>B".map(String.init)) == "AB")
  }

  @Test("however the text is cut, the result is the same")
  func chunking() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<300 {
      let text = randomText(using: &random, pieces: 30)
      let parts = randomCuts(of: text, using: &random)
      #expect(Array(filtered(parts).unicodeScalars) == Array(filtered([text]).unicodeScalars))
    }
  }
}
