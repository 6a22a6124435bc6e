import VoiceIO
import YoobNet
import YoobPack

/// Fetches characters from a CDN. The token is read before every attempt, since heartbeats bring new ones.
struct CDNFetcher: PackFetching {
  let base: String
  let http: any HTTPClient
  let token: @Sendable () -> String?

  /// Seconds for a manifest, whatever its size: at 20 kB/s those are 300 kB, three times what a pack of 512 MiB in
  /// our chunks needs.
  var manifestSeconds = 15.0
  /// Six chunks that share 20 kB/s get 3.3 kB/s each; what stays below a seventh of that has stopped.
  var leastRate = LeastRate(bytes: 5000, in: 10)

  /// Four attempts, with pauses on `clock`; what another attempt would find again is final.
  static func retries(_ clock: any PacingClock) -> RetryPolicy {
    RetryPolicy(attempts: 4) { error in
      !((error as? FetchFault)?.isFinal ?? false)
    } pause: { attempt in
      await clock.sleep(for: 0.8 * Double(1 << min(attempt - 1, 4)))
      try Task.checkCancellation()
    }
  }

  func manifest(character: String, version: String?) async throws -> [UInt8] {
    var request = request("v1/characters/\(character)/\(version ?? "latest").json")
    request.maxBodyBytes = PackLimits.envelopeBytes
    request.totalTimeout = manifestSeconds
    // Sooner than the whole, so that the error can tell what was waited for.
    request.connectTimeout = manifestSeconds * 2 / 3
    let address = request.url
    func fault(_ reason: FetchFault.Reason) -> FetchFault {
      FetchFault(address: address, part: .manifest, reason: reason)
    }
    let answer = Guarded(HTTPClientResponse(status: 0))
    do throws(NetError) {
      try await http.stream(
        request,
        onHead: { status, headers in
          answer.withLock { $0 = HTTPClientResponse(status: status, headers: headers) }
          return status == 200
        },
        receive: { bytes in
          answer.withLock { $0.body += bytes }
          return true
        })
    } catch {
      guard error != .cancelled else { throw error }
      let count = answer.withLock { $0.body.count }
      if case .timedOut(let host, let phase, _) = error, phase != .connecting {
        throw fault(.network(.tooSlow(host: host, bytes: count, seconds: manifestSeconds)))
      }
      throw fault(.network(error))
    }
    let (status, headers, body) = answer.withLock { ($0.status, $0.headers, $0.body) }
    guard status == 200 else { throw fault(.refusal(status, headers)) }
    guard !headers.announcePage, body.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") else {
      throw fault(.page)
    }
    return body
  }

  func chunk(
    sha256: String, size: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws {
    try await chunk(sha256: sha256, size: size, from: 0, receive: receive)
  }

  func chunk(
    sha256: String, size: Int, from offset: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws {
    let answer = ChunkAnswer(size: size, from: offset, receive: receive)
    if offset > 0, try await fetch(sha256, answer, asksForRest: true) { return }
    _ = try await fetch(sha256, answer, asksForRest: false)
  }

  /// False when the server gave no use of asking for the rest alone.
  private func fetch(_ sha256: String, _ answer: ChunkAnswer, asksForRest: Bool) async throws -> Bool {
    var request = request("v1/chunks/\(sha256)")
    request.maxBodyBytes = answer.size
    request.leastRate = leastRate
    if asksForRest { request.headers.append(("Range", "bytes=\(answer.offset)-")) }
    let (address, part) = (request.url, FetchFault.Part.chunk(sha256: sha256, size: answer.size))
    do throws(NetError) {
      try await http.stream(
        request, onHead: { answer.begin($0, $1, asksForRest: asksForRest) }, receive: answer.take)
    } catch {
      switch error {
      case .cancelled: throw error
      case .tooLarge(.body, _): throw FetchFault(address: address, part: part, reason: .length(nil))
      default: throw FetchFault(address: address, part: part, reason: .network(error))
      }
    }
    switch answer.verdict {
    case .taken: return true
    case .noRest: return false
    case .refused(let reason): throw FetchFault(address: address, part: part, reason: reason)
    case .failed(let error): throw error
    }
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
