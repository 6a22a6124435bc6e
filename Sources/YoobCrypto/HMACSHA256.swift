#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Message authentication by HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
  /// The 32 bytes that whoever has `key` gets for exactly `message`.
  ///
  /// Throws `CryptoError.invalidKey` for an empty key, which would prove nothing, and `libraryFailed` when the
  /// system's library fails.
  public static func code(for message: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard !key.isEmpty else { throw .invalidKey(reason: "it is empty") }
    #if canImport(CryptoKit)
      return Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    #else
      guard key.count <= Int(Int32.max) else { throw .invalidKey(reason: "it is too long") }
      var code = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
      var count: UInt32 = 0
      guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count) != nil,
        Int(count) == code.count
      else { throw .libraryFailed("HMAC") }
      return code
    #endif
  }
}
