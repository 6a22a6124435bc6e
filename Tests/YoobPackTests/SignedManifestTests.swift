import Foundation
import Testing
import YoobCrypto

@testable import YoobPack

@Suite("Signed manifests")
struct SignedManifestTests {
  @Test("an envelope comes back as it was written, and opens to its manifest")
  func roundTrip() throws {
    let made = try MadePack.usual()
    let signed = try made.signed()
    let read = try SignedManifest(json: signed.json)
    #expect(read == signed)
    #expect(try read.open(trusting: MadePack.trusted()) == made.manifest)
  }

  @Test("a key that is not known is named, and another key under the same id checks nothing")
  func keys() throws {
    let signed = try MadePack.usual().signed()
    #expect(throws: PackError.unknownKey(id: "studio-1")) { try signed.open(trusting: [:]) }
    #expect(throws: PackError.unknownKey(id: "studio-1")) {
      try signed.open(trusting: ["studio-2": MadePack.key().privateKey.publicKey])
    }
    #expect(throws: PackError.wrongSignature(keyID: "studio-1")) {
      try signed.open(trusting: ["studio-1": MadePack.key(8).privateKey.publicKey])
    }
    let text = try #require(PackError.unknownKey(id: "studio-1").errorDescription)
    #expect(text.contains("studio-1"))
  }

  @Test(
    "the signature is looked at before the manifest is: bytes that are no manifest say so only when signed")
  func order() throws {
    let junk = Array("{\"schema\":1".utf8)
    let signed = try SignedManifest(json: MadePack.envelope(around: junk))
    #expect(throws: PackError.invalidManifest(reason: "it is not JSON")) {
      try signed.open(trusting: MadePack.trusted())
    }
    let unsigned = SignedManifest(keyID: signed.keyID, payload: junk + [0x20], signature: signed.signature)
    #expect(throws: PackError.wrongSignature(keyID: "studio-1")) {
      try unsigned.open(trusting: MadePack.trusted())
    }
  }

  @Test("a manifest of another schema is unsupported, whatever else it holds")
  func schema() throws {
    let envelope = try MadePack.envelope(around: Array("{\"schema\":2,\"new\":true}".utf8))
    #expect(throws: PackError.unsupported(reason: "its manifest has schema 2")) {
      try SignedManifest(json: envelope).open(trusting: MadePack.trusted())
    }
  }

  @Test(
    "an envelope that breaks a rule is refused",
    arguments: [
      "", "{}", "[]", "null", "{\"keyId\":\"a\",\"payload\":\"\"}",
      "{\"keyId\":1,\"payload\":\"\",\"signature\":\"\"}",
      "{\"keyId\":\"a\",\"payload\":\"\",\"signature\":\"AAAA\"}",
      "{\"keyId\":\"\",\"payload\":\"\",\"signature\":\"SIG\"}",
      "{\"keyId\":\"a b\",\"payload\":\"\",\"signature\":\"SIG\"}",
      "{\"keyId\":\"../a\",\"payload\":\"\",\"signature\":\"SIG\"}",
      "{\"keyId\":\"LONG\",\"payload\":\"\",\"signature\":\"SIG\"}",
      "{\"keyId\":\"a\",\"payload\":\"e30\",\"signature\":\"SIG\"}",
      "{\"keyId\":\"a\",\"payload\":\"e30=\\n\",\"signature\":\"SIG\"}",
      "{\"keyId\":\"a\",\"payload\":\"e31=\",\"signature\":\"SIG\"}",
      "{\"keyId\":\"a\",\"payload\":\"_-__\",\"signature\":\"SIG\"}",
      "{\"keyId\":\"a\",\"payload\":\"e30=\",\"signature\":\"SIG\"", "\u{FEFF}{}",
    ])
  func refused(text: String) throws {
    let filled =
      text
      .replacingOccurrences(of: "SIG", with: StrictBase64.encode(Array(repeating: 1, count: 64)))
      .replacingOccurrences(of: "LONG", with: String(repeating: "k", count: 65))
    #expect {
      try SignedManifest(json: Array(filled.utf8))
    } throws: { error in
      if case PackError.invalidEnvelope(let reason) = error { return !reason.isEmpty }
      return false
    }
  }

  @Test("an envelope in UTF-16 is refused, also when it spells the same")
  func encodings() throws {
    let text = String(decoding: try MadePack.usual().signed().json, as: UTF8.self)
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
      let bytes = [UInt8](try #require(text.data(using: encoding)))
      #expect(throws: PackError.self) { try SignedManifest(json: bytes) }
    }
  }

  @Test("a manifest of 4 MiB is read, one byte more is refused, before its bytes are looked at")
  func size() throws {
    let signature = Array(repeating: UInt8(1), count: 64)
    let largest = SignedManifest(
      keyID: "a", payload: Array(repeating: 0x20, count: 4 << 20), signature: signature)
    #expect(try SignedManifest(json: largest.json) == largest)
    let larger = SignedManifest(
      keyID: "a", payload: Array(repeating: 0x20, count: (4 << 20) + 1), signature: signature)
    #expect(throws: PackError.invalidEnvelope(reason: "its manifest is larger than 4 MiB")) {
      try SignedManifest(json: larger.json)
    }
    let huge = Array(repeating: UInt8(ascii: " "), count: PackLimits.envelopeBytes + 1)
    #expect(throws: PackError.self) { try SignedManifest(json: huge) }
  }

  @Test("the published test key is trusted under no id, and no other key under its id")
  func testKey() throws {
    let secret = try Ed25519PrivateKey(seed: TestKey.seed)
    #expect(secret.publicKey.bytes == TestKey.publicBytes)
    let manifest = try MadePack.usual().manifest.json
    let known = try SigningKey(id: TestKey.id, privateKey: secret, allowsTestKey: true)
    let renamed = try SigningKey(id: "studio-1", privateKey: secret, allowsTestKey: true)
    let named = try SigningKey(id: TestKey.id, privateKey: .generate(), allowsTestKey: true)
    for key in [known, renamed, named] {
      let signed = try key.sign(manifest: manifest)
      let keys = [key.id: key.privateKey.publicKey]
      #expect(throws: PackError.unknownKey(id: key.id)) { try signed.open(trusting: keys) }
      #expect(throws: PackError.self) { try SigningKey(id: key.id, privateKey: key.privateKey) }
      #expect(throws: PackError.self) { try SigningKey(json: key.json) }
      _ = try signed.open(trusting: keys, allowsTestKey: true)
    }
  }

  @Test("whatever is done to an envelope, it never opens to another manifest")
  func fuzz() throws {
    let made = try MadePack.usual()
    let original = try made.signed()
    let keys = try MadePack.trusted()
    var generator = SeededGenerator(seed: 5)
    var (refusedEnvelopes, refusedManifests, unharmed) = (0, 0, 0)
    for _ in 0..<5000 {
      let bytes = Mutation.mutated(original.json, using: &generator)
      let signed: SignedManifest
      do { signed = try SignedManifest(json: bytes) } catch {
        refusedEnvelopes += 1
        #expect(error.errorDescription?.isEmpty == false)
        continue
      }
      #expect(try SignedManifest(json: signed.json) == signed)
      let manifest: CharacterManifest
      do { manifest = try signed.open(trusting: keys) } catch {
        refusedManifests += 1
        #expect(Self.isRefusedBeforeReading(error))
        continue
      }
      #expect(manifest == made.manifest)
      #expect(signed == original)
      unharmed += 1
    }
    #expect(refusedEnvelopes > 1000 && refusedManifests > 500)
    #expect(unharmed < 500)
  }

  private static func isRefusedBeforeReading(_ error: PackError) -> Bool {
    switch error {
    case .unknownKey, .wrongSignature: true
    default: false
    }
  }
}

/// Small harm to bytes.
enum Mutation {
  static func mutated(_ original: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      case 4: bytes.removeLast(bytes.count - place)
      case 5: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
      default:
        let word =
          ["\"", "{", "[[[[", "null", "=", "\"keyId\":\"x\",", "1e999", "\\u0000"]
          .randomElement(using: &generator) ?? ""
        bytes.insert(contentsOf: Array(word.utf8), at: place)
      }
    }
    return bytes
  }
}
