import VoiceIO
import YoobNet
import YoobPack

/// Fetches characters from a CDN. The token is read before every attempt, since heartbeats bring new ones.
struct CDNFetcher: PackFetching {
  /// What the CDN answered instead of a file.
  struct Refusal: Error, Equatable {
    var status: Int

    /// Whether asking again is of no use.
    var isFinal: Bool { [400, 401, 402, 403, 404, 410].contains(status) }

    /// What it means to the app.
    var error: YoobError {
      switch status {
      case 401, 403: .unauthorized
      case 402: .outOfCredit
      case 404, 410: .unsupported("there is no such character, or no such version of it")
      default: .network("the server of the characters answered with status \(status)")
      }
    }
  }

  let base: String
  let http: any HTTPClient
  let token: @Sendable () -> String?

  /// Four attempts, with pauses on `clock`; refusals are final.
  static func retries(_ clock: any PacingClock) -> RetryPolicy {
    RetryPolicy(attempts: 4) { error in
      if let refusal = error as? Refusal { return !refusal.isFinal }
      return true
    } pause: { attempt in
      await clock.sleep(for: 0.8 * Double(1 << min(attempt - 1, 4)))
      try Task.checkCancellation()
    }
  }

  func manifest(character: String, version: String?) async throws -> [UInt8] {
    var request = request("v1/characters/\(character)/\(version ?? "latest").json")
    request.maxBodyBytes = PackLimits.envelopeBytes
    let answer = try await http.send(request)
    guard answer.status == 200 else { throw Refusal(status: answer.status) }
    return answer.body
  }

  func chunk(
    sha256: String, size: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws {
    var request = request("v1/chunks/\(sha256)")
    request.maxBodyBytes = size
    let fault = Guarded<(any Error)?>(nil)
    try await http.stream(
      request,
      onHead: { status, _ in
        if status != 200 { fault.withLock { $0 = Refusal(status: status) } }
        return status == 200
      },
      receive: { bytes in
        do {
          try receive(bytes)
          return true
        } catch {
          fault.withLock { $0 = error }
          return false
        }
      })
    if let error = fault.withLock({ $0 }) { throw error }
  }

  private func request(_ path: String) -> HTTPClientRequest {
    var headers = [("X-Yoob-SDK", Self.name)]
    if let token = token() { headers.append(("Authorization", "Bearer " + token)) }
    var base = base[...]
    while base.hasSuffix("/") { base.removeLast() }
    return HTTPClientRequest(url: base + "/" + path, headers: headers)
  }

  private static var name: String {
    #if os(Linux)
      "yoob-linux/" + Yoob.version
    #else
      "yoob-ios/" + Yoob.version
    #endif
  }
}
