/// Why a digest could not be had.
public enum CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A file cannot be read; `reason` is the system's.
  case unreadable(path: String, reason: String)
  /// A call into the system's cryptographic library failed, as when memory is exhausted.
  case libraryFailed(String)

  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path) cannot be read: \(reason). Check that it exists and that you may read it."
    case .libraryFailed(let call):
      "The cryptographic library failed in \(call). Check the memory of this machine and try again."
    }
  }
}
