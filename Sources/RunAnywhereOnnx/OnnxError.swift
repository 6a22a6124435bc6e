import Foundation

/// Why onnxruntime refused.
public struct OnnxError: Error, Sendable, LocalizedError, CustomStringConvertible {
  /// Code of onnxruntime's `OrtErrorCode`, or -1 when the library itself is missing or too old.
  public let code: Int
  /// What the runtime says.
  public let message: String

  /// An error of the runtime.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  public var errorDescription: String? { message }
  public var description: String { "onnxruntime error \(code): \(message)" }

  static let unavailable = OnnxError(
    code: -1, message: "onnxruntime is not part of this build. Build with the trait Sherpa on Linux.")
}
