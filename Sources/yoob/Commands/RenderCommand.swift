import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobStudio

/// `yoob render`: makes a talking film of any speech.
struct RenderCommand {
  static let usage = """
    Usage: yoob render SPEECH.wav… --output OUT.mp4 | --frames DIR [OPTIONS]
           yoob render SPEECH.wav --visemes OUT.json
           yoob render SPEECH.wav --filmstrip OUT.png [OPTIONS]
           yoob render --sheet OUT.png [OPTIONS]

    Makes the character speak a recording. Several recordings become chapters of
    one film.
      --output FILE    the film: .mp4, .webm or .mov
      --frames DIR     the frames as PNG files instead; those of an earlier film in
                       DIR are written over, and those left over removed
      --visemes FILE   the mouth as JSON: 15 viseme weights every 10 ms
      --filmstrip FILE a picture of the face every 80 ms, for the first 9.6 s (.png)
      --sheet FILE     a picture of all that the character can do (.png)
      --character ID   who speaks (default: luna-anime)
    \(FilmOptions.usage)
        --frames takes --transparent too; --size of a picture in a sheet or
        filmstrip is 128 to 512 (default 240)
      --stt ID         the model that hears the words of the subtitles
      --quiet          no progress, and no word of what was written
    """

  static func run(_ words: [String]) async throws -> Int32 {
    let arguments = try Arguments(
      words,
      options: Set(["--output", "--frames", "--visemes", "--stt", "--sheet", "--filmstrip"]).union(
        FilmOptions.options),
      flags: FilmOptions.flags.union(["--quiet"]))
    if arguments["--sheet"] != nil || arguments["--filmstrip"] != nil {
      return try PictureMaker.run(arguments)
    }
    guard !arguments.positional.isEmpty else { throw UsageError("Name at least one WAV file.") }
    let output = arguments["--output"]
    let frames = arguments["--frames"]
    guard output != nil || frames != nil || arguments["--visemes"] != nil else {
      throw UsageError("--output, --frames, --visemes, --filmstrip or --sheet is missing.")
    }
    guard output == nil || frames == nil else {
      throw UsageError("--output and --frames exclude each other.")
    }
    if let output {
      guard try FilmOptions.isFilm(output) else {
        throw UsageError("\(output) is a sound file's name. A film ends in .mp4, .webm or .mov.")
      }
      try SoundFile.checkWritable(output)
    }
    if let frames { try SoundFile.checkFolder(frames) }
    let options = try FilmOptions(arguments)
    if let output { try options.check(output) }
    try SoundFile.checkDistinct(
      inputs: arguments.positional, outputs: [output, arguments["--visemes"], options.subtitles])
    if options.burnsIn, output == nil { throw UsageError("--burn-in needs --output.") }
    if options.subtitles != nil, output == nil, frames == nil {
      throw UsageError("--subtitles needs --output or --frames.")
    }
    if output == nil, frames == nil { try FilmOptions.checkNone(arguments) }
    if let path = arguments["--visemes"] { try SoundFile.checkWritable(path) }
    let quiet = arguments.has("--quiet")
    let recordings = try arguments.positional.map(SoundReader.init)
    if let path = arguments["--visemes"] {
      try VisemeDocument.write(recordings, pack: try options.openPack(), to: path)
      // The mouth alone does not need the whole sound at once.
      if output == nil, frames == nil {
        Console.noteWritten([path], isQuiet: quiet)
        return 0
      }
    }
    let clips = try SoundFile.read(arguments.positional, hours: SoundFile.longestFilm)
    let titles = arguments.positional.map {
      URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
    }
    var spoken: [[WordTiming]] = []
    if options.subtitles != nil || options.burnsIn {
      spoken = try await SpokenWords.find(in: clips, stt: arguments["--stt"], quiet: quiet)
    }
    if let output {
      try FilmMaker.make(
        clips: clips, visemes: [], words: spoken, titles: titles, output: output, options: options,
        quiet: quiet)
    } else if let frames {
      try FilmMaker.makeFrames(clips: clips, words: spoken, folder: frames, options: options, quiet: quiet)
    }
    Console.noteWritten(
      [output, frames.map { "the frames in \($0)" }, arguments["--visemes"], options.subtitles],
      isQuiet: quiet)
    return 0
  }
}

/// Finds the words of recordings for subtitles.
enum SpokenWords {
  /// Words with their places in samples of each clip. Recognizers that give no word times share a
  /// stretch of speech out among its words by their length.
  static func find(
    in clips: [AudioClip], stt: String?, quiet: Bool
  ) async throws -> [[WordTiming]] {
    let engine = try await LocalEngines.stt(stt, threads: 0)
    let detector = try await LocalEngines.vad().makeDetector()
    let bar = ProgressBar("Subtitles", isQuiet: quiet)
    defer { bar.finish() }
    var found: [[WordTiming]] = []
    for (index, clip) in clips.enumerated() {
      let samples = StreamingResampler.convert(clip, to: 16_000).samples
      var words: [WordTiming] = []
      let stretches = try SpeechStretches.find(in: samples, detector: detector)
      for (number, stretch) in stretches.enumerated() {
        bar.update((Double(index) + Double(number) / Double(stretches.count)) / Double(clips.count))
        let result = try await engine.transcribe(Array(samples[stretch]), options: SttOptions())
        words += spread(result.text, over: stretch, rate: clip.sampleRate)
      }
      found.append(words)
    }
    return found
  }

  /// Shares a stretch of 16 kHz sound out among the words of `text`.
  static func spread(_ text: String, over stretch: Range<Int>, rate: Int) -> [WordTiming] {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let total = words.reduce(0) { $0 + $1.count + 1 }
    guard total > 0 else { return [] }
    func sample(_ characters: Int) -> Int {
      let position = Double(stretch.lowerBound) + Double(stretch.count * characters) / Double(total)
      return Int(position * Double(rate) / 16_000)
    }
    var done = 0
    return words.map { word in
      let start = sample(done)
      done += word.count + 1
      return WordTiming(text: word, start: start, end: sample(done))
    }
  }
}

/// Finds where speech is in a recording.
enum SpeechStretches {
  /// Ranges of 16 kHz samples that hold speech, pauses under 0.4 s joined, at most 12 s each.
  static func find(in samples: [Float], detector: any SpeechDetector) throws -> [Range<Int>] {
    detector.reset()
    let size = detector.windowSize
    var stretches: [Range<Int>] = []
    var start = 0
    while start < samples.count {
      var window = Array(samples[start..<min(start + size, samples.count)])
      window += [Float](repeating: 0, count: size - window.count)
      if try detector.probability(window) >= 0.5 {
        let from = max(0, start - 2 * size)
        let to = min(samples.count, start + 3 * size)
        if let last = stretches.last, from - last.upperBound < 6_400, to - last.lowerBound < 192_000 {
          stretches[stretches.count - 1] = last.lowerBound..<to
        } else {
          stretches.append(max(from, stretches.last?.upperBound ?? 0)..<to)
        }
      }
      start += size
    }
    return stretches
  }
}
