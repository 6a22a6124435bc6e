/// Where a character comes from: a CDN, or a double of it in tests.
///
/// Nothing that it delivers is trusted. It may be called from several tasks at once, and should end soon
/// after its task is cancelled.
public protocol PackFetching: Sendable {
  /// The signed envelope of a character's version, the latest for nil.
  ///
  /// The implementation bounds what it reads by `PackLimits.envelopeBytes`.
  func manifest(character: String, version: String?) async throws -> [UInt8]

  /// Fetches the chunk with this address and calls `receive` with its bytes, in order, as they come.
  ///
  /// `receive` throws when the bytes are more than `size` or cannot be stored; then the fetch is to end with
  /// that error.
  func chunk(
    sha256: String, size: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws

  /// The same from byte `offset` on, for a chunk whose fetch broke off there.
  ///
  /// Without an implementation the whole chunk is fetched, and what was received before is passed over.
  func chunk(
    sha256: String, size: Int, from offset: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws
}

extension PackFetching {
  public func chunk(
    sha256: String, size: Int, from offset: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws {
    let left = LockedBox(offset)
    try await chunk(sha256: sha256, size: size) { bytes in
      let skipped = left.withLock { left in
        let skipped = min(left, bytes.count)
        left -= skipped
        return skipped
      }
      if skipped < bytes.count { try receive(Array(bytes.dropFirst(skipped))) }
    }
  }
}
