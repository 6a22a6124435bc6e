import Foundation
import YoobCrypto

/// A private key with the id that packs name it by, and the file it is kept in.
///
/// The file is `{"id": …, "public": base64, "seed": base64}`; who reads it can sign characters.
public struct SigningKey: Sendable {
  /// 1 to 64 of `A-Z a-z 0-9 . _ -`, the first no sign.
  public let id: String
  /// What signs.
  public let privateKey: Ed25519PrivateKey

  /// A key under an id; without one, the id is made of the public key's digest ("key-" and 12 digits).
  ///
  /// Throws `PackError.invalidKey` for an id of other characters and for the published test key.
  public init(id: String? = nil, privateKey: Ed25519PrivateKey) throws(PackError) {
    try self.init(id: id, privateKey: privateKey, allowsTestKey: false)
  }

  package init(id: String?, privateKey: Ed25519PrivateKey, allowsTestKey: Bool) throws(PackError) {
    let name: String
    if let id {
      name = id
    } else {
      do {
        name = "key-" + (try SHA256Digest.of(privateKey.publicKey.bytes)).hex.prefix(12)
      } catch { throw .crypto(error) }
    }
    guard Self.isID(name) else {
      throw .invalidKey(reason: "its id is 1 to 64 letters, digits, dots, _ and -, the first no sign")
    }
    guard allowsTestKey || !TestKey.isTestKey(id: name, key: privateKey.publicKey) else {
      throw .invalidKey(reason: "it is the published key of the test vectors. Make one of your own")
    }
    self.id = name
    self.privateKey = privateKey
  }

  /// Reads a key file; throws `PackError.invalidKey` when it is none, or its halves do not belong together.
  public init(json: [UInt8]) throws(PackError) {
    switch JSONReading.decode(Stored.self, from: json) {
    case .failure(let fault):
      throw .invalidKey(reason: "its file is not that of a signing key, \(fault.reason)")
    case .success(let stored):
      guard let seed = StrictBase64.decode(stored.seed), let key = try? Ed25519PrivateKey(seed: seed) else {
        throw .invalidKey(reason: "its seed is not 32 bytes in base64")
      }
      guard key.publicKey.base64 == stored.publicKey else {
        throw .invalidKey(reason: "its public half is not that of its seed")
      }
      try self.init(id: stored.id, privateKey: key)
    }
  }

  /// The key file's JSON.
  public var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let stored = Stored(
      id: id, publicKey: privateKey.publicKey.base64, seed: StrictBase64.encode(privateKey.seed))
    // Three strings: this cannot fail.
    guard let data = try? encoder.encode(stored) else { return [] }
    return Array(data) + [0x0A]
  }

  /// The envelope around exactly these manifest bytes; throws what is wrong with the manifest.
  public func sign(manifest bytes: [UInt8]) throws(PackError) -> SignedManifest {
    _ = try CharacterManifest(json: bytes)
    do {
      return SignedManifest(keyID: id, payload: bytes, signature: try privateKey.sign(bytes))
    } catch { throw .crypto(error) }
  }

  /// Whether `text` may name a key.
  static func isID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (1...64).contains(bytes.count), let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || ".-_".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private struct Stored: Codable {
    let id: String
    let publicKey: String
    let seed: String

    enum CodingKeys: String, CodingKey {
      case id, seed
      case publicKey = "public"
    }
  }
}

extension TrustedKeys {
  /// Reads keys from JSON: `{"id": "public key in base64", …}`, or the file of one signing key.
  ///
  /// Throws `PackError.invalidKey` for anything else and for the published test key.
  public init(json: [UInt8]) throws(PackError) {
    guard json.count <= 1 << 20 else { throw .invalidKey(reason: "the file of keys is larger than 1 MiB") }
    if let key = try? SigningKey(json: json) {
      self = [key.id: key.privateKey.publicKey]
      return
    }
    guard case .success(let texts) = JSONReading.decode([String: String].self, from: json), !texts.isEmpty
    else {
      throw .invalidKey(reason: "the file of keys is not JSON of the form {\"id\": \"public key in base64\"}")
    }
    var keys: TrustedKeys = [:]
    for (id, text) in texts.sorted(by: { $0.key < $1.key }) {
      let shown = PackPath.shown(id)
      guard SigningKey.isID(id) else { throw .invalidKey(reason: "“\(shown)” is not a key id") }
      guard let key = try? Ed25519PublicKey(base64: text) else {
        throw .invalidKey(reason: "the public key of “\(shown)” is not 32 bytes in base64")
      }
      guard !TestKey.isTestKey(id: id, key: key) else {
        throw .invalidKey(reason: "“\(shown)” is the published key of the test vectors")
      }
      keys[id] = key
    }
    self = keys
  }
}
