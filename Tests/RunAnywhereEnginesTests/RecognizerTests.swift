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

  @Test("Whisper gives neither confidence nor times of words, and none are made up")
  func noInventions() async throws {
    let heard = try await TestModels.recognizer.value.transcribe(
      try await TestModels.spoken("Hello, how can I help you today?"), options: SttOptions())
    #expect(!heard.text.isEmpty)
    #expect(heard.confidence == nil)
    #expect(heard.words.isEmpty)
  }

  @Test("sound that is no number is taken as silence")
  func notANumber() async throws {
    let heard = try await TestModels.recognizer.value.transcribe(
      [Float](repeating: .nan, count: 3200), options: SttOptions())
    #expect(heard.durationMs == 200)
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
      ("*coughs* Yes.", "Yes."), ("...", ""), ("Well, [noise], yes!", "Well, yes!"),
      ("Is it 5 (five", "Is it 5 (five"), ("", ""),
    ])
  func cleans(text: String, expected: String) {
    #expect(TranscriptCleaning.clean(text) == expected)
  }

  @Test(
    "a sentence that starts over without time for it is told once",
    arguments: [
      (
        "What is the capital of France? What is the capital of France?", 1.9, "What is the capital of France?"
      ),
      ("What is the capital of France? What is the capital", 1.9, "What is the capital of France?"),
      ("What is the capital of France? What is the capital of France?", 4.0, nil),
      ("no no no no no no", 2.0, nil), ("one two three four five six", 1.0, nil), ("", 0.0, nil),
    ] as [(String, Double, String?)])
  func echo(text: String, seconds: Double, expected: String?) {
    #expect(TranscriptCleaning.withoutEcho(text, seconds: seconds) == expected ?? text)
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
