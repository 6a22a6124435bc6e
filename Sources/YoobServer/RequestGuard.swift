import YoobNet

/// Keeps foreign websites away: a page elsewhere must neither read from this server nor talk to it,
/// not even under a name of its own that resolves to this machine.
struct RequestGuard: Sendable {
  /// Names under which a loopback server may be addressed.
  private static let loopbackNames = ["localhost", "127.0.0.1", "[::1]"]

  private let scheme: String
  /// Values of `Host` that are allowed; nil allows any.
  private let hosts: [String]?
  /// Websites of others that may talk to this server.
  private let origins: [WebOrigin]

  init(host: String, port: Int, isSecure: Bool, origins: [WebOrigin] = []) {
    self.origins = origins
    scheme = isSecure ? "https" : "http"
    guard Self.isLoopback(host) else {
      hosts = nil
      return
    }
    let names = Self.loopbackNames + (Self.loopbackNames.contains(host) ? [] : [host])
    hosts = names.flatMap { port == (isSecure ? 443 : 80) ? [$0, "\($0):\(port)"] : ["\($0):\(port)"] }
  }

  /// Whether the request was meant for this server and comes from no website but its own and those allowed.
  func allows(_ request: HTTPRequest) -> Bool {
    guard let host = request.headers["host"]?.lowercased() else { return false }
    if let hosts, !hosts.contains(host), !origins.contains(where: { $0.hosts.contains(host) }) {
      return false
    }
    guard let origin = request.headers["origin"]?.lowercased() else { return true }
    if origins.contains(where: { $0.text == origin }) { return true }
    if let hosts { return hosts.contains { origin == "\(scheme)://\($0)" } }
    return origin == "\(scheme)://\(host)"
  }

  /// Whether only programs of this machine reach the address.
  static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
