import YoobCrypto

/// The key of the published test vectors: everybody knows its secret, so nothing that it signed is trusted.
package enum TestKey {
  /// The id that the vectors name.
  package static let id = "test-only"
  /// The secret: the bytes 1 to 32.
  package static let seed: [UInt8] = Array(1...32)
  /// Its public half, `ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ=`.
  static let publicBytes: [UInt8] = [
    0x79, 0xB5, 0x56, 0x2E, 0x8F, 0xE6, 0x54, 0xF9, 0x40, 0x78, 0xB1, 0x12, 0xE8, 0xA9, 0x8B, 0xA7,
    0x90, 0x1F, 0x85, 0x3A, 0xE6, 0x95, 0xBE, 0xD7, 0xE0, 0xE3, 0x91, 0x0B, 0xAD, 0x04, 0x96, 0x64,
  ]

  /// Whether the id or the key is that of the test vectors.
  package static func isTestKey(id: String, key: Ed25519PublicKey) -> Bool {
    id == Self.id || key.bytes == publicBytes
  }
}
