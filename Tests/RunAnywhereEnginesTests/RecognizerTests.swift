import Foundation
import RunAnywhere
import Testing
import VoiceAudio

@testable import RunAnywhereSherpa

@Suite("Speech recognizer")
struct RecognizerTests {
  @Test("sound shorter than a tenth of a second, and none, is an empty text", arguments: [0, 1, 159, 1599])
  func shortSound(count: Int) async throws {
    let heard = try await TestModels.recognizer.value.transcribe(
      [Float](repeating: 0.1, count: count), options: SttOptions())
    #expect(heard.text == "")
    #expect(heard.confidence == nil)
    #expect(heard.durationMs == count / 16)
  }

  @Test("clear speech has a higher confidence than noise, and times of words are not made up")
  func confidence() async throws {
    let recognizer = try await TestModels.recognizer.value
    let heard = try await recognizer.transcribe(
      try await TestModels.spoken("Hello, how can I help you today?"), options: SttOptions())
    #expect(heard.text == "Hello, how can I help you today?")
    #expect(heard.words.isEmpty)
    let speech = try #require(heard.confidence)
    #expect((0.5...1).contains(speech))
    var random = SplitMix64(seed: 3)
    let noise = (0..<32_000).map { _ in Float.random(in: -0.3...0.3, using: &random) }
    let other = try await recognizer.transcribe(noise, options: SttOptions())
    #expect(other.text.isEmpty || (other.confidence ?? 1) < speech, "\(other)")
  }

  @Test("a short sentence is not told twice", arguments: ["Not yet.", "Speed dial.", "Open the window."])
  func shortSentence(text: String) async throws {
    let heard = try await TestModels.recognizer.value.transcribe(
      try await TestModels.spoken(text), options: SttOptions())
    #expect(heard.text.split(separator: " ").count == text.split(separator: " ").count, "\(heard.text)")
  }

  @Test("what somebody says twice is heard twice")
  func saidTwice() async throws {
    let sound = try await TestModels.spoken("Turn off the light.")
    let heard = try await TestModels.recognizer.value.transcribe(
      sound + [Float](repeating: 0, count: 4800) + sound, options: SttOptions())
    #expect(heard.text.lowercased().components(separatedBy: "light").count == 3, "\(heard.text)")
  }

  /// Feeds a text to the finder as a recognizer would; letters stand for tokens, "|" for a place where the
  /// text could end.
  private func kept(_ text: String, seconds: Double) -> String {
    var finder = RepetitionFinder(seconds: seconds)
    var written: [Int] = []
    var endProbability: Float = 0
    for character in text {
      if character == "|" {
        endProbability = 0.2
        continue
      }
      let token = Int(character.unicodeScalars.first?.value ?? 0)
      if let length = finder.begin(before: token, after: written, endProbability: endProbability) {
        return String(text.filter { $0 != "|" }.prefix(length))
      }
      written.append(token)
      endProbability = 0
    }
    let length = finder.begin(before: nil, after: written, endProbability: 1) ?? written.count
    return String(text.filter { $0 != "|" }.prefix(length))
  }

  @Test(
    "a text is cut where it could end and starts over without time for it",
    arguments: [
      ("abcdef|abcdef", 1, "abcdef"), ("abcdef|abcd", 1, "abcdef"), ("ab|ab|ab|ab", 1, "ab"),
      ("abcde|abc", 1, "abcde"), ("ab|ab|ab|ab|ab|ab|ab|ab|ab|ab|ab", 3, "ab"),
      ("abcdef|abcdef", 3, "abcdefabcdef"),
      ("abcdefabcdef", 1, "abcdefabcdef"), ("abc|abd", 1, "abcabd"), ("abc|adef", 1, "abcadef"),
      ("abc|", 1, "abc"), ("", 1, ""), ("xab,ab,ab,ab,ab,", 1, "xab,"), ("x999999999999", 1, "x9"),
      ("xabcabc", 0, "xabcabc"),
      ("x999999999999", 3, "x999999999999"), ("|abc", 0, "abc"), ("aab|aab|aab", 1, "aab"),
    ] as [(String, Double, String)])
  func repetition(text: String, seconds: Double, expected: String) {
    #expect(kept(text, seconds: seconds) == expected)
  }

