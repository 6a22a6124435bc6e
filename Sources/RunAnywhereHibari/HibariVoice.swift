import Foundation
import RunAnywhere
import RunAnywhereOnnx
import VoiceAudio
import VoiceIO

/// Luna's voice: text front end, network and synthesis.
actor HibariVoice: TtsEngine {
  private static let speeds: ClosedRange<Float> = 0.5...2
  private static let pitches: ClosedRange<Float> = 0.5...2
  private static let longestText = 20_000

  nonisolated let sampleRate = SpectralSynthesis.sampleRate
  nonisolated let voices = ["heart"]

  private let executor = EngineExecutor(label: "yoob.hibari")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let files: ModelFiles
  private let aligner = PhoneAligner()
  private var parts: Parts?

  private struct Parts {
    var frontEnd: FrontEnd
    var model: HibariModel
    var synthesis: SpectralSynthesis
    var unknown: UnknownWords
  }

  init(_ files: ModelFiles) { self.files = files }

  /// Reads the files; call it once, before anything else.
  func load() throws {
    let lexicon = try Lexicon(files)
    let unknown = try UnknownWords(files)
    let pronunciation = Pronunciation(lexicon: lexicon) { unknown.phones(of: $0) }
    parts = Parts(
      frontEnd: FrontEnd(pronunciation: pronunciation), model: try HibariModel(files),
      synthesis: SpectralSynthesis(), unknown: unknown)
  }

  func synthesize(_ text: String, options: TtsOptions) async throws -> SynthesizedSpeech {
    try Task.checkCancellation()
    guard let parts else {
      throw SDKException(
        .modelNotLoaded, category: .component, "The voice is not loaded.",
        recoverySuggestion: "Load the model first.")
    }
    try check(text, options)
    let place = try await ComputeScheduler.shared.place(for: .speaking, threads: 1, of: self)
    defer { place.leave() }
    let read = parts.frontEnd.read(text)
    let tokens = read.tokens.filter { parts.model.knows($0.symbol) }
    var speech = SynthesizedSpeech(samples: [], sampleRate: sampleRate)
    var times: [Int: Range<Int>] = [:]
    let hasPhones = tokens.contains {
      PhoneClass.vowels.contains($0.symbol) || PhoneClass.consonants.contains($0.symbol)
    }
    guard hasPhones else {
      speech.words = Self.words(read.words, times)
      return speech
    }
    for (index, run) in ClauseSplitter.split(tokens).enumerated() {
      try Task.checkCancellation()
      do {
        try append(
          run, options, seed: Self.seed(text) &+ UInt64(index), parts, to: &speech, words: &times)
      } catch let error as OnnxError {
        throw SDKException(
          .inferenceFailed, category: .component, "The voice could not say the text: \(error.message)",
          recoverySuggestion: "Load the model again.", underlying: error)
      }
    }
    speech.words = Self.words(read.words, times)
    return options.sampleRate > 0 ? resampled(speech, to: options.sampleRate) : speech
  }

  func unknownCharacters(in text: String) -> [Character] {
    guard let parts else { return [] }
    var seen: Set<Character> = []
    // The network has seen a few words of other scripts too, and only guesses at them.
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return words.flatMap { word in
      word.filter { character in
        guard !character.isASCII else { return false }
        // Only the digits 0 to 9 are read as numbers.
        let isRead = character.isLetter && (Self.isLatin(character) || word.count == 1)
        return !(isRead && parts.unknown.knows(character)) && seen.insert(character).inserted
      }
    }
  }

  /// Latin letters with marks, in composed and decomposed form.
  private static func isLatin(_ letter: Character) -> Bool {
    guard let base = letter.unicodeScalars.first?.value else { return false }
    return base < 0x250 || (0x1E00..<0x1F00).contains(base)
  }

  private func append(
    _ tokens: [FrontEnd.Token], _ options: TtsOptions, seed: UInt64, _ parts: Parts,
    to speech: inout SynthesizedSpeech, words: inout [Int: Range<Int>]
  ) throws {
    let speed = min(max(options.speed, Self.speeds.lowerBound), Self.speeds.upperBound)
    let factor = min(max(options.pitch, Self.pitches.lowerBound), Self.pitches.upperBound)
    let prediction = try parts.model.predict(tokens.map(\.symbol), speed: speed)
    let pitch = prediction.pitch.map { $0 > PulseTrain.voicingThreshold ? $0 * factor : 0 }
    let samples = try prediction.withFrames { parts.synthesis.samples($0, pitch: pitch, seed: seed) }
    guard let range = SoundingRange(samples) else { return }
    var times = SpeechTimes(
      tokens: tokens, durations: prediction.durations, range: range, speed: speed)
    let sound = Array(samples[range.kept])
    times.move(to: aligner.refined(times.phones, samples: sound, sampleRate: sampleRate))
    let offset = speech.samples.count
    speech.samples += sound
    speech.phones += times.phones.map {
      PhoneTiming(
        symbol: $0.symbol, start: $0.start + offset, end: $0.end + offset, isStressed: $0.isStressed)
    }
    for (index, time) in times.words {
      let start = words[index]?.lowerBound ?? time.lowerBound + offset
      words[index] = start..<time.upperBound + offset
    }
    // Pitch frames keep their grid of 300 samples within each run.
    let first = range.kept.lowerBound / SpectralSynthesis.hop
    let count =
      (speech.samples.count + SpectralSynthesis.hop - 1) / SpectralSynthesis.hop - speech.pitch.count
    speech.pitch += (0..<max(0, count)).map { first + $0 < pitch.count ? pitch[first + $0] : 0 }
  }

  /// Every written word; those that cannot be said take no time.
  private static func words(_ written: [String], _ times: [Int: Range<Int>]) -> [WordTiming] {
    var at = times.values.map(\.lowerBound).min() ?? 0
    return written.enumerated().map { index, text in
      let time = times[index] ?? at..<at
      at = time.upperBound
      return WordTiming(text: text, start: time.lowerBound, end: time.upperBound)
    }
  }

  private func resampled(_ speech: SynthesizedSpeech, to rate: Int) -> SynthesizedSpeech {
    guard rate != speech.sampleRate else { return speech }
    let clip = StreamingResampler.convert(
      AudioClip(samples: speech.samples, sampleRate: speech.sampleRate), to: rate)
    func scaled(_ position: Int) -> Int { min(position * rate / speech.sampleRate, clip.samples.count) }
    var result = speech
    result.samples = clip.samples
    result.sampleRate = rate
    for index in result.phones.indices {
      result.phones[index].start = scaled(result.phones[index].start)
      result.phones[index].end = scaled(result.phones[index].end)
    }
    if let last = result.phones.indices.last { result.phones[last].end = clip.samples.count }
    for index in result.words.indices {
      result.words[index].start = scaled(result.words[index].start)
      result.words[index].end = scaled(result.words[index].end)
    }
    return result
  }

  private func check(_ text: String, _ options: TtsOptions) throws {
    if let voice = options.voice, !voices.contains(voice) {
      throw SDKException(
        .voiceNotAvailable, category: .validation, "The model has no voice \"\(voice)\".",
        recoverySuggestion: "Choose one of: \(voices.joined(separator: ", ")).")
    }
    guard options.language.lowercased().hasPrefix("en") else {
      throw SDKException(
        .languageNotSupported, category: .validation,
        "The voice speaks English only, not \(options.language).", recoverySuggestion: "Ask for \"en-US\".")
    }
    guard text.utf8.count <= Self.longestText else {
      throw SDKException(
        .textTooLong, category: .validation,
        "The text has \(text.utf8.count) bytes; one call takes \(Self.longestText).",
        recoverySuggestion: "Speak it clause by clause.")
    }
    guard options.speed.isFinite, options.speed > 0, options.pitch.isFinite, options.pitch > 0,
      options.sampleRate == 0 || (4_000...192_000).contains(options.sampleRate)
    else {
      throw SDKException(
        .invalidParameter, category: .validation,
        "Speed and pitch must be above 0, and the sample rate 0 or 4000 to 192000.",
        recoverySuggestion: "Use speed and pitch 0.5 to 2.")
    }
  }

  /// Equal texts get equal noise.
  private static func seed(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
