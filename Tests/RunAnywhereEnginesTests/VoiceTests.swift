import Foundation
import RunAnywhere
import RunAnywhereHibari
import Testing

@Suite("Luna's voice")
struct VoiceTests {
  @Test(
    "a recognizer hears what the voice said",
    arguments: [
      "Hello, how can I help you today?",
      "The quick brown fox jumps over the lazy dog.",
      "Music makes me feel happy when I am tired.",
      "The doctor said that I need more sleep.",
    ])
  func roundTrip(sentence: String) async throws {
    let heard = try await TestModels.recognizer.value.transcribe(
      try await TestModels.spoken(sentence), options: SttOptions())
    let errors = WordErrors.count(said: sentence, heard: heard.text)
    #expect(errors * 10 <= WordErrors.words(sentence).count, "\(heard.text)")
  }

  @Test("phones follow each other without a gap and fill the sound")
  func phonesFillSound() async throws {
    let speech = try await TestModels.say("Well, that sounds really nice.")
    var at = 0
    for phone in speech.phones {
      #expect(phone.start == at)
      #expect(phone.end > phone.start)
      at = phone.end
    }
    #expect(at == speech.samples.count)
    #expect(speech.phones.contains { $0.isStressed })
  }

  @Test("phones carry the front end's symbols, and a comma is a silence")
  func phoneSymbols() async throws {
    let speech = try await TestModels.say("My bed, your map.")
    let symbols = speech.phones.map(\.symbol)
    #expect(symbols == ["", "m", "I", "b", "ɛ", "d", "", "j", "ʊ", "ɹ", "m", "æ", "p", ""])
    #expect(speech.phones.filter(\.isStressed).map(\.symbol) == ["ɛ", "æ"])
  }

  @Test("words come in order, whole, with their punctuation")
  func words() async throws {
    let text = "Well, that sounds (really) nice."
    let speech = try await TestModels.say(text)
    #expect(speech.words.map(\.text) == text.split(separator: " ").map { String($0) })
    for (word, next) in zip(speech.words, speech.words.dropFirst()) {
      #expect(word.start < word.end)
      #expect(word.end <= next.start)
    }
    #expect((speech.words.last?.end ?? 0) <= speech.samples.count)
  }

  @Test("the silence before and after the speech is trimmed")
  func trims() async throws {
    let speech = try await TestModels.say("Paris is lovely.")
    let first = try #require(speech.phones.first)
    let last = try #require(speech.phones.last)
    #expect(first.symbol.isEmpty && first.end <= 360)
    #expect(last.symbol.isEmpty && last.end - last.start <= 1440)
    let loudest = speech.samples.map { abs($0) }.max() ?? 0
    #expect(loudest > 0.1 && loudest <= 1)
  }

  @Test("pitch has a value every 12.5 ms, within a woman's range where voiced")
  func pitch() async throws {
    let speech = try await TestModels.say("We are on our way.")
    #expect(abs(speech.pitch.count - speech.samples.count / 300) <= 1)
    let voiced = speech.pitch.filter { $0 > 0 }
    #expect(voiced.count > speech.pitch.count / 2)
    #expect(voiced.allSatisfy { $0 > 40 && $0 < 500 })
  }

  @Test("the same text gives the same samples")
  func deterministic() async throws {
    #expect(try await TestModels.say("Sure.") == TestModels.say("Sure."))
  }

  @Test("half the speed takes longer, double the speed is shorter")
  func speed() async throws {
    var slow = TtsOptions()
    slow.speed = 0.5
    var fast = TtsOptions()
    fast.speed = 2
    let text = "A short line."
    let lengths = [
      try await TestModels.say(text, slow).samples.count, try await TestModels.say(text).samples.count,
      try await TestModels.say(text, fast).samples.count,
    ]
    #expect(lengths[0] > lengths[1] * 3 / 2)
    #expect(lengths[2] < lengths[1] * 3 / 4)
  }

