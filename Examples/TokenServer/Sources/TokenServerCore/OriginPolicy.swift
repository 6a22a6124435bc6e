import YoobNet
import YoobServer

/// Which web pages may ask: those of this server's own address on this machine, and those that are named. Programs
/// that are no browsers send no `Origin`, and are not concerned.
struct OriginPolicy: Sendable {
  private let allowed: [WebOrigin]

  init(_ named: [WebOrigin], port: Int) {
    allowed = named + ["127.0.0.1", "localhost", "[::1]"].compactMap { WebOrigin("http://\($0):\(port)") }
  }

  func allows(_ request: HTTPRequest) -> Bool {
    guard let origin = request.headers["origin"] else { return true }
    return isAllowed(origin)
  }

  private func isAllowed(_ origin: String) -> Bool { allowed.contains { $0.text == origin.lowercased() } }

  /// Lets the page that asked, and no other, read the answer.
  func share(_ response: inout HTTPResponse, with request: HTTPRequest) {
    response.headers["vary"] = "Origin"
    guard let origin = request.headers["origin"], isAllowed(origin) else { return }
    response.headers["access-control-allow-origin"] = origin
  }

  /// The answer to a browser that asks whether it may ask.
  static var preflight: HTTPResponse {
    HTTPResponse(
      status: 204,
      headers: [
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "authorization, content-type", "access-control-max-age": "600",
      ])
  }
}
