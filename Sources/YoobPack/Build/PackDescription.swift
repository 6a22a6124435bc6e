/// What an author writes about a character: a manifest whose files may be left to the builder.
struct PackDescription: Decodable {
  struct File: Decodable {
    let path: String
    let tier: Int?
  }

  let schema: Int?
  let character: String
  let version: String
  let engine: String?
  let displayName: String
  let width: Int
  let height: Int
  let crop: CharacterManifest.Crop?
  let poster: String
  let idle: CharacterManifest.Idle?
  let minSDK: String?
  let files: [File]?

  func manifest(with files: [CharacterManifest.File]) -> CharacterManifest {
    CharacterManifest(
      schema: schema ?? 1, character: character, version: version, engine: engine ?? "puppet",
      displayName: displayName, width: width, height: height, crop: crop, poster: poster, idle: idle,
      minSDK: minSDK, files: files)
  }
}