  @Test("the pitch option moves the fundamental frequency")
  func pitchOption() async throws {
    var high = TtsOptions()
    high.pitch = 1.5
    func mean(_ speech: SynthesizedSpeech) -> Float {
      let voiced = speech.pitch.filter { $0 > 0 }
      return voiced.reduce(0, +) / Float(max(1, voiced.count))
    }
    let ratio = try await mean(TestModels.say("Sure.", high)) / mean(TestModels.say("Sure."))
    #expect(abs(ratio - 1.5) < 0.1)
  }

  @Test("another sample rate keeps length and times", arguments: [16_000, 48_000])
  func sampleRate(rate: Int) async throws {
    var options = TtsOptions()
    options.sampleRate = rate
    let own = try await TestModels.say("Good morning, Luna.")
    let other = try await TestModels.say("Good morning, Luna.", options)
    #expect(other.sampleRate == rate)
    #expect(abs(other.samples.count - own.samples.count * rate / 24_000) <= 2)
    #expect(other.phones.last?.end == other.samples.count)
    #expect(other.words.map { $0.end * 24_000 / rate / 100 } == own.words.map { $0.end / 100 })
  }

  @Test(
    "letters and digits that the voice does not know are named, each once",
    arguments: [
      ("Straße, ñandú, cafe\u{301}!", ""), ("Ωmega π", "Ω"), ("Привет, привет", "Приветп"), ("你好, 你!", "你好"),
      ("a½ b٣", "½٣"), ("😀 …—", ""),
    ])
  func unknownCharacters(text: String, unknown: String) async throws {
    #expect(String(await (try TestModels.voice.value).unknownCharacters(in: text)) == unknown)
  }

  @Test("a text without anything to say gives no samples", arguments: ["", "  ", "...", "\u{1F600}"])
  func nothingToSay(text: String) async throws {
    let speech = try await TestModels.say(text)
    #expect(speech.samples.isEmpty)
    #expect(speech.phones.isEmpty)
  }

  @Test("a clause longer than the network takes is said to its end")
  func longClause() async throws {
    var fast = TtsOptions()
    fast.speed = 2
    let words = (0..<60).map { ["lemon", "table", "window", "garden"][$0 % 4] }
    let speech = try await TestModels.say(words.joined(separator: " "), fast)
    #expect(speech.words.count == 60)
    #expect(speech.words.allSatisfy { $0.end > $0.start })
    #expect(speech.phones.last?.end == speech.samples.count)
    #expect(zip(speech.words, speech.words.dropFirst()).allSatisfy { $0.end <= $1.start })
  }

  @Test("an unknown voice, another language and impossible numbers are refused by name")
  func refuses() async throws {
    var voice = TtsOptions()
    voice.voice = "nobody"
    var language = TtsOptions()
    language.language = "de-DE"
    var speed = TtsOptions()
    speed.speed = .nan
    for (options, code) in [
      (voice, SDKException.Code.voiceNotAvailable), (language, .languageNotSupported),
      (speed, .invalidParameter),
    ] {
      let error = await #expect(throws: SDKException.self) { try await TestModels.say("Hi.", options) }
      #expect(error?.code == code)
    }
  }

  @Test(
    "a damaged file is named",
    arguments: ["hibari.onnx", "oov.onnx", "oov.json", "vocab.json", "lexicon_us_gold.json.gz"])
  func namesDamagedFile(name: String) async throws {
    let original = try Data(contentsOf: TestModels.folder(of: TestModels.tts).appendingPathComponent(name))
    let folder = try TestModels.folder(
      of: TestModels.tts, replacing: name, by: original.prefix(original.count / 2))
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = await #expect(throws: SDKException.self) {
      try await HibariProvider().load(TestModels.tts, folder: folder, options: LoadOptions())
    }
    #expect(error?.code == .modelLoadFailed)
    #expect(error?.message.contains(name) == true)
  }

  @Test("a missing file is named")
  func namesMissingFile() async throws {
    let folder = try TestModels.folder(of: TestModels.tts, replacing: "hibari.onnx", by: nil)
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = await #expect(throws: SDKException.self) {
      try await HibariProvider().load(TestModels.tts, folder: folder, options: LoadOptions())
    }
    #expect(error?.code == .modelNotFound)
    #expect(error?.message.contains("hibari.onnx") == true)
  }
}