  private static let words = (0..<2000).map { "\(Data("\($0),".utf8).base64EncodedString()) \($0)" }

  @Test(
    "a table of tokens with one wrong line, or hardly any, is refused",
    arguments: ["", "IQ==", "IQ== 1", "IQ== x", "!!!! 1500", "IQ== 1500 1500", "1500"])
  func refusesTable(line: String) {
    #expect(WhisperTokens(table: Data(Self.words.joined(separator: "\n").utf8)) != nil)
    var lines = Self.words
    lines[1500] = line
    if !line.isEmpty { #expect(WhisperTokens(table: Data(lines.joined(separator: "\n").utf8)) == nil) }
    #expect(WhisperTokens(table: Data((line + "\n").utf8)) == nil)
  }

  @Test("no bytes bring the table down")
  func fuzzedTable() {
    var random = SplitMix64(seed: 8)
    let table = [UInt8](Self.words.joined(separator: "\n").utf8)
    for _ in 0..<200 {
      var bytes = table
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let cut = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
      if let tokens = WhisperTokens(table: Data(cut)) { #expect(tokens.text([0, tokens.count]).count < 100) }
    }
  }

  @Test(
    "impossible properties of a model are refused when it is loaded",
    arguments: [
      ("n_text_layer", "256"), ("n_text_ctx", "65536"), ("n_text_layer", "-1"), ("n_mels", "0"),
      ("eot", "51864"),
      ("sot_sequence", "-1"), ("sot_sequence", ""), ("no_timestamps", "999999"), ("n_vocab", "100"),
      ("n_mels", "x"),
      ("sot_sequence", "0,0"), ("sot_sequence", "50257,50257,50257,50257,50257"), ("eot", "50363"),
    ])
  func impossibleProperties(key: String, value: String) throws {
    var good = [
      "n_mels": "80", "n_text_layer": "4", "n_text_ctx": "448", "n_text_state": "384", "n_vocab": "51864",
      "sot_sequence": "50257", "no_timestamps": "50362", "eot": "50256", "is_multilingual": "0",
    ]
    _ = try WhisperModel.Hyperparameters(encoder: good, decoder: [:], tokens: 50257)
    good[key] = value
    if key == "n_text_layer", value == "256" { good["n_text_state"] = "65536" }
    if key == "n_text_ctx" { good["n_text_state"] = "65536" }
    #expect(throws: WhisperModel.Unusable.self) {
      try WhisperModel.Hyperparameters(encoder: good, decoder: [:], tokens: 50257)
    }
  }

  @Test("tokens spell bytes, characters cut across tokens among them")
  func spells() throws {
    let words = (0..<2000).map { $0 == 7 ? Data([0xc3]) : $0 == 8 ? Data([0xa9]) : Data("\($0),".utf8) }
    let lines = words.enumerated().map { "\($1.base64EncodedString()) \($0)" }
    let tokens = try #require(WhisperTokens(table: Data(lines.joined(separator: "\r\n").utf8)))
    #expect(tokens.text([1, 7, 8, 1999, 5000, -1]) == "1,é1999,")
  }

  @Test("sound that is no number is taken as silence")
  func notANumber() async throws {
    let recognizer = try await TestModels.recognizer.value
    let heard = try await recognizer.transcribe([Float](repeating: .nan, count: 3200), options: SttOptions())
    let silence = try await recognizer.transcribe([Float](repeating: 0, count: 3200), options: SttOptions())
    #expect(heard == silence)
  }

  @Test("sound longer than a window is heard to its end")
  func longSound() async throws {
    let sentence = try await TestModels.spoken("The quick brown fox jumps over the lazy dog.")
    let pause = [Float](repeating: 0, count: 16_000 * 13)
    let heard = try await TestModels.recognizer.value.transcribe(
      sentence + pause + sentence + pause + sentence, options: SttOptions())
    #expect(heard.text.lowercased().components(separatedBy: "fox").count == 4, "\(heard.text)")
  }

  @Test("a language that the model does not know is refused")
  func refusesLanguage() async throws {
    let error = await #expect(throws: SDKException.self) {
      try await TestModels.recognizer.value.transcribe(
        [Float](repeating: 0, count: 16_000), options: SttOptions(language: "fr-FR"))
    }
    #expect(error?.code == .languageNotSupported)
  }

