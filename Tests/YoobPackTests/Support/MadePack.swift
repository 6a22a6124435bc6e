import Foundation
import YoobCrypto

@testable import YoobPack

/// A character that was made in memory, signed, with its chunks.
struct MadePack: Sendable {
  static let keyID = "studio-1"

  var manifest: CharacterManifest
  var contents: [String: [UInt8]]
  var chunks: [String: [UInt8]]

  static func key(_ seed: UInt8 = 7) throws -> SigningKey {
    try SigningKey(id: keyID, privateKey: Ed25519PrivateKey(seed: Array(repeating: seed, count: 32)))
  }

  static func trusted() throws -> TrustedKeys { [keyID: try key().privateKey.publicKey] }

  /// A pack of files, each (path, bytes, tier); the first is the poster.
  init(
    _ files: [(path: String, bytes: [UInt8], tier: Int)], version: String = "2026.11.30.1",
    character: String = "luna", chunkBytes: Int = 1024, minSDK: String? = nil
  ) throws {
    var entries: [CharacterManifest.File] = []
    contents = [:]
    chunks = [:]
    for file in files {
      var parts: [CharacterManifest.File.Chunk] = []
      for start in stride(from: 0, to: file.bytes.count, by: chunkBytes) {
        let part = Array(file.bytes[start..<min(start + chunkBytes, file.bytes.count)])
        let hash = try SHA256Digest.of(part).hex
        chunks[hash] = part
        parts.append(.init(sha256: hash, size: part.count))
      }
      contents[file.path] = file.bytes
      entries.append(
        .init(
          path: file.path, size: file.bytes.count, sha256: try SHA256Digest.of(file.bytes).hex,
          tier: file.tier, chunks: parts))
    }
    manifest = CharacterManifest(
      schema: 1, character: character, version: version, engine: "puppet", displayName: "Luna",
      width: 1080, height: 1920, poster: files.first?.path ?? "", idle: nil, minSDK: minSDK, files: entries)
  }

  /// A small pack with all tiers: 12 chunks of up to 1 KiB.
  static func usual(version: String = "2026.11.30.1", seed: UInt64 = 1) throws -> MadePack {
    var generator = SeededGenerator(seed: seed)
    return try MadePack(
      [
        ("poster.jpg", generator.bytes(900), 0), ("idle/1.jpg", generator.bytes(500), 1),
        ("puppet.bin", generator.bytes(4500), 2), ("atlas.png", generator.bytes(3072), 2),
        ("extra.bin", generator.bytes(1500), 3),
      ], version: version)
  }

  func signed(with key: SigningKey? = nil) throws -> SignedManifest {
    try (key ?? Self.key()).sign(manifest: manifest.json)
  }

  /// An envelope with a right signature around any bytes, also those of a manifest that breaks rules.
  static func envelope(around payload: [UInt8], key: SigningKey? = nil) throws -> [UInt8] {
    let key = try key ?? Self.key()
    return SignedManifest(keyID: key.id, payload: payload, signature: try key.privateKey.sign(payload)).json
  }

  /// Writes the files and the unsigned manifest into a folder.
  func write(to folder: URL) throws {
    for (path, bytes) in contents {
      let url = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
    try Data(manifest.json).write(to: folder.appendingPathComponent("character.json"))
  }

  static let sdk = SDKVersion("1.0.0")

  func request(latest: Bool = true) throws -> PackRequest {
    PackRequest(
      character: manifest.character, version: latest ? nil : manifest.version, keys: try Self.trusted(),
      sdk: try Self.usualSDK())
  }

  static func usualSDK() throws -> SDKVersion {
    guard let sdk else { throw PackError.unsupported(reason: "no SDK version") }
    return sdk
  }
}

/// A folder for one test.
struct TestFolder: ~Copyable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("yoob-pack-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
