import Foundation
import RunAnywhere
import YoobFace
import YoobPack
import YoobStudio

/// The options of every command that makes a film.
struct FilmOptions {
  /// The part of the canvas that is shown.
  enum Aspect: String, CaseIterable { case portrait, square, wide }

  static let options: Set<String> = [
    "--character", "--pack", "--keys", "--size", "--fps", "--aspect", "--emotion", "--background",
    "--subtitles",
  ]
  static let flags: Set<String> = ["--transparent", "--burn-in"]
  /// Those that hold for a window too.
  static let windowOptions: Set<String> = ["--size", "--aspect", "--emotion"]

  /// The options as they are explained; scripts/setup/help.sh reads this text too.
  static let usage = """
      Films:
        --pack DIR           a character's folder instead of --character
        --keys FILE          trusted keys, where that folder is signed
                             (yoob pack --help)
        --size N             the shorter side in pixels, 128 to 1080 (default 720)
        --fps N              frames per second, 1 to 60 (default 30)
        --aspect NAME        portrait (default), square or wide
        --emotion NAME       neutral, happy, sad, angry, surprised or thinking
        --background FILE    a picture (PNG or JPEG) behind the character
        --transparent        no background at all (.webm, .mov)
        --subtitles OUT.srt  also writes subtitles
        --burn-in            draws the subtitles into the film
    """

  var packFolder: URL
  /// Who may have signed it.
  var keys: TrustedKeys
  var size: Int
  var fps: Int
  var aspect: Aspect
  var emotion: FaceEmotion
  var background: URL?
  var isTransparent: Bool
  var subtitles: String?
  var burnsIn: Bool

  /// Reads the options; `shorterSide` stands for a `--size` that was read elsewhere.
  init(_ arguments: Arguments, shorterSide: Int? = nil) throws {
    guard arguments["--character"] == nil || arguments["--pack"] == nil else {
      throw UsageError("--character and --pack exclude each other.")
    }
    packFolder = try CharacterFolder.find(
      id: arguments["--character"] ?? "luna-anime", pack: arguments["--pack"])
    keys = try TrustedKeys.named(arguments["--keys"])
    size = try (shorterSide ?? arguments.integer("--size", in: 128...1080, default: 720)) & ~1
    fps = try arguments.integer("--fps", in: 1...60, default: 30)
    let aspects = Aspect.allCases.map(\.rawValue)
    aspect = Aspect(rawValue: try arguments.choice("--aspect", of: aspects, default: "portrait")) ?? .portrait
    let emotions = FaceEmotion.allCases.map { "\($0)" }
    let name = try arguments.choice("--emotion", of: emotions, default: "neutral")
    emotion = FaceEmotion.allCases.first { "\($0)" == name } ?? .neutral
    background = arguments["--background"].map { URL(fileURLWithPath: $0) }
    isTransparent = arguments.has("--transparent")
    guard background == nil || !isTransparent else {
      throw UsageError("--background and --transparent exclude each other.")
    }
    subtitles = arguments["--subtitles"]
    burnsIn = arguments.has("--burn-in")
    if let background { try SoundFile.checkReadable(background.path) }
    if let subtitles { try SoundFile.checkWritable(subtitles) }
  }

  /// Refuses options of films where none is made; who is in it may be named for all commands alike.
  static func checkNone(_ arguments: Arguments, besides allowed: Set<String> = []) throws {
    let given = options.union(flags).filter { arguments[$0] != nil || arguments.has($0) }
    let none = given.subtracting(["--character", "--pack", "--keys"]).subtracting(allowed)
    guard let option = none.min() else { return }
    throw UsageError("\(option) belongs to films: name an --output that ends in .mp4, .webm or .mov.")
  }

  /// Refuses options that the film that is asked for cannot follow.
  func check(_ output: String) throws {
    if SoundFile.isSpecial(output) {
      throw FileFault("\(output) is a pipe or a device, and a film needs a file. Name one.")
    }
    if isTransparent, output.lowercased().hasSuffix(".mp4") {
      throw UsageError("An .mp4 cannot be transparent. Use .webm or .mov.")
    }
  }

  /// Refuses early a character that cannot be opened.
  func checkCharacter() throws {
    _ = try openPack()
  }

  /// The character's files; those of a signed folder only with a key that is trusted.
  func openPack() throws -> LocalPack {
    do { return try LocalPack.open(packFolder, trusting: keys) } catch let PackError.keyNeeded(id) {
      throw FileFault(
        "\(packFolder.path) is signed with the key “\(id)”. Name a file with its public key by --keys.")
    }
  }

  /// Width and height of the film in pixels, both even.
  var frameSize: (width: Int, height: Int) { Self.frameSize(shorterSide: size, aspect) }

  private static func frameSize(shorterSide size: Int, _ aspect: Aspect) -> (width: Int, height: Int) {
    switch aspect {
    case .portrait: (size, size * 16 / 9 & ~1)
    case .square: (size, size)
    case .wide: (size * 16 / 9 & ~1, size)
    }
  }

  /// The window of a conversation: 480 pixels on the shorter side unless a size was given.
  func window(isSized: Bool) -> TalkWindow.Options {
    let shown = Self.frameSize(shorterSide: isSized ? size : 480, aspect)
    return TalkWindow.Options(
      pack: packFolder, keys: keys.mapValues(\.base64), width: shown.width, height: shown.height,
      emotion: emotion)
  }

  /// Whether a file name asks for a film; false for sound, and an error for anything else.
  static func isFilm(_ path: String) throws -> Bool {
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "wav": return false
    case "mp4", "webm", "mov": return true
    default:
      throw UsageError("\(path) ends in neither .wav nor .mp4, .webm or .mov.")
    }
  }
}

/// Finds the folder of a character.
enum CharacterFolder {
  /// The folder that `pack` names, or that of the built-in character `id`.
  static func find(id: String, pack: String?) throws -> URL {
    if let pack { return URL(fileURLWithPath: pack, isDirectory: true) }
    guard CharacterManifest.isCharacterID(id) else {
      throw UsageError("“\(id)” is not a character's id: lowercase letters, digits and hyphens.")
    }
    for root in roots {
      let folder = root.appendingPathComponent("\(id)/pack", isDirectory: true)
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent("character.json").path) {
        return folder
      }
    }
    throw FileFault("There is no character “\(id)” here. Name its folder with --pack.")
  }

  /// Where built-in characters lie: beside the checkout's sources.
  static var roots: [URL] {
    var roots: [URL] = []
    if let checkout = YoobHome.checkout {
      roots.append(checkout.appendingPathComponent("characters", isDirectory: true))
    }
    return roots
  }
}
