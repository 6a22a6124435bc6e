import Foundation
import Testing
import YoobCrypto

@testable import YoobPack

@Suite("Files of keys")
struct SigningKeyTests {
  @Test("a key file comes back, and its id is made of the public key when none is given")
  func roundTrip() throws {
    let key = try SigningKey(privateKey: Ed25519PrivateKey(seed: Array(repeating: 9, count: 32)))
    #expect(key.id.hasPrefix("key-") && key.id.count == 16)
    let read = try SigningKey(json: key.json)
    #expect(read.id == key.id)
    #expect(read.privateKey.seed == key.privateKey.seed)
    #expect(try TrustedKeys(json: key.json) == [key.id: key.privateKey.publicKey])
  }

  @Test(
    "a file that is no key file is refused",
    arguments: [
      "", "{}", "[]", "{\"id\":\"a\",\"public\":\"\",\"seed\":\"\"}",
      "{\"id\":\"a\",\"public\":\"PUBLIC\",\"seed\":\"AAAA\"}",
      "{\"id\":\"a b\",\"public\":\"PUBLIC\",\"seed\":\"SEED\"}",
      "{\"id\":\"a\",\"public\":\"OTHER\",\"seed\":\"SEED\"}",
    ])
  func refused(text: String) throws {
    let (key, other) = (try MadePack.key(1).privateKey, try MadePack.key(2).privateKey)
    let filled = text.replacingOccurrences(of: "PUBLIC", with: key.publicKey.base64)
      .replacingOccurrences(of: "OTHER", with: other.publicKey.base64)
      .replacingOccurrences(of: "SEED", with: StrictBase64.encode(key.seed))
    #expect(throws: PackError.self) { try SigningKey(json: Array(filled.utf8)) }
  }

  @Test("trusted keys are read from a map of ids, and what is no key is named")
  func trusted() throws {
    let key = try MadePack.key().privateKey.publicKey
    #expect(try TrustedKeys(json: Array("{\"a\":\"\(key.base64)\"}".utf8)) == ["a": key])
    for text in ["{}", "[]", "{\"a\":1}", "{\"a\":\"AAAA\"}", "{\"a b\":\"\(key.base64)\"}"] {
      #expect(throws: PackError.self) { try TrustedKeys(json: Array(text.utf8)) }
    }
    let published = try Ed25519PrivateKey(seed: TestKey.seed).publicKey.base64
    #expect {
      try TrustedKeys(json: Array("{\"mine\":\"\(published)\"}".utf8))
    } throws: {
      "\($0)".contains("mine")
    }
  }

  @Test("a new file is its owner's alone, and a file that is there is never replaced")
  func file() throws {
    let folder = try TestFolder()
    let path = folder.url.appendingPathComponent("key.json").path
    let key = try MadePack.key()
    try key.create(at: path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try SigningKey(file: path).privateKey.seed == key.privateKey.seed)
    #expect(throws: PackError.self) { try MadePack.key(9).create(at: path) }
    #expect(try SigningKey(file: path).privateKey.seed == key.privateKey.seed)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect {
      try SigningKey(file: path)
    } throws: {
      ($0 as? PackError)?.errorDescription?.contains("chmod 600") == true
    }
    #expect(throws: PackError.missingFile(path: "/nowhere/key")) { try SigningKey(file: "/nowhere/key") }
  }
}
