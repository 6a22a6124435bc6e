import RunAnywhere
import VoiceIO
import YoobNet

/// One request and its answer, read piece by piece.
enum HTTPExchange {
  struct Answer: Sendable {
    /// HTTP status; 0 when no answer came.
    var status: Int
    /// Why the answer did not come whole; nil when it did, or when `onPiece` ended it.
    var failure: NetError?
  }

  /// Local servers speak plain http, also from another machine of the house; `HTTPLanguageModel`
  /// lets no key travel that way.
  private static let client = SystemHTTPClient(allowsPlainHTTP: true)

  /// Runs a request; `onPiece` returning false, or cancellation, ends it.
  static func run(
    _ request: HTTPClientRequest, onPiece: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool
  ) async -> Answer {
    let status = Guarded(0)
    var failure: NetError?
    do throws(NetError) {
      try await client.stream(
        request,
        onHead: { code, _ in
          status.withLock { $0 = code }
          return true
        },
        receive: { $0.withUnsafeBufferPointer(onPiece) })
    } catch {
      failure = error
    }
    return Answer(status: status.withLock { $0 }, failure: failure)
  }
}
