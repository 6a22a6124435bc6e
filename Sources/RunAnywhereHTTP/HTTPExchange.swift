import Foundation
import RunAnywhere
import VoiceIO

#if canImport(CCurl)
  import CCurl
#endif

/// One request and its answer, read piece by piece.
enum HTTPExchange {
  struct Request: Sendable {
    var url: String
    var headers: [String]
    var body: Data?
    var connectTimeout: Int
    var idleTimeout: Int
  }

  struct Answer: Sendable {
    /// HTTP status; 0 when no answer came.
    var status: Int
    /// 0 when the answer came whole.
    var code: Int
    var message: String
  }

  /// Runs a request on a thread of its own; `onPiece` returning false, or cancellation, ends it.
  static func run(
    _ request: Request, onPiece: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool
  ) async throws -> Answer {
    #if canImport(CCurl)
      let calls = Calls(onPiece)
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread { continuation.resume(returning: perform(request, calls)) }
        }
      } onCancel: {
        calls.cancel()
      }
    #else
      throw SDKException(
        .notSupported, category: .component, "Language models over HTTP need libcurl here.")
    #endif
  }

  #if canImport(CCurl)
    private final class Calls: Sendable {
      let onPiece: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool
      private let isCancelled = Guarded(false)

      init(_ onPiece: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool) { self.onPiece = onPiece }

      var isAlive: Bool { isCancelled.withLock { !$0 } }
      func cancel() { isCancelled.withLock { $0 = true } }
    }

    private static func perform(_ request: Request, _ calls: Calls) -> Answer {
      let url = strdup(request.url)
      let headers = request.headers.map { UnsafePointer(strdup($0)) }
      defer {
        free(url)
        for header in headers { free(UnsafeMutablePointer(mutating: header)) }
      }
      let body = request.body.map(Array.init) ?? []
      let result = headers.withUnsafeBufferPointer { headers in
        body.withUnsafeBytes { bytes in
          var raw = yoob_http_request()
          raw.url = UnsafePointer(url)
          raw.headers = headers.baseAddress
          raw.header_count = headers.count
          raw.body = request.body == nil ? nil : bytes.bindMemory(to: CChar.self).baseAddress
          raw.body_length = bytes.count
          raw.connect_timeout_seconds = request.connectTimeout
          raw.idle_timeout_seconds = request.idleTimeout
          return yoob_http_perform(
            &raw, Unmanaged.passUnretained(calls).toOpaque(),
            { context, bytes, length in
              guard let context, let bytes else { return 0 }
              let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
              let piece = UnsafeRawBufferPointer(start: bytes, count: length).bindMemory(to: UInt8.self)
              return calls.isAlive && calls.onPiece(piece) ? 1 : 0
            },
            { context in
              guard let context else { return 0 }
              return Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue().isAlive ? 1 : 0
            })
        }
      }
      let message = withUnsafeBytes(of: result.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      return Answer(status: result.status, code: Int(result.code), message: message)
    }
  #endif
}
