import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO

/// `yoob say`: speaks a text into a sound file or a film.
struct SayCommand {
  static let usage = """
    Usage: yoob say TEXT|- --output OUT.wav|OUT.mp4 [OPTIONS]

    Speaks a text; `-` reads it from standard input. A film shows the character
    saying it.
      --output FILE    .wav for sound; .mp4, .webm or .mov for a film
      --visemes FILE   the mouth as JSON, as `yoob render` writes it, the times of
                       phones and words, and the melody: Hz and stress 50 times a
                       second
      --tts ID         the model that speaks (default: see yoob models list)
      --voice NAME     a voice inside the model
      --speed X        0.5 to 2; 1 is the voice's own pace
      --threads N      threads of the voice, 1 to 64
      --character ID   who says it in a film (default: luna-anime)
    \(FilmOptions.usage)
      --quiet          no progress, and no word of what was written
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(
      words,
      options: Set(["--output", "--visemes", "--tts", "--voice", "--speed", "--threads"]).union(
        FilmOptions.options),
      flags: FilmOptions.flags.union(["--quiet"]))
    guard arguments.positional.count == 1, let given = arguments.positional.first else {
      throw UsageError("Give one text, in quotes, or - to read it from standard input.")
    }
    guard let output = arguments["--output"] else { throw UsageError("--output is missing.") }
    let film = try FilmOptions(arguments)
    var options = TtsOptions()
    options.voice = arguments["--voice"]
    if let text = arguments["--speed"] {
      guard let speed = Float(text), (0.5...2).contains(speed) else {
        throw UsageError("--speed takes a number from 0.5 to 2, not “\(text)”.")
      }
      options.speed = speed
    }
    let isFilm = try FilmOptions.isFilm(output)
    try SoundFile.checkDistinct(inputs: [], outputs: [output, arguments["--visemes"], film.subtitles])
    if isFilm { try film.check(output) } else { try FilmOptions.checkNone(arguments) }
    try SoundFile.checkWritable(output)
    if let path = arguments["--visemes"] { try SoundFile.checkWritable(path) }
    let quiet = arguments.has("--quiet")
    let text = given == "-" ? try standardInput() : given
    let threads = try arguments.integer("--threads", in: 1...64, default: 0)
    let engine = try await LocalEngines.tts(arguments["--tts"], threads: threads)
    let speech = try await Narrator(engine: engine, options: options).speak(text, quiet: quiet)
    if let path = arguments["--visemes"] { try VisemeDocument.write(speech, to: path) }
    let clip = AudioClip(samples: speech.samples, sampleRate: speech.sampleRate)
    if isFilm {
      let visemes = FilmMaker.visemes(of: speech.phones, count: clip.samples.count, rate: clip.sampleRate)
      try FilmMaker.make(
        clips: [clip], visemes: [visemes], prosody: [speech.prosody.interleaved], words: [speech.words],
        titles: [given], output: output, options: film, quiet: quiet)
    } else {
      try SoundFile.write(clip, to: output)
    }
    Console.noteWritten([output, arguments["--visemes"], film.subtitles], isQuiet: quiet)
    return 0
  }

  private static func standardInput() throws -> String {
    let limit = 1 << 20
    let data = (try FileHandle.standardInput.read(upToCount: limit + 1)) ?? Data()
    guard data.count <= limit else { throw FileFault("The text is longer than 1 MiB. Split it.") }
    return String(decoding: data, as: UTF8.self)
  }
}

/// Speaks whole texts clause by clause, with the pauses that punctuation asks for.
struct Narrator {
  let engine: any TtsEngine
  var options = TtsOptions()

  /// Speech of `text` with the times of its phones and words.
  func speak(_ text: String, quiet: Bool) async throws -> SynthesizedSpeech {
    var splitter = ClauseSplitter()
    let clauses = (splitter.process(text) + splitter.finish()).filter { $0.ending != .code }
      .map { (ending: $0.ending, spoken: SpeechText($0.text, language: options.language)) }
      .filter { !$0.spoken.words.isEmpty }
    try await check(clauses.map(\.spoken.text).joined(separator: " "))
    var speech = SynthesizedSpeech(samples: [], sampleRate: engine.sampleRate)
    let bar = ProgressBar("Speaking", isQuiet: quiet)
    defer { bar.finish() }
    for (index, clause) in clauses.enumerated() {
      try Task.checkCancellation()
      bar.update(Double(index) / Double(clauses.count))
      var part = try await engine.synthesize(clause.spoken.text, options: options)
      part.words = Self.written(part.words, of: clause.spoken)
      if !speech.samples.isEmpty { part = part.delayed(seconds: clauses[index - 1].ending.pause) }
      speech.append(part)
    }
    guard !speech.samples.isEmpty else {
      throw FileFault("There is nothing to say in this text. Give it some words.")
    }
    return speech
  }

  /// Refuses a text of which the voice knows nothing, and warns of characters that it does not know.
  private func check(_ text: String) async throws {
    let unknown = await engine.unknownCharacters(in: text)
    guard !unknown.isEmpty else { return }
    let most = 20
    let names =
      unknown.prefix(most).map(String.init).joined(separator: " ") + (unknown.count > most ? " …" : "")
    let isHopeless = text.allSatisfy { !($0.isLetter || $0.isNumber) || unknown.contains($0) }
    guard !isHopeless else {
      throw FileFault(
        "The voice cannot speak this text: it reads English and does not know \(names). Write it in Latin letters."
      )
    }
    Console.note(
      "\(Program.name) say: the voice reads English and does not know \(names): it leaves them out or guesses. "
        + "Write them in Latin letters."
    )
  }

  /// Times of the words as they were written; "five dollars" is heard and "$5" is read.
  static func written(_ words: [WordTiming], of spoken: SpeechText) -> [WordTiming] {
    guard words.count == spoken.words.count else { return words }
    var result: [WordTiming] = []
    var source = -1
    for (timing, word) in zip(words, spoken.words) {
      if word.source == source, !result.isEmpty {
        result[result.count - 1].end = timing.end
      } else {
        let text = spoken.written[word.source].trimmingCharacters(in: .whitespacesAndNewlines)
        result.append(WordTiming(text: text, start: timing.start, end: timing.end))
        source = word.source
      }
    }
    return result
  }
}
