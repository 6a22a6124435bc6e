import Testing

@testable import YoobPack

@Suite("Character manifest")
struct ManifestTests {
  static let hash = String(repeating: "a", count: 64)

  static func manifest(
    path: String = "poster.jpg", chunkSize: Int = 10, size: Int = 10, poster: String = "poster.jpg"
  ) -> CharacterManifest {
    CharacterManifest(
      schema: 1, character: "luna-anime", version: "2026.11.30.1", engine: "puppet",
      displayName: "Luna", width: 1080, height: 1920, poster: poster, idle: nil, minSDK: nil,
      files: [
        .init(
          path: path, size: size, sha256: hash, tier: 0,
          chunks: [.init(sha256: hash, size: chunkSize)])
      ])
  }

  @Test("a manifest that follows every rule is accepted")
  func accepted() throws {
    try Self.manifest().validate()
  }

  @Test(
    "a path that could leave the pack is refused",
    arguments: ["/poster.jpg", "../poster.jpg", "a/../b", "a//b", "a\\b", "./a", "", "a/"])
  func unsafePath(path: String) {
    #expect(throws: PackError.self) { try Self.manifest(path: path, poster: path).validate() }
  }

  @Test("chunks that do not add up to the file are refused")
  func wrongSum() {
    #expect(throws: PackError.self) { try Self.manifest(chunkSize: 9).validate() }
  }

  @Test("a poster that is not among the files is refused")
  func missingPoster() {
    #expect(throws: PackError.self) { try Self.manifest(poster: "other.jpg").validate() }
  }

  @Test(
    "only lowercase letters, digits and hyphens name a character",
    arguments: [
      ("luna", true), ("luna-2", true), ("-luna", false), ("Luna", false), ("", false),
      ("lu na", false), ("a/b", false), (String(repeating: "a", count: 65), false),
    ])
  func ids(text: String, isValid: Bool) {
    #expect(CharacterManifest.isCharacterID(text) == isValid)
  }
}
