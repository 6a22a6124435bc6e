/// Reads heads of answers line by line.
struct HTTPHeadReader {
  /// Largest head, trailers included, in bytes.
  static let limit = 64 << 10

  private var bytes = 0
  private var status = 0
  private var headers = HTTPHeaders()
  private(set) var isComplete = false

  /// Whether a status line was read.
  var hasStatus: Bool { status > 0 }

  /// Takes a line with its line break; returns the head that it completes, interim answers (1xx
  /// but 101) left aside. Lines after that, which are trailers, only count.
  mutating func take(_ line: some Collection<UInt8>) throws(NetError) -> (Int, HTTPHeaders)? {
    bytes += line.count
    guard bytes <= Self.limit else { throw .tooLarge(.header, limit: Self.limit) }
    guard !isComplete else { return nil }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      headers = HTTPHeaders()
      status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
      return nil
    }
    let content = text.trimmingWhitespace()
    if content.isEmpty {
      guard !(100..<200).contains(status) || status == 101 else { return nil }
      isComplete = true
      return (status, headers)
    }
    if let colon = content.firstIndex(of: ":") {
      headers.add(
        name: String(content[..<colon]), value: content[content.index(after: colon)...].trimmingWhitespace())
    }
    return nil
  }
}

extension StringProtocol {
  /// Without white space and line breaks at its ends.
  fileprivate func trimmingWhitespace() -> String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
