import Foundation
import RunAnywhere
import Testing
import VoiceAudio

@testable import RunAnywhereHibari

@Suite("Text front end of the voice")
struct FrontEndTests {
  static let frontEnd = Result { () throws -> FrontEnd in
    let files = ModelFiles(TestModels.tts, folder: TestModels.folder(of: TestModels.tts))
    let unknown = try UnknownWords(files)
    return FrontEnd(
      pronunciation: Pronunciation(lexicon: try Lexicon(files)) { unknown.phones(of: $0) })
  }

  func phones(_ text: String) throws -> String {
    var result = ""
    result.unicodeScalars.append(contentsOf: try Self.frontEnd.get().read(text).tokens.map(\.symbol))
    return result
  }

  @Test(
    "words are said as American English does",
    arguments: [
      ("Hello, how can I help you today?", "həlˈO, hˌW kæn ˌI hˈɛlp ju tədˈA?"),
      ("the apple, the pear", "ði ˈæpᵊl, ðə pˈɛɹ"),
      ("to eat, to go, to.", "tʊ ˈit, tə ɡˌO, tu."),
      ("cats dogs horses", "kˈæts dˈɔɡz hˈɔɹsᵻz"),
      ("It was hotter, so we waited.", "ˌɪt wʌz hˈɑTəɹ, sˌO wi wˈATᵻd."),
      ("I live in a live show.", "ˌI lˈɪv ɪn ɐ lˈIv ʃˈO."),
      ("the record, to record", "ðə ɹˈɛkəɹd, tə ɹəkˈɔɹd"),
      ("I have read it.", "ˌI hæv ɹˈɛd ɪt."),
      ("what's here", "wˌʌts hˈɪɹ"),
      ("the USA", "ðə jˌuˌɛsˈA"),
    ])
  func says(text: String, expected: String) throws {
    #expect(try phones(text) == expected)
  }

  @Test("inflections of unknown stems take their endings")
  func inflectsUnknown() throws {
    #expect(try phones("Zorblax's").hasSuffix("ᵻz"))
    #expect(try phones("yoobified").count > 6)
  }

  @Test(
    "every word of a text is said",
    arguments: [
      "Schrödinger's naïve café résumé", "Llanfair yttrium rhythm tsk", "XJQWV qwrtp bcdf",
      "3.14 1,000,000 42nd 007", "50% & more + @home", "rock'n'roll y'all 'tis o'clock",
    ])
  func dropsNothing(text: String) throws {
    let result = try Self.frontEnd.get().read(text)
    let said = Set(result.tokens.compactMap(\.word))
    let silent = result.words.indices.filter {
      !said.contains($0) && result.words[$0].contains(where: \.isLetter)
    }
    #expect(silent.map { result.words[$0] } == [])
  }

  @Test(
    "numbers that are left are read",
    arguments: [
      ("0", ["zero"]), ("21", ["twenty", "one"]), ("1,205", ["one", "thousand", "two", "hundred", "five"]),
      ("3.14", ["three", "point", "one", "four"]), ("007", ["zero", "zero", "seven"]),
      ("1000000", ["one", "million"]),
    ])
  func numbers(digits: String, words: [String]) {
    #expect(WrittenNumber.cardinal(digits) == words)
  }

  @Test(
    "ordinals are read", arguments: [("1", "first"), ("12", "twelfth"), ("20", "twentieth"), ("8", "eighth")])
  func ordinals(digits: String, word: String) {
    #expect(WrittenNumber.ordinal(digits) == [word])
  }

  @Test("any characters at all are read without a crash, into symbols with owners")
  func fuzz() throws {
    let frontEnd = try Self.frontEnd.get()
    var random = SplitMix64(seed: 42)
    let marks = Array("'’\"().,;:!?-—…$%&0123456789 \n\tsdSD".unicodeScalars)
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<Int.random(in: 0...24, using: &random) {
        let scalar: Unicode.Scalar? =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
          case 1: Unicode.Scalar(UInt32.random(in: 0x61...0x17F, using: &random))
          default: marks.randomElement(using: &random)
          }
        if let scalar { text.unicodeScalars.append(scalar) }
      }
      let result = frontEnd.read(text)
      #expect(result.tokens.allSatisfy { $0.word.map(result.words.indices.contains) ?? ($0.symbol == " ") })
    }
  }

  @Test("long clauses are cut at pauses, else at spaces, and nothing is lost")
  func splits() {
    func tokens(_ text: String) -> [FrontEnd.Token] {
      text.unicodeScalars.map { FrontEnd.Token(symbol: $0, word: $0 == " " ? nil : 0) }
    }
    for text in [
      String(repeating: "abc ", count: 300), String(repeating: "abcdefg, ", count: 200),
      String(repeating: "x", count: 1000), "short",
    ] {
      let runs = ClauseSplitter.split(tokens(text))
      #expect(runs.allSatisfy { $0.count <= ClauseSplitter.limit && $0.first?.symbol != " " })
      let letters = runs.flatMap { $0 }.filter { $0.symbol != " " }.count
      #expect(letters == text.filter { $0 != " " }.count)
    }
  }
}
