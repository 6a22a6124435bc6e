import Testing

@testable import YoobCrypto

@Suite("Ed25519")
struct Ed25519Tests {
  /// RFC 8032, section 7.1.
  struct Example: Sendable {
    let seed: String
    let publicKey: String
    let message: String
    let signature: String
  }

  static let examples = [
    Example(
      seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", message: "",
      signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    Example(
      seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", message: "72",
      signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    Example(
      seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", message: "af82",
      signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    Example(
      seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      message: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      signature: "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        + "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"),
  ]

  static func bytes(_ hex: String) throws -> [UInt8] {
    let digits = Array(hex)
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0..<$0 + 2]), radix: 16))
    }
  }

  @Test("the examples of RFC 8032 give their keys and signatures", arguments: examples)
  func published(example: Example) throws {
    let key = try Ed25519PrivateKey(seed: Self.bytes(example.seed))
    let message = try Self.bytes(example.message)
    let signature = try Self.bytes(example.signature)
    #expect(try key.publicKey.bytes == Self.bytes(example.publicKey))
    #expect(key.publicKey.isValid(signature, of: message))
    #if !canImport(CryptoKit)
      #expect(try key.sign(message) == signature)
    #endif
  }

  @Test("every flipped bit of a signature, of the message and of the key is found")
  func flippedBits() throws {
    let key = try Ed25519PrivateKey(seed: Array(0..<32))
    let message = Array("a face that listens".utf8)
    let signature = try key.sign(message)
    for bit in 0..<8 * signature.count {
      #expect(!key.publicKey.isValid(Self.flipped(signature, bit), of: message))
    }
    for bit in 0..<8 * message.count {
      #expect(!key.publicKey.isValid(signature, of: Self.flipped(message, bit)))
    }
    for bit in 0..<8 * 32 {
      let other = try Ed25519PublicKey(bytes: Self.flipped(key.publicKey.bytes, bit))
      #expect(!other.isValid(signature, of: message))
    }
  }

  @Test("a second spelling of a signature, its scalar plus the order of the group, is refused")
  func nonCanonical() throws {
    let order = try Self.bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
    for example in Self.examples {
      let key = try Ed25519PublicKey(bytes: Self.bytes(example.publicKey))
      var signature = try Self.bytes(example.signature)
      var carry = 0
      for place in 0..<32 {
        carry += Int(signature[32 + place]) + Int(order[place])
        signature[32 + place] = UInt8(carry & 255)
        carry >>= 8
      }
      #expect(try !key.isValid(signature, of: Self.bytes(example.message)))
    }
  }

  @Test("a signature of any other length is refused", arguments: [0, 1, 32, 63, 65, 128])
  func signatureLength(count: Int) throws {
    let key = try Ed25519PrivateKey(seed: Array(0..<32))
    let signature = try key.sign([1, 2, 3])
    let other = count < 64 ? Array(signature[..<count]) : signature + Array(repeating: 0, count: count - 64)
    #expect(!key.publicKey.isValid(other, of: [1, 2, 3]))
  }

  @Test("keys of another length are errors", arguments: [0, 31, 33, 64])
  func keyLength(count: Int) {
    let bytes = [UInt8](repeating: 7, count: count)
    #expect(throws: CryptoError.self) { try Ed25519PublicKey(bytes: bytes) }
    #expect(throws: CryptoError.self) { try Ed25519PrivateKey(seed: bytes) }
    #expect(throws: CryptoError.self) { try Ed25519PublicKey(base64: StrictBase64.encode(bytes)) }
  }

  @Test("bytes that are no point of the curve check no signature")
  func noPoint() throws {
    let key = try Ed25519PublicKey(bytes: [2] + Array(repeating: 0, count: 31))
    let other = try Ed25519PrivateKey(seed: Array(0..<32))
    #expect(try !key.isValid(other.sign([]), of: []))
    #expect(!key.isValid(Array(repeating: 0, count: 64), of: []))
  }

  @Test("new keys differ, and each checks its own signatures only")
  func generated() throws {
    let one = try Ed25519PrivateKey.generate()
    let two = try Ed25519PrivateKey.generate()
    #expect(one.publicKey != two.publicKey)
    let signature = try one.sign([9])
    #expect(one.publicKey.isValid(signature, of: [9]))
    #expect(!two.publicKey.isValid(signature, of: [9]))
  }

  @Test("a key prints as its public half")
  func printing() throws {
    let key = try Ed25519PrivateKey(seed: Array(0..<32))
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(text.contains(key.publicKey.base64))
      #expect(!text.contains("seed"))
    }
  }

  private static func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }
}

@Suite("Strict base64")
struct StrictBase64Tests {
  @Test(
    "the examples of RFC 4648 are spelled and read",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func published(text: String, base64: String) {
    #expect(StrictBase64.encode(Array(text.utf8)) == base64)
    #expect(StrictBase64.decode(base64) == Array(text.utf8))
  }

  @Test("all bytes come back")
  func roundTrip() {
    for count in 0..<260 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 67 &+ count) }
      #expect(StrictBase64.decode(StrictBase64.encode(bytes)) == bytes)
    }
  }

  @Test(
    "any other spelling is refused",
    arguments: [
      "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm8", "Z", "=", "====", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm9 v",
      "Zm-v", "Zm_v", "Zm9é", "Z=g=", "=Zg=",
    ])
  func refused(text: String) {
    #expect(StrictBase64.decode(text) == nil)
  }
}
