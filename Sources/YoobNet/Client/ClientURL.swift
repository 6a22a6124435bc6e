import Foundation

/// An address that a client may use, without user name, password and fragment.
struct ClientURL: Equatable {
  /// In lower case.
  let scheme: String
  /// In lower case; an IPv6 address without brackets.
  let host: String
  let port: Int
  /// The path and the query, beginning with a slash.
  let target: String

  private static let ports = ["http": 80, "https": 443, "ws": 80, "wss": 443]

  /// Throws `NetError.invalidURL` for anything but an absolute address of one of the schemes.
  init(_ text: String, schemes: Set<String>) throws(NetError) {
    func refuse(_ reason: String) -> NetError { .invalidURL(String(text.prefix(200)), reason: reason) }
    guard text.utf8.count <= 8192 else { throw refuse("it has more than 8192 bytes") }
    guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }),
      let parts = URLComponents(string: text)
    else { throw refuse("it is no web address; percent-encode what is not ASCII") }
    guard let scheme = parts.scheme?.lowercased(), schemes.contains(scheme) else {
      throw refuse("it begins with none of \(schemes.sorted().map { $0 + "://" }.joined(separator: ", "))")
    }
    guard parts.user == nil, parts.password == nil else {
      throw refuse("it holds a user name; send an Authorization field instead")
    }
    guard var host = parts.host?.lowercased(), !host.isEmpty else { throw refuse("it names no host") }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    let isNamed = host.utf8.allSatisfy {
      48...57 ~= $0 || 97...122 ~= $0 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "_")
    }
    guard isNamed || Self.isIPv6(host) else { throw refuse("its host is no name and no IP address") }
    let port = parts.port ?? Self.ports[scheme] ?? 0
    guard (1...65_535).contains(port) else { throw refuse("its port is not from 1 to 65535") }
    self.scheme = scheme
    self.host = host
    self.port = port
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    target = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
  }

  var isEncrypted: Bool { scheme == "https" || scheme == "wss" }

  /// Whether the host is this machine by its address, or "localhost".
  var isLoopback: Bool {
    if host == "localhost" || host == "::1" { return true }
    var address = in_addr()
    guard inet_pton(AF_INET, host, &address) == 1 else { return false }
    return UInt32(bigEndian: address.s_addr) >> 24 == 127
  }

  /// The host as `Host` names it, with its port where that is not the scheme's own.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == Self.ports[scheme] ? name : "\(name):\(port)"
  }

  /// Host and port, for messages.
  var place: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  var text: String { "\(scheme)://\(authority)\(target)" }

  func hasSameOrigin(as other: ClientURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  private static func isIPv6(_ host: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, host, &address) == 1
  }
}
