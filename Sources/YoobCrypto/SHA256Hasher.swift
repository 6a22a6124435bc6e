#if canImport(CryptoKit)
  import CryptoKit

  /// SHA-256 of bytes that come in pieces. Use it from one task at a time.
  public final class SHA256Hasher {
    private var state = SHA256()

    public init() throws(CryptoError) {}

    /// Takes the next bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
      state.update(bufferPointer: bytes)
    }

    /// The digest of everything taken so far; further updates go on from there.
    public func digest() throws(CryptoError) -> SHA256Digest {
      SHA256Digest(unchecked: Array(state.finalize()))
    }
  }
#else
  import CCrypto

  /// SHA-256 of bytes that come in pieces. Use it from one task at a time.
  public final class SHA256Hasher {
    private let context: OpaquePointer

    /// Throws `CryptoError.libraryFailed` when OpenSSL refuses SHA-256 or memory is exhausted.
    public init() throws(CryptoError) {
      guard let made = EVP_MD_CTX_new() else { throw .libraryFailed("EVP_MD_CTX_new") }
      guard EVP_DigestInit_ex(made, EVP_sha256(), nil) == 1 else {
        EVP_MD_CTX_free(made)
        throw .libraryFailed("EVP_DigestInit_ex")
      }
      context = made
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
      guard EVP_DigestUpdate(context, start, bytes.count) == 1 else {
        throw .libraryFailed("EVP_DigestUpdate")
      }
    }

    /// The digest of everything taken so far; further updates go on from there.
    public func digest() throws(CryptoError) -> SHA256Digest {
      guard let copy = EVP_MD_CTX_new() else { throw .libraryFailed("EVP_MD_CTX_new") }
      defer { EVP_MD_CTX_free(copy) }
      var bytes = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
      guard EVP_MD_CTX_copy_ex(copy, context) == 1, EVP_DigestFinal_ex(copy, &bytes, nil) == 1 else {
        throw .libraryFailed("EVP_DigestFinal_ex")
      }
      return SHA256Digest(unchecked: bytes)
    }
  }
#endif

extension SHA256Hasher {
  /// Takes the next bytes.
  public func update(_ bytes: [UInt8]) throws(CryptoError) {
    do {
      try bytes.withUnsafeBytes { try update($0) }
    } catch let error as CryptoError {
      throw error
    } catch {
      throw .libraryFailed("\(error)")
    }
  }
}
