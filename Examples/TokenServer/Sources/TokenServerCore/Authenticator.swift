import YoobCrypto
import YoobNet

/// Says who sends a request. Replace it by the check of your own accounts: whoever it lets in spends your credit.
/// ```swift
/// struct Accounts: Authenticator {
///   func user(of request: HTTPRequest) async -> String? {
///     await sessions.user(cookie: request.headers["cookie"])
///   }
/// }
/// ```
public protocol Authenticator: Sendable {
  /// The user's name, by which requests are counted and logged; nil refuses the request with 401.
  func user(of request: HTTPRequest) async -> String?
}

/// Refuses everybody: what a server does that was told nothing else.
public struct NobodyAuthenticator: Authenticator {
  public init() {}
  public func user(of request: HTTPRequest) async -> String? { nil }
}

/// Lets everybody in as one user. For your own machine only.
public struct AnonymousAuthenticator: Authenticator {
  public init() {}
  public func user(of request: HTTPRequest) async -> String? { "anonymous" }
}

/// Users with a fixed token each: `Authorization: Bearer TOKEN`.
public struct BearerAuthenticator: Authenticator {
  private let users: [(name: String, digest: SHA256Digest)]

  /// Throws `CryptoError` when the system's library fails.
  public init(_ tokens: [(user: String, token: Secret)]) throws(CryptoError) {
    var users: [(name: String, digest: SHA256Digest)] = []
    for (user, token) in tokens { users.append((user, try SHA256Digest.of(Array(token.text.utf8)))) }
    self.users = users
  }

  public func user(of request: HTTPRequest) async -> String? {
    let parts = (request.headers["authorization"] ?? "").split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer",
      let digest = try? SHA256Digest.of(Array(parts[1].utf8))
    else { return nil }
    // All are looked at, and digests are compared whole: the time tells nothing.
    var found: String?
    for user in users {
      let difference = zip(user.digest.bytes, digest.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
      if difference == 0 { found = user.name }
    }
    return found
  }
}
