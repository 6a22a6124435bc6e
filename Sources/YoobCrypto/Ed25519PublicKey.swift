#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A key that checks Ed25519 signatures (RFC 8032): 32 bytes.
///
/// ```swift
/// let key = try Ed25519PublicKey(base64: "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
/// guard key.isValid(signature, of: message) else { throw … }
/// ```
public struct Ed25519PublicKey: Sendable, Hashable {
  /// Bytes of a public key.
  public static let byteCount = 32
  /// Bytes of a signature.
  public static let signatureByteCount = 64

  /// The 32 bytes.
  public let bytes: [UInt8]

  /// The key with these bytes; throws `CryptoError.invalidKey` unless there are 32.
  ///
  /// Whether they are a point of the curve is known when the key is used: bytes that are none check
  /// no signature.
  public init(bytes: [UInt8]) throws(CryptoError) {
    guard bytes.count == Self.byteCount else {
      throw .invalidKey(reason: "a public key has \(Self.byteCount) bytes, this one \(bytes.count)")
    }
    self.bytes = bytes
  }

  /// The key in base64 with padding (44 characters); throws `CryptoError.invalidKey` for any other text.
  public init(base64: String) throws(CryptoError) {
    guard let bytes = StrictBase64.decode(base64) else {
      throw .invalidKey(reason: "the public key is not base64")
    }
    try self.init(bytes: bytes)
  }

  /// The key in base64 with padding: 44 characters.
  public var base64: String { StrictBase64.encode(bytes) }

  /// Whether `signature` (64 bytes) was made over exactly `message` with the private half of this key.
  ///
  /// False also for a signature of another length or with a second spelling, and for a key that is no
  /// point of the curve. Points of small order are judged as the system's library judges them: whoever
  /// trusts such a key has chosen it.
  public func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == Self.signatureByteCount else { return false }
    #if canImport(CryptoKit)
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
      return key.isValidSignature(signature, for: message)
    #else
      guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count) else {
        return false
      }
      defer { EVP_PKEY_free(key) }
      guard let context = EVP_MD_CTX_new() else { return false }
      defer { EVP_MD_CTX_free(context) }
      guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
      return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    #endif
  }
}
