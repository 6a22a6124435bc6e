/// Cuts a stream of bytes into the data of server-sent events (WHATWG HTML, section 9.2).
struct ServerSentEvents {
  private var line: [UInt8] = []
  private var data: [[UInt8]] = []
  private var dataBytes = 0
  /// Longest line, and longest data of one event, in bytes; longer ones are dropped whole.
  private static let longestLine = 1 << 20
  private var isOverlong = false
  private var lastWasReturn = false

  /// Takes bytes and returns the data of each event that they complete.
  mutating func process(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var events: [[UInt8]] = []
    for byte in bytes {
      let isNewline = byte == UInt8(ascii: "\n")
      let isReturn = byte == UInt8(ascii: "\r")
      defer { lastWasReturn = isReturn }
      guard isNewline || isReturn else {
        if line.count < Self.longestLine { line.append(byte) } else { isOverlong = true }
        continue
      }
      if isNewline, lastWasReturn { continue }
      if let event = endLine() { events.append(event) }
    }
    return events
  }

  private mutating func endLine() -> [UInt8]? {
    defer {
      line.removeAll(keepingCapacity: true)
      isOverlong = false
    }
    guard !isOverlong else { return nil }
    guard !line.isEmpty else {
      guard !data.isEmpty else { return nil }
      defer {
        data = []
        dataBytes = 0
      }
      return Array(data.joined(separator: [UInt8(ascii: "\n")]))
    }
    let prefix = Array("data:".utf8)
    guard line.starts(with: prefix) else { return nil }
    var value = line.dropFirst(prefix.count)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    dataBytes += value.count
    if dataBytes <= Self.longestLine { data.append(Array(value)) }
    return nil
  }
}
