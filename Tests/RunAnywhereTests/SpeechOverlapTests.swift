import Testing

@testable import RunAnywhere

@Suite("What is said over the agent")
struct SpeechOverlapTests {
  private static let spoken = "The capital of France is Paris, which lies on the river Seine."

  private func kind(_ text: String, asks: Bool = false, language: String = "en-US") -> SpeechOverlap {
    SpeechOverlap(of: text, over: Self.spoken, isQuestion: asks, language: language)
  }

  @Test(
    "signs of listening",
    arguments: [
      "Mm-hm.", "Mhm", "Uh-huh.", "Yeah.", "Yeah, yeah.", "Okay.", "OK", "Right, right.", "I see.",
      "Oh, I see.", "Got it.", "Oh wow!", "That makes sense.", "Hmm...", "Yes, of course.",
    ])
  func signs(text: String) { #expect(kind(text) == .backchannel) }

  @Test(
    "words",
    arguments: [
      "Stop.", "Wait.", "No.", "No, no.", "What?", "Okay, stop.", "Yeah but what about Lyon?", "Paris?",
      "Sorry, what was that?", "Thank you.", "yeah yeah yeah yeah yeah", "Paris is nice", "Nicht so schnell",
    ])
  func words(text: String) { #expect(kind(text) == .words) }

  @Test(
    "what the agent says itself",
    arguments: [
      "capital of France is Paris", "the capital a France is Paris", "lies on the river sane",
      "which lies on the river Seine",
    ])
  func echo(text: String) { #expect(kind(text) == .echo) }

  @Test(
    "the agent's words in another order, or few of them, are the user's",
    arguments: [
      "is Paris the capital of France", "the river Seine", "Seine is the river that I like", "of France",
    ])
  func repeated(text: String) {
    #expect(kind(text) == (text == "the river Seine" ? .echo : .words))
  }

  @Test("an answer to a question is no sign")
  func answer() {
    #expect(kind("Yes.", asks: true) == .words)
    #expect(kind("capital of France is Paris", asks: true) == .echo)
  }

  @Test("each language has its own signs, and all have the sounds")
  func languages() {
    #expect(kind("Genau.", language: "de-DE") == .backchannel)
    #expect(kind("Genau.") == .words)
    #expect(kind("Je vois.", language: "fr") == .backchannel)
    #expect(kind("Mm-hm", language: "xx") == .backchannel)
    #expect(kind("Yeah", language: "xx") == .words)
  }

  @Test("no words are words only where there is text", arguments: ["", " ", "...", "!"])
  func empty(text: String) { #expect(kind(text) == .words) }
}
