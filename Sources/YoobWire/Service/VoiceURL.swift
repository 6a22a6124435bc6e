/// Addresses of voice servers, judged without opening them.
public enum VoiceURL {
  /// Whether a socket may be opened at `url`: `wss` at one of `hosts`, or `ws` on this machine where `hosts`
  /// names this machine, without a user name. A host `*.example.com` stands for every host below `example.com`,
  /// not for itself.
  public static func isAllowed(_ url: String, hosts: [String]) -> Bool {
    guard let parts = parse(url) else { return false }
    switch parts.scheme {
    case "wss": return hosts.contains { matches(parts.host, pattern: $0) }
    case "ws": return isLoopback(parts.host) && hosts.contains { isLoopback($0.lowercased()) }
    default: return false
    }
  }

  /// Whether a request may carry a token to `url`: `https` anywhere, `http` on this machine.
  public static func isSafeBase(_ url: String) -> Bool {
    guard let parts = parse(url) else { return false }
    return parts.scheme == "https" || (parts.scheme == "http" && isLoopback(parts.host))
  }

  /// Whether the host is this machine.
  public static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "[::1]", "::1"].contains(host) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func matches(_ host: String, pattern: String) -> Bool {
    let pattern = pattern.lowercased()
    guard pattern.hasPrefix("*.") else { return host == pattern }
    return host.hasSuffix(pattern.dropFirst(1)) && host.utf8.count >= pattern.utf8.count
  }

  /// Scheme and host in small letters; nil where the address has a user name or characters of no address.
  private static func parse(_ url: String) -> (scheme: String, host: String)? {
    guard url.utf8.count <= 4096, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C }),
      let colon = url.firstRange(of: "://")
    else { return nil }
    let rest = url[colon.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.contains("@"), !authority.contains("%") else { return nil }
    var host = authority.lowercased()
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      let tail = host[host.index(after: end)...]
      guard tail.isEmpty || isPort(tail) else { return nil }
      host = String(host[...end])
    } else if let port = host.firstIndex(of: ":") {
      guard isPort(host[port...]) else { return nil }
      host = String(host[..<port])
    }
    return host.isEmpty ? nil : (url[..<colon.lowerBound].lowercased(), host)
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.hasPrefix(":") && text.count <= 6 && UInt16(text.dropFirst()) != nil
  }

  /// The text as a part of a query (RFC 3986).
  public static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
