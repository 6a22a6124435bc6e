import Foundation
import VoiceAudio
import Yoob
import YoobCrypto
import YoobNet
import YoobPack

/// A signed character of random bytes, as a CDN serves it.
struct BenchCharacter {
  static let id = "bench-character"

  /// What a server serves.
  let tree: URL
  /// The one large file of it.
  let file: URL
  let keys: TrustedKeys
  let manifest: CharacterManifest

  /// Makes one of so many mebibytes, the same each time, under `base`.
  init(megabytes: Int, in base: URL) throws {
    let source = base.appendingPathComponent("source")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    var random = SplitMix64(seed: 7)
    file = source.appendingPathComponent("rest.bin")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let handle = try FileHandle(forWritingTo: file)
    for _ in 0..<megabytes {
      var words = [UInt64](repeating: 0, count: 1 << 17)
      for index in words.indices { words[index] = random.next() }
      try words.withUnsafeBytes { try handle.write(contentsOf: Data($0)) }
    }
    try handle.close()
    try Data([0xFF, 0xD8, 0xFF]).write(to: source.appendingPathComponent("poster.jpg"))
    let description = """
      {"schema": 1, "character": "\(Self.id)", "version": "2026.01.01.1", "engine": "puppet",
       "displayName": "Bench", "width": 1080, "height": 1920, "poster": "poster.jpg", "files": []}
      """
    try Data(description.utf8).write(to: source.appendingPathComponent("character.json"))
    manifest = try PackBuilder.build(source)
    try PackBuilder.write(manifest, to: source)
    let key = try SigningKey(privateKey: Ed25519PrivateKey.generate())
    keys = [key.id: key.privateKey.publicKey]
    tree = base.appendingPathComponent("tree")
    try PackBuilder.publish(source, try PackBuilder.sign(source, with: key), to: tree, trusting: keys)
  }

  /// What a server answers with below `/v1`.
  func files() throws -> StaticFiles {
    guard let files = StaticFiles(root: tree.path) else { throw FileFault("\(tree.path) cannot be served.") }
    return files
  }

  /// The version that loads it.
  static func sdk() throws -> SDKVersion {
    guard let version = SDKVersion(Yoob.version) else { throw FileFault("The SDK has no version.") }
    return version
  }
}
