import YoobPack

/// A pack as `inspect --json` shows it.
struct PackDocument: Encodable {
  struct File: Encodable {
    let path: String
    let size: Int
    let sha256: String
    let tier: Int
    let chunks: Int
  }

  let character: String
  let version: String
  let displayName: String
  let engine: String
  let width: Int
  let height: Int
  let poster: String
  let minSDK: String?
  let signedBy: String?
  let bytes: Int
  let files: [File]

  enum CodingKeys: String, CodingKey {
    case character, version, engine, width, height, poster, bytes, files
    case displayName = "display_name"
    case minSDK = "min_sdk"
    case signedBy = "signed_by"
  }

  init(_ manifest: CharacterManifest, signedBy: String?) {
    character = manifest.character
    version = manifest.version
    displayName = manifest.displayName
    engine = manifest.engine
    width = manifest.width
    height = manifest.height
    poster = manifest.poster
    minSDK = manifest.minSDK
    self.signedBy = signedBy
    bytes = manifest.files.reduce(0) { $0 + $1.size }
    files = manifest.files.map {
      File(path: $0.path, size: $0.size, sha256: $0.sha256, tier: $0.tier, chunks: $0.chunks.count)
    }
  }
}
