import Foundation

/// The request that follows a redirect.
enum Redirect {
  private static let statuses: Set<Int> = [301, 302, 303, 307, 308]
  /// Fields that go along to another origin; any other may hold a secret.
  private static let harmless = bodyFields.union([
    "accept", "accept-encoding", "accept-language", "cache-control", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "range", "user-agent",
  ])
  /// Fields that describe a body.
  private static let bodyFields: Set<String> = [
    "content-type", "content-length", "content-encoding", "content-language",
  ]

  /// Nil when the answer is none, or none is to be followed. `followed` counts those before it.
  ///
  /// RFC 9110, section 15.4: 303 turns into GET, and so does a POST by 301 and 302, as every
  /// browser does it.
  static func next(
    after request: HTTPClientRequest, status: Int, headers: HTTPHeaders, followed: Int
  ) throws(NetError) -> HTTPClientRequest? {
    guard statuses.contains(status), let location = headers["location"] else { return nil }
    guard request.maxRedirects > 0 else {
      guard followed > 0 else { return nil }
      throw .badRedirect(reason: "there are more than \(followed) in a row")
    }
    let from = try ClientURL(request.url, schemes: ["http", "https"])
    guard let base = URL(string: from.text),
      let resolved = URL(string: location, relativeTo: base)?.absoluteURL.absoluteString
    else { throw .badRedirect(reason: "it leads to no web address") }
    let target: ClientURL
    do {
      target = try ClientURL(resolved, schemes: ["http", "https"])
    } catch {
      throw .badRedirect(reason: "it leads to no web address")
    }
    guard target.isEncrypted || !from.isEncrypted else {
      throw .badRedirect(reason: "it leads from https to http")
    }
    var next = request
    next.maxRedirects -= 1
    next.url = target.text
    if !target.hasSameOrigin(as: from) {
      next.headers.removeAll { !harmless.contains($0.name.lowercased()) }
    }
    let turnsIntoGet =
      status == 303 ? !["GET", "HEAD"].contains(request.method) : status < 303 && request.method == "POST"
    if turnsIntoGet {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { bodyFields.contains($0.name.lowercased()) }
    }
    return next
  }
}
