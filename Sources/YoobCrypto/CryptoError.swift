/// Why a digest, a key or a signature could not be had.
public enum CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A file cannot be read; `reason` is the system's.
  case unreadable(path: String, reason: String)
  /// Bytes that are no key; `reason` says what is wrong with them.
  case invalidKey(reason: String)
  /// A call into the system's cryptographic library failed, as when memory is exhausted.
  case libraryFailed(String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path) cannot be read: \(reason). Check that it exists and that you may read it."
    case .invalidKey(let reason):
      "The key cannot be used: \(reason). Copy it again, or make a new one."
    case .libraryFailed(let call):
      "The cryptographic library failed in \(call). Check the memory of this machine and try again."
    }
  }
}
