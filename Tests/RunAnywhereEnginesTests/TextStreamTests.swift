import RunAnywhere
import Testing
import VoiceAudio

@Suite("Text of a model's tokens")
struct TextStreamTests {
  @Test("an unfinished character is held until its last byte comes")
  func holdsCharacters() {
    var stream = TextStream(stopSequences: [])
    let bytes = Array("né🌙".utf8)
    let pieces = bytes.map { stream.append([$0]) }
    #expect(pieces == ["n", "", "é", "", "", "", "🌙"])
  }

  @Test("a stop sequence that is spread over tokens never shows")
  func stopsAcrossTokens() {
    var stream = TextStream(stopSequences: ["User:"])
    var shown = ""
    for token in ["Hi", " Us", "er", ": no"] { shown += stream.append(Array(token.utf8)) }
    #expect(shown == "Hi ")
    #expect(stream.isStopped)
    #expect(stream.finish() == "")
  }

  @Test("text that only began like a stop sequence is shown")
  func releasesFalseStart() {
    var stream = TextStream(stopSequences: ["User:"])
    #expect(stream.append(Array("a Us".utf8)) == "a ")
    #expect(stream.append(Array("ual".utf8)) == "Usual")
  }

  @Test("what is held at the end is shown, without a broken character")
  func finishes() {
    var stream = TextStream(stopSequences: ["END"])
    #expect(stream.append(Array("E".utf8)) == "")
    #expect(stream.finish() == "E")
    var broken = TextStream(stopSequences: [])
    #expect(broken.append([0x61, 0xF0, 0x9F]) == "a")
    #expect(broken.finish() == "")
    #expect(broken.text == "a")
  }

  @Test("any split of any text gives the same text")
  func splitsDoNotMatter() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<200 {
      let text = String(
        (0..<20).map { _ in ["a", "b", "é", "🌙", "日", " "].randomElement(using: &random) ?? "a" }.joined())
      var stream = TextStream(stopSequences: ["zz", "ab🌙日x"])
      var shown = ""
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...5, using: &random)
        shown += stream.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      shown += stream.finish()
      #expect(shown == text)
    }
  }
}
