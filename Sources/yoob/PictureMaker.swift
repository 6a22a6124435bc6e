import Foundation
import YoobPicture
import VoiceAudio
import YoobStudio

/// Makes the still pictures of a character: the contact sheet and the filmstrip.
enum PictureMaker {
  /// Options of films that still pictures have no use for.
  private static let unused = [
    "--output", "--frames", "--visemes", "--stt", "--fps", "--aspect", "--background", "--subtitles",
    "--transparent", "--burn-in",
  ]

  /// Runs `yoob render --sheet` and `yoob render SPEECH.wav --filmstrip`.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let option = arguments["--sheet"] == nil ? "--filmstrip" : "--sheet"
    guard let output = arguments[option] else { return 0 }
    try check(arguments, option: option, output: output)
    let side = try arguments.integer("--size", in: 128...512, default: 240)
    let options = try FilmOptions(arguments, shorterSide: 720)
    try SoundFile.checkWritable(output)
    try SoundFile.checkDistinct(inputs: arguments.positional, outputs: [output])
    // What is shown, and what the face hears ahead of it.
    let shown = Double(Filmstrip.most) * Filmstrip.step
    let clips = try arguments.positional.map { try SoundReader($0).read(seconds: shown + 3) }
    let (face, atlas) = try FilmMaker.face(try options.openPack())
    let bar = ProgressBar("Drawing", isQuiet: arguments.has("--quiet"))
    defer { bar.finish() }
    let sheet: ContactSheet
    if option == "--sheet" {
      sheet = try CharacterSheet.draw(face, atlas: atlas, side: side) { bar.update($0) }
    } else {
      face.setEmotion(options.emotion)
      let timeline = FaceTimeline.sequence(clips, tail: 0.16)
      sheet = try Filmstrip.draw(timeline, face: face, atlas: atlas, side: side) { bar.update($0) }
      if timeline.duration > shown, !arguments.has("--quiet") {
        Console.note(String(format: "The strip shows the first %.1f s.", shown))
      }
    }
    try SoundFile.write(Data(try PNGImage.encode(try sheet.captioned())), to: output)
    bar.finish()
    Console.noteWritten([output], isQuiet: arguments.has("--quiet"))
    return 0
  }

  private static func check(_ arguments: Arguments, option: String, output: String) throws {
    if arguments["--sheet"] != nil, arguments["--filmstrip"] != nil {
      throw UsageError("--sheet and --filmstrip exclude each other.")
    }
    for name in unused where arguments[name] != nil || arguments.has(name) {
      throw UsageError("\(option) and \(name) exclude each other.")
    }
    guard output.lowercased().hasSuffix(".png") else {
      throw UsageError("\(output) does not end in .png.")
    }
    if option == "--sheet" {
      guard arguments.positional.isEmpty else { throw UsageError("--sheet takes no recording.") }
      guard arguments["--emotion"] == nil else {
        throw UsageError("--sheet shows every emotion; leave --emotion out.")
      }
    } else {
      guard arguments.positional.count == 1 else { throw UsageError("--filmstrip takes one WAV file.") }
    }
  }
}
