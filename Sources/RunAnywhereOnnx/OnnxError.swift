import Foundation

/// Why onnxruntime refused.
package struct OnnxError: Error, Sendable, LocalizedError, CustomStringConvertible {
  /// Code of onnxruntime's `OrtErrorCode`, or -1 when the library itself is missing or too old.
  package let code: Int
  /// What the runtime says.
  package let message: String

  /// An error of the runtime.
  package init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  package var errorDescription: String? { message }
  package var description: String { "onnxruntime error \(code): \(message)" }

  static let unavailable = OnnxError(
    code: -1, message: "onnxruntime is not part of this build. Build with the trait Sherpa on Linux.")
}
