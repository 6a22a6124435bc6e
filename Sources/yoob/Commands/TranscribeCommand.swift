import Foundation
import RunAnywhere
import VoiceAudio

/// `yoob transcribe`: writes down what is said in a recording.
struct TranscribeCommand {
  static let usage = """
    Usage: yoob transcribe FILE.wav [--json] [--stt ID] [--threads N]

    Writes what is said in a recording to standard output.
      --json       one JSON document: text, language, duration_ms, and, where the
                   model gives them, confidence (0 to 1) and words (text, start_ms,
                   end_ms, confidence), else null; the default model, Whisper,
                   gives no times of words
      --stt ID     the model that hears (default: see yoob models list)
      --threads N  threads of the recognizer, 1 to 64
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(
      words, options: ["--stt", "--threads"], flags: ["--json", "--quiet"])
    guard arguments.positional.count == 1 else { throw UsageError("Name one WAV file.") }
    let path = arguments.positional[0]
    let threads = try arguments.integer("--threads", in: 1...64, default: 0)
    let clip = try SoundFile.read(path)
    let samples = StreamingResampler.convert(clip, to: 16_000).samples
    try LocalEngines.prepare()
    guard try SpeechGate.hasSpeech(samples, engine: await LocalEngines.vad()) else {
      throw FileFault("No speech was found in \(path).")
    }
    let engine = try await LocalEngines.stt(arguments["--stt"], threads: threads)
    let result = try await engine.transcribe(samples, options: SttOptions())
    guard !result.text.isEmpty else { throw FileFault("No words were understood in \(path).") }
    if arguments.has("--json") {
      Console.out(try Document(result).text)
    } else {
      Console.out(result.text)
    }
    return 0
  }

  private struct Document: Encodable {
    struct Word: Encodable {
      let text: String
      let start_ms: Int
      let end_ms: Int
      let confidence: Float
    }
    let text_: String
    let language: String
    let confidence: Float?
    let duration_ms: Int
    let words: [Word]?

    enum CodingKeys: String, CodingKey {
      case text_ = "text"
      case language, confidence, duration_ms, words
    }

    init(_ result: Transcription) {
      text_ = result.text
      language = result.language
      confidence = result.confidence
      duration_ms = result.durationMs
      let timed = result.words.map {
        Word(text: $0.text, start_ms: $0.startMs, end_ms: $0.endMs, confidence: $0.confidence)
      }
      words = timed.isEmpty ? nil : timed
    }

    /// Keys whose value is not known are written as null, so that scripts find them.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(text_, forKey: .text_)
      try container.encode(language, forKey: .language)
      try container.encode(confidence, forKey: .confidence)
      try container.encode(duration_ms, forKey: .duration_ms)
      try container.encode(words, forKey: .words)
    }

    var text: String {
      get throws { try JSONText.pretty(self) }
    }
  }
}

/// Decides whether a recording holds speech at all, so that no recognizer has to guess at noise.
enum SpeechGate {
  /// Whether at least 96 ms in a row sound like speech; `samples` are 16 kHz mono.
  static func hasSpeech(_ samples: [Float], engine: any VadEngine) throws -> Bool {
    let detector = try engine.makeDetector()
    var run = 0
    var start = 0
    while start < samples.count {
      var window = Array(samples[start..<min(start + detector.windowSize, samples.count)])
      if window.count < detector.windowSize {
        window += [Float](repeating: 0, count: detector.windowSize - window.count)
      }
      run = try detector.probability(window) >= 0.5 ? run + 1 : 0
      if run >= 3 { return true }
      start += detector.windowSize
    }
    return false
  }
}