  @Test("a cancelled task is not transcribed")
  func cancels() async throws {
    let recognizer = try await TestModels.recognizer.value
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await recognizer.transcribe([Float](repeating: 0, count: 16_000), options: SttOptions())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(
    "a damaged file is named",
    arguments: ["tiny.en-encoder.int8.onnx", "tiny.en-decoder.int8.onnx", "tiny.en-tokens.txt"],
    [0, 1000])
  func namesDamagedFile(name: String, size: Int) async throws {
    let original = try Data(
      contentsOf: TestModels.folder(of: TestModels.stt).appendingPathComponent(name), options: .alwaysMapped)
    let folder = try TestModels.folder(of: TestModels.stt, replacing: name, by: original.prefix(size))
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = await #expect(throws: SDKException.self) {
      try await SherpaProvider().load(TestModels.stt, folder: folder, options: LoadOptions())
    }
    #expect(error?.code == .modelLoadFailed)
    #expect(error?.message.contains(name) == true)
  }

  @Test(
    "annotations are no speech",
    arguments: [
      ("[BLANK_AUDIO]", ""), ("(music)", ""), (" Hello (laughs) there. ", "Hello there."), ("♪ la la ♪", ""),
      ("*coughs* Yes.", "Yes."), ("...", ""), ("\"Stop that!\"", "Stop that!"),
      ("Well, [noise], yes!", "Well, yes!"),
      ("Is it 5 (five", "Is it 5 (five"), ("", ""),
    ])
  func cleans(text: String, expected: String) {
    #expect(TranscriptCleaning.clean(text) == expected)
  }

  @Test("sound is cut in the middle of long pauses between loud places, and nowhere else")
  func cutsPauses() {
    func level(_ level: Float, _ count: Int) -> [Float] { [Float](repeating: level, count: count) }
    let cutter = SilenceCutter(limit: 1000, frame: 20, pause: 5)
    let sound =
      level(0, 200) + level(0.5, 100) + level(0.001, 200) + level(-0.5, 100) + level(0, 80) + level(0.5, 20)
      + level(0, 300)
    #expect(cutter.ranges(sound) == [0..<400, 400..<1000])
    #expect(cutter.ranges(level(0, 900)) == [0..<900])
    #expect(cutter.ranges(level(0.5, 900)) == [0..<900])
    #expect(cutter.ranges([]) == [0..<0])
  }

  @Test("windows cover the sound, fit the limit and end where it is quiet")
  func cuts() {
    let cutter = SilenceCutter(limit: 1000, frame: 20)
    var random = SplitMix64(seed: 5)
    for count in [0, 1, 999, 1000, 1001, 3500] {
      let samples = (0..<count).map { i in
        (700..<760).contains(i % 1000) ? 0 : Float.random(in: -1...1, using: &random)
      }
      let ranges = cutter.ranges(samples)
      #expect(ranges.first?.lowerBound == 0)
      #expect(ranges.last?.upperBound == count)
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
      #expect(ranges.allSatisfy { $0.count <= 1000 })
      if count == 1001 { #expect((700..<760).contains(ranges[0].upperBound)) }
    }
  }
}
