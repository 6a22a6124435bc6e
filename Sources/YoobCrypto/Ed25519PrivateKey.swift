#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A key that makes Ed25519 signatures (RFC 8032), kept as its 32-byte seed.
///
/// It prints as its public half only.
public struct Ed25519PrivateKey: Sendable {
  /// Bytes of a seed.
  public static let byteCount = 32

  /// The 32 secret bytes.
  public let seed: [UInt8]
  /// The half that may be shown to anybody.
  public let publicKey: Ed25519PublicKey

  /// A new key from the system's random generator.
  public static func generate() throws(CryptoError) -> Ed25519PrivateKey {
    var generator = SystemRandomNumberGenerator()
    return try Ed25519PrivateKey(
      seed: (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// The key of a seed; throws `CryptoError.invalidKey` unless it has 32 bytes.
  public init(seed: [UInt8]) throws(CryptoError) {
    guard seed.count == Self.byteCount else {
      throw .invalidKey(reason: "a seed has \(Self.byteCount) bytes, this one \(seed.count)")
    }
    self.seed = seed
    publicKey = try Ed25519PublicKey(bytes: Self.publicBytes(of: seed))
  }
}

#if canImport(CryptoKit)
  extension Ed25519PrivateKey {
    /// The signature (64 bytes) over exactly `message`. Two signatures over the same message may differ.
    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed),
        let signature = try? key.signature(for: message)
      else { throw .libraryFailed("Curve25519.Signing") }
      return Array(signature)
    }

    private static func publicBytes(of seed: [UInt8]) throws(CryptoError) -> [UInt8] {
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
        throw .libraryFailed("Curve25519.Signing")
      }
      return Array(key.publicKey.rawRepresentation)
    }
  }
#else
  extension Ed25519PrivateKey {
    /// The signature (64 bytes) over exactly `message`. Two signatures over the same message may differ.
    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
      let key = try Self.opened(seed)
      defer { EVP_PKEY_free(key) }
      guard let context = EVP_MD_CTX_new() else { throw .libraryFailed("EVP_MD_CTX_new") }
      defer { EVP_MD_CTX_free(context) }
      var signature = [UInt8](repeating: 0, count: Ed25519PublicKey.signatureByteCount)
      var count = signature.count
      guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
        EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
        count == signature.count
      else { throw .libraryFailed("EVP_DigestSign") }
      return signature
    }

    private static func publicBytes(of seed: [UInt8]) throws(CryptoError) -> [UInt8] {
      let key = try opened(seed)
      defer { EVP_PKEY_free(key) }
      var bytes = [UInt8](repeating: 0, count: Ed25519PublicKey.byteCount)
      var count = bytes.count
      guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == bytes.count else {
        throw .libraryFailed("EVP_PKEY_get_raw_public_key")
      }
      return bytes
    }

    private static func opened(_ seed: [UInt8]) throws(CryptoError) -> OpaquePointer {
      guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
        throw .libraryFailed("EVP_PKEY_new_raw_private_key")
      }
      return key
    }
  }
#endif

// A key that reaches a log shows its public half only.
extension Ed25519PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Ed25519PrivateKey(public: \(publicKey.base64))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey.base64]) }
}
