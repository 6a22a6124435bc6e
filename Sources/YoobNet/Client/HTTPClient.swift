/// Sends requests. Any number of them may run at once; cancelling a task ends its request.
public protocol HTTPClient: Sendable {
  /// The whole answer, whatever its status. Throws when none comes, or not all of it.
  func send(_ request: HTTPClientRequest) async throws(NetError) -> HTTPClientResponse

  /// Streams the body of the answer as it arrives.
  ///
  /// `onHead` is told status and header fields first; then `receive` takes the body piece by piece,
  /// in order, one at a time. While `receive` is busy at most about half a megabyte waits for it;
  /// then the network waits too. Either returning false ends the request without an error.
  func stream(
    _ request: HTTPClientRequest, onHead: @escaping @Sendable (Int, HTTPHeaders) -> Bool,
    receive: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws(NetError)
}

extension HTTPClient {
  /// Collects what `stream` brings.
  public func send(_ request: HTTPClientRequest) async throws(NetError) -> HTTPClientResponse {
    let response = Locked(HTTPClientResponse(status: 0))
    try await stream(
      request,
      onHead: { status, headers in
        response.withLock { $0 = HTTPClientResponse(status: status, headers: headers) }
        return true
      },
      receive: { bytes in
        response.withLock { $0.body += bytes }
        return true
      })
    return response.withLock { $0 }
  }
}
