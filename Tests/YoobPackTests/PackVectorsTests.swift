import Foundation
import Testing
import YoobCrypto

@testable import YoobPack

/// Tests/Fixtures/pack-vectors.json, which another implementation made (scripts/make-pack-vectors).
@Suite("Published vectors of packs")
struct PackVectorsTests {
  struct Vectors: Decodable, Sendable {
    struct Key: Decodable, Sendable {
      let id: String
      let seed: String
    }
    struct Manifest: Decodable, Sendable, CustomTestStringConvertible {
      let name: String
      let expected: String
      let envelope: String
      let character: String
      let version: String?
      let sdk: String
      var testDescription: String { name }
    }
    struct Pack: Decodable, Sendable {
      let envelope: String
      let chunks: [String: String]
      let files: [String: String]
    }
    let key: Key
    let manifests: [Manifest]
    let pack: Pack
  }

  static func vectors() throws -> Vectors {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appendingPathComponent("Fixtures/pack-vectors.json"))
    return try JSONDecoder().decode(Vectors.self, from: data)
  }

  static func keys() throws -> TrustedKeys {
    [TestKey.id: try Ed25519PrivateKey(seed: TestKey.seed).publicKey]
  }

  /// Names of the vectors for the errors of this SDK.
  static let kinds = [
    "unknown-key": "unknownKey", "wrong-signature": "wrongSignature", "invalid-envelope": "invalidEnvelope",
    "invalid-manifest": "invalidManifest", "unsupported": "unsupported", "other-pack": "otherPack",
  ]

  @Test("every manifest is judged as the vectors say")
  func manifests() throws {
    let vectors = try Self.vectors()
    #expect(vectors.key.id == TestKey.id)
    #expect(StrictBase64.decode(vectors.key.seed) == TestKey.seed)
    #expect(vectors.manifests.count > 50)
    for vector in vectors.manifests {
      var found = "accepted"
      do throws(PackError) {
        let signed = try SignedManifest(json: Array(vector.envelope.utf8))
        let manifest = try signed.open(trusting: Self.trustedKeys, allowsTestKey: true)
        try manifest.require(character: vector.character, version: vector.version)
        guard let sdk = SDKVersion(vector.sdk) else { throw .unsupported(reason: "the vector's SDK") }
        try manifest.requireSDK(sdk)
      } catch { found = HostilePackTests.kind(error) }
      #expect(found == Self.kinds[vector.expected] ?? vector.expected, "\(vector.name)")
    }
  }

  @Test("outside tests none of them is accepted")
  func production() throws {
    let keys = try Self.keys()
    for vector in try Self.vectors().manifests {
      #expect(throws: PackError.self, "\(vector.name)") {
        try SignedManifest(json: Array(vector.envelope.utf8)).open(trusting: keys)
      }
    }
  }

  @Test("the chunks of the pack make its files")
  func pack() throws {
    let pack = try Self.vectors().pack
    let manifest = try SignedManifest(json: Array(pack.envelope.utf8))
      .open(trusting: Self.keys(), allowsTestKey: true)
    #expect(Set(manifest.files.map(\.path)) == Set(pack.files.keys))
    for file in manifest.files {
      var bytes: [UInt8] = []
      for chunk in file.chunks {
        let part = try #require(pack.chunks[chunk.sha256].flatMap(StrictBase64.decode))
        #expect(part.count == chunk.size)
        #expect(try SHA256Digest.of(part).hex == chunk.sha256)
        bytes += part
      }
      #expect(StrictBase64.encode(bytes) == pack.files[file.path])
      #expect(try SHA256Digest.of(bytes).hex == file.sha256)
    }
  }

  private static var trustedKeys: TrustedKeys { (try? keys()) ?? [:] }
}
