/// The origin of a website, as browsers send it: "https://luna.example", "http://localhost:5173".
public struct WebOrigin: Sendable, Equatable {
  /// Scheme, host and port in lower case, without the scheme's own port.
  public let text: String
  /// Values of `Host` with which a reverse proxy at this origin may pass requests on.
  let hosts: [String]

  /// Nil unless `address` is http or https, a host and perhaps a port, and nothing more.
  public init?(_ address: String) {
    let address = address.lowercased()
    guard let scheme = ["https", "http"].first(where: { address.hasPrefix("\($0)://") }) else { return nil }
    var rest = address.dropFirst(scheme.count + 3)
    if rest.hasSuffix("/") { rest.removeLast() }
    let (name, port) = Self.split(rest)
    guard let name, Self.isHost(name) else { return nil }
    let ownPort = scheme == "https" ? "443" : "80"
    guard let port, port != ownPort else {
      text = "\(scheme)://\(name)"
      hosts = [String(name), "\(name):\(ownPort)"]
      return
    }
    guard let number = UInt16(port), number > 0, String(number) == port else { return nil }
    text = "\(scheme)://\(name):\(port)"
    hosts = ["\(name):\(port)"]
  }

  /// Host and port; no host where it is not written as one.
  private static func split(_ text: Substring) -> (name: Substring?, port: Substring?) {
    let nameEnd: Substring.Index
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { return (nil, nil) }
      nameEnd = text.index(after: bracket)
    } else {
      nameEnd = text.firstIndex(of: ":") ?? text.endIndex
    }
    let rest = text[nameEnd...]
    if rest.isEmpty { return (text[..<nameEnd], nil) }
    return rest.first == ":" ? (text[..<nameEnd], rest.dropFirst()) : (nil, nil)
  }

  private static func isHost(_ name: Substring) -> Bool {
    if name.hasPrefix("[") {
      return name.count > 3
        && name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    return name.utf8.contains { $0 != UInt8(ascii: ".") }
      && name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2D, 0x2E, 0x5F].contains($0)
      }
  }
}
