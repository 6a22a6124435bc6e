import Foundation
import Testing
import YoobCrypto

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "published examples give their published digests",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func publishedExamples(text: String, hex: String) throws {
    #expect(try SHA256Digest.of(Array(text.utf8)).hex == hex)
  }

  @Test("bytes in pieces of any size give the digest of the whole", arguments: [1, 7, 63, 64, 65, 1000])
  func pieces(size: Int) throws {
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let hasher = try SHA256Hasher()
    for start in stride(from: 0, to: bytes.count, by: size) {
      try hasher.update(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    #expect(try hasher.digest() == SHA256Digest.of(bytes))
  }

  @Test("a digest taken midway does not disturb the rest")
  func midway() throws {
    let hasher = try SHA256Hasher()
    try hasher.update(Array("ab".utf8))
    #expect(try hasher.digest() == SHA256Digest.of(Array("ab".utf8)))
    try hasher.update(Array("c".utf8))
    #expect(try hasher.digest() == SHA256Digest.of(Array("abc".utf8)))
  }

  @Test("a file of more than one piece has the digest of its bytes")
  func file() throws {
    let bytes = (0..<(2 << 20) + 17).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    let path = NSTemporaryDirectory() + "yoob-sha-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try SHA256Digest.ofFile(path) == SHA256Digest.of(bytes))
  }

  @Test("reading a file stops when progress says so")
  func stops() throws {
    let path = NSTemporaryDirectory() + "yoob-sha-\(UUID().uuidString)"
    try Data(count: 3 << 20).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var seen: [Int] = []
    let digest = try SHA256Digest.ofFile(path) {
      seen.append($0)
      return false
    }
    #expect(digest == nil)
    #expect(seen == [1 << 20])
  }

  @Test("a missing file is named in the error")
  func missing() {
    #expect {
      try SHA256Digest.ofFile("/nowhere/at/all")
    } throws: {
      "\($0)".contains("/nowhere/at/all")
    }
  }

  @Test("a folder is not read as a file")
  func folder() {
    #expect(throws: CryptoError.self) { try SHA256Digest.ofFile(NSTemporaryDirectory()) }
  }
}

@Suite("Spelling of digests")
struct SHA256DigestTests {
  @Test("hexadecimal digits of either case spell the same digest")
  func cases() throws {
    let digest = try SHA256Digest.of([1, 2, 3])
    #expect(SHA256Digest(hex: digest.hex.uppercased()) == digest)
    #expect(SHA256Digest(hex: digest.hex) == digest)
  }

  @Test(
    "text that spells no digest is refused",
    arguments: [
      "", "ab", String(repeating: "g", count: 64), String(repeating: "a", count: 63),
      String(repeating: "a", count: 65), String(repeating: "é", count: 32),
    ])
  func refused(text: String) {
    #expect(SHA256Digest(hex: text) == nil)
  }

  @Test("a digest has 32 bytes and no other count")
  func byteCount() {
    #expect(SHA256Digest(bytes: Array(repeating: 0, count: 31)) == nil)
    #expect(SHA256Digest(bytes: Array(repeating: 0, count: 32)) != nil)
  }
}
