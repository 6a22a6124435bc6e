@testable import YoobPack

/// What a hostile or broken publisher may put into a manifest, signed with the right key.
enum ManifestHarm: CaseIterable, Sendable {
  case path, doubledPath, fileAsFolder, ownName
  case tooManyBytes, tooManyFiles, tooManyChunks, hugeChunk, emptyChunk, negativeSize, overflow
  case wrongSum, wrongHashForm, twoSizesOfOneHash, onlyChunkDiffers
  case tier, poster, idleFrame, idleSpeed, size, displayName, noFiles
  case version, characterID, minSDKForm
  case schema, engine, newerSDK
  case otherCharacter, otherVersion

  /// Whether it makes megabytes, which take their time.
  var isLarge: Bool { self == .tooManyFiles || self == .tooManyChunks }

  static let paths = [
    "../evil", "/etc/passwd", "a/../../b", "a\\..\\b", "C:/x", "con", "a/NUL.txt", "x\u{0}y", "x\ny", "a//b",
    ".",
    "a/.", "trailing.", "trailing ", "x\u{202E}y", "x:y", "lpt1.bin",
    String(repeating: "d/", count: 300) + "x",
  ]

  /// Harms the pack; returns the name of the error that must come of it.
  func inflict(on made: inout MadePack, using generator: inout SeededGenerator) -> String {
    let file = Int.random(in: 0..<made.manifest.files.count, using: &generator)
    let hash = String(repeating: "ab", count: 32)
    switch self {
    case .path: made.manifest.files[file].path = Self.paths.randomElement(using: &generator) ?? ".."
    case .doubledPath:
      var copy = made.manifest.files[file]
      copy.path = Bool.random(using: &generator) ? copy.path : copy.path.uppercased()
      made.manifest.files.append(copy)
    case .fileAsFolder:
      var copy = made.manifest.files[file]
      copy.path += "/inside"
      made.manifest.files.insert(copy, at: Int.random(in: 0...file, using: &generator))
    case .ownName: made.manifest.files[file].path = "Character.json"
    case .tooManyBytes:
      let count = Int.random(in: 33...60, using: &generator)
      let chunks = Array(repeating: CharacterManifest.File.Chunk(sha256: hash, size: 16 << 20), count: count)
      made.manifest.files.append(
        .init(
          path: "bomb", size: count << 24, sha256: String(repeating: "cd", count: 32), tier: 3, chunks: chunks
        ))
    case .tooManyFiles:
      for number in 0...PackLimits.files {
        made.manifest.files.append(
          .init(path: "f\(number)", size: 0, sha256: emptyHash, tier: 3, chunks: []))
      }
    case .tooManyChunks:
      let count = PackLimits.chunks + Int.random(in: 1...9, using: &generator)
      let chunks = Array(repeating: CharacterManifest.File.Chunk(sha256: hash, size: 1), count: count)
      made.manifest.files.append(
        .init(path: "bomb", size: count, sha256: String(repeating: "cd", count: 32), tier: 3, chunks: chunks))
    case .hugeChunk: resize(&made, file, to: (16 << 20) + Int.random(in: 1...9, using: &generator))
    case .emptyChunk: resize(&made, file, to: 0)
    case .negativeSize: resize(&made, file, to: -Int.random(in: 1...(1 << 40), using: &generator))
    case .overflow: resize(&made, file, to: Int.max)
    case .wrongSum: made.manifest.files[file].size += Int.random(in: 1...5, using: &generator)
    case .wrongHashForm:
      let wrong = ["", "abc", hash.uppercased(), hash + "0", String(repeating: "g", count: 64), "../" + hash]
      made.manifest.files[file].chunks[0].sha256 = wrong.randomElement(using: &generator) ?? ""
    case .twoSizesOfOneHash:
      made.manifest.files.append(
        .init(
          path: "second", size: 1, sha256: made.manifest.files[file].sha256, tier: 3,
          chunks: [.init(sha256: made.manifest.files[file].sha256, size: 1)]))
    case .onlyChunkDiffers: made.manifest.files[0].chunks[0].sha256 = hash
    case .tier: made.manifest.files[file].tier = Bool.random(using: &generator) ? -1 : 4
    case .poster: made.manifest.poster = "other.jpg"
    case .idleFrame: made.manifest.idle = .init(frames: ["poster.jpg", "gone.jpg"], fps: 8)
    case .idleSpeed:
      made.manifest.idle = .init(frames: [], fps: [0, -1, 60.5, 1e9].randomElement(using: &generator) ?? 0)
    case .size: made.manifest.width = [0, -1, 4097, Int.max].randomElement(using: &generator) ?? 0
    case .displayName:
      made.manifest.displayName =
        ["", "a\u{1B}[2J", "a\u{202E}b", String(repeating: "x", count: 257)].randomElement(using: &generator)
        ?? ""
    case .noFiles: made.manifest.files = []
    case .version:
      made.manifest.version =
        ["1", "latest", "../2026.11.30.1", "2026.11.30.01"].randomElement(using: &generator) ?? ""
    case .characterID:
      made.manifest.character = ["../luna", "Luna", "", "lu/na"].randomElement(using: &generator) ?? ""
    case .minSDKForm: made.manifest.minSDK = ["", "1", "1.2", "1.x.0"].randomElement(using: &generator) ?? ""
    case .schema: made.manifest.schema = Bool.random(using: &generator) ? 0 : 2
    case .engine: made.manifest.engine = ["realistic", "", "Puppet"].randomElement(using: &generator) ?? ""
    case .newerSDK: made.manifest.minSDK = "1.0.\(Int.random(in: 1...99, using: &generator))"
    case .otherCharacter: made.manifest.character = "sol"
    case .otherVersion: made.manifest.version = "2026.11.30.2"
    }
    switch self {
    case .schema, .engine, .newerSDK: return "unsupported"
    case .otherCharacter, .otherVersion: return "otherPack"
    default: return "invalidManifest"
    }
  }

  private func resize(_ made: inout MadePack, _ file: Int, to size: Int) {
    made.manifest.files[file].size = size
    made.manifest.files[file].chunks = [.init(sha256: made.manifest.files[file].sha256, size: size)]
  }

  private var emptyHash: String { "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" }
}
