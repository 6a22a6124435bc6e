import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobFace
import YoobPack
import YoobPicture
import YoobStudio

/// Turns timelines into films and pictures.
enum FilmMaker {
  /// Where frames go: a film, or a folder of pictures.
  private enum Target {
    case film(VideoWriter)
    case folder(FrameFolder)
  }

  /// Makes a film of recordings, one after another; several become chapters.
  static func make(
    clips: [AudioClip], visemes: [[[Float]]], prosody: [[Float]] = [], words: [[WordTiming]],
    titles: [String], output: String, options: FilmOptions, quiet: Bool
  ) throws {
    let timeline = FaceTimeline.sequence(clips, visemes: visemes, prosody: prosody)
    let chapters =
      clips.count < 2
      ? []
      : zip(timeline.utterances, titles).map {
        VideoWriter.Chapter(title: $1, start: $0.start, end: $0.end)
      }
    try make(
      timeline, words: words, chapters: chapters, output: output, options: options, quiet: quiet)
  }

  /// Makes a film of a timeline. `words` are those of each utterance, in samples of it.
  static func make(
    _ timeline: FaceTimeline, words: [[WordTiming]], chapters: [VideoWriter.Chapter] = [],
    output: String, options: FilmOptions, quiet: Bool
  ) throws {
    let size = options.frameSize
    let captions = captions(timeline, words: words, options: options)
    let subtitles = try grow(captions, to: options.subtitles)
    let writer = try VideoWriter(
      output: URL(fileURLWithPath: output), width: size.width, height: size.height, fps: options.fps,
      sound: timeline.sound(sampleRate: 48_000), isTransparent: options.isTransparent,
      chapters: chapters, subtitles: options.burnsIn && captions != "" ? captions : nil)
    do {
      try draw(timeline, to: .film(writer), options: options, quiet: quiet)
      try writer.finish()
      try subtitles?.commit()
    } catch {
      writer.cancel()
      throw error
    }
  }

  /// Writes the frames of recordings as PNG files named by their number.
  static func makeFrames(
    clips: [AudioClip], words: [[WordTiming]], folder: String, options: FilmOptions, quiet: Bool
  ) throws {
    let timeline = FaceTimeline.sequence(clips)
    let pictures = try FrameFolder(folder)
    let subtitles = try grow(captions(timeline, words: words, options: options), to: options.subtitles)
    try draw(timeline, to: .folder(pictures), options: options, quiet: quiet)
    pictures.finish()
    try subtitles?.commit()
  }

  /// Mouth frames of known phones: 15 weights, 100 a second, for `count` samples; none without phones.
  static func visemes(of phones: [PhoneTiming], count: Int, rate: Int) -> [[Float]] {
    guard !phones.isEmpty else { return [] }
    let frames = PhoneMouth.frames(
      of: phones.map { MouthPhone(symbol: $0.symbol, start: $0.start, end: $0.end) }, sampleRate: rate,
      length: count)
    return stride(from: 0, to: frames.count, by: 15).map { Array(frames[$0..<$0 + 15]) }
  }

  private static func draw(
    _ timeline: FaceTimeline, to target: Target, options: FilmOptions, quiet: Bool
  ) throws {
    let (engine, atlas) = try face(try options.openPack())
    engine.setEmotion(options.emotion)
    let size = options.frameSize
    let renderer = try FrameRenderer(
      puppet: engine.puppet, atlas: atlas, width: size.width, height: size.height,
      framing: options.aspect == .portrait ? .canvas : .headAndShoulders,
      background: try background(options))
    let player = FacePlayer(engine: engine, timeline: timeline)
    let count = max(1, Int((timeline.duration * Double(options.fps)).rounded(.up)))
    let bar = ProgressBar("Drawing", isQuiet: quiet)
    defer { bar.finish() }
    let start = MonotonicClock().now
    for index in 0..<count {
      let time = Double(index) / Double(options.fps)
      player.advance(to: time)
      let pixels = renderer.render(engine)
      switch target {
      case .film(let writer):
        try writer.append(pixels)
      case .folder(let folder):
        try folder.append(Picture(width: size.width, height: size.height, pixels: Array(pixels)))
      }
      let spent = MonotonicClock().now - start
      bar.update(
        Double(index + 1) / Double(count),
        remark: spent > 0.5 ? String(format: "%.1f x real time", time / spent) : "")
    }
  }

  /// The face of a pack and its atlas, every file checked.
  static func face(_ pack: LocalPack) throws -> (engine: FaceEngine, atlas: PixelImage) {
    do {
      let engine = try FaceEngine(
        puppet: try pack.read("puppet.bin"), mouth: try pack.read("mouth.bin"), seed: 1)
      return (engine, try PNGImage.decode(try pack.read("atlas.png"), name: "atlas.png").atlas)
    } catch let error as FaceError {
      throw FileFault("\(pack.folder.path): \(error.message)")
    }
  }

  private static func background(_ options: FilmOptions) throws -> FrameRenderer.Background {
    if options.isTransparent { return .none }
    guard let url = options.background else { return .own }
    let size = options.frameSize
    return .picture(try Picture.covering(width: size.width, height: size.height, contentsOf: url))
  }

  /// The text of the subtitles, empty where nobody speaks; nil when nobody wants any.
  private static func captions(
    _ timeline: FaceTimeline, words: [[WordTiming]], options: FilmOptions
  ) -> String? {
    guard options.subtitles != nil || options.burnsIn else { return nil }
    let timed = zip(timeline.utterances, words).flatMap { utterance, words in
      words.map { word in
        let rate = Double(utterance.clip.sampleRate)
        return (
          text: word.text, start: utterance.start + Double(word.start) / rate,
          end: utterance.start + Double(word.end) / rate
        )
      }
    }
    if timed.isEmpty { Console.note("No speech was found, so there are no subtitles.") }
    return SubRip.format(SubRip.cues(words: timed))
  }

  /// The file of the subtitles, which waits for `commit()`: a film that fails leaves the old ones in place.
  private static func grow(_ captions: String?, to path: String?) throws -> GrowingFile? {
    guard let captions, let path else { return nil }
    let file = try GrowingFile(path)
    try file.write(captions.utf8)
    return file
  }
}
