/// Reads the head of a request (RFC 9112), however its bytes are cut.
///
/// It takes less than the standard allows: what two readers may understand differently is refused, so that none of a
/// client's bytes can pass for another request behind a proxy.
struct RequestReader {
  /// Largest head, in bytes.
  static let limit = 16 << 10

  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]
  /// Fields of which a second one is refused.
  private static let single: Set<String> = [
    "authorization", "content-length", "content-type", "expect", "host", "origin", "sec-websocket-key",
    "sec-websocket-version", "transfer-encoding",
  ]

  /// The request as far as it was read; nil before the end of its first line.
  private(set) var request: HTTPRequest?
  private var line: [UInt8] = []
  private var count = 0
  private var isOld = false
  private var hasBlankLine = false
  private var seen: Set<String> = []

  /// Whether more than an empty line was read.
  var hasBegun: Bool { request != nil || line.count > 1 || line.first.map { $0 != 0x0D } == true }

  /// Takes bytes up to the end of the head, and leaves what follows in `rest`; nil before the end.
  mutating func take(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(HTTPRefusal) -> RequestHead? {
    while let first = rest.first {
      // What begins otherwise will never be HTTP: it need not be waited for.
      if count == 0, first != 0x0D, !Self.isToken(first) { throw .malformed("it begins with no method.") }
      let end = rest.firstIndex(of: 0x0A)
      let piece = end.map { rest[...$0] } ?? rest
      count += piece.count
      guard count <= Self.limit else {
        throw request == nil ? .longPath(limit: Self.limit) : .longHeader(limit: Self.limit)
      }
      line += piece
      rest = rest.dropFirst(piece.count)
      guard end != nil else { return nil }
      guard line.suffix(2).first == 0x0D else { throw .malformed("a line ends without a carriage return.") }
      line.removeLast(2)
      defer { line.removeAll(keepingCapacity: true) }
      if var request {
        if line.isEmpty { return try head(of: request) }
        try addField(to: &request)
        self.request = request
      } else if !line.isEmpty || hasBlankLine {
        request = try requestLine()
      } else {
        // One empty line may stand before a request (RFC 9112, section 2.2).
        hasBlankLine = true
      }
    }
    return nil
  }

  // MARK: The first line

  private mutating func requestLine() throws(HTTPRefusal) -> HTTPRequest {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(Self.isToken) else {
      throw .malformed("its first line is not METHOD PATH VERSION.")
    }
    let version = Array(parts[2])
    guard version.count == 8, version.starts(with: Array("HTTP/".utf8)), Self.isDigit(version[5]),
      version[6] == 0x2E, Self.isDigit(version[7])
    else { throw .malformed("its version is none.") }
    guard version[5] == 0x31 else { throw .otherVersion }
    isOld = version[7] == 0x30
    let method = String(decoding: parts[0], as: UTF8.self)
    guard Self.methods.contains(method) else { throw .unknownMethod }
    let target = parts[1]
    guard target.first == 0x2F, target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }) else {
      throw .malformed("its path does not begin with a slash, or has characters that must be escaped.")
    }
    let pieces = target.split(separator: 0x3F, maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = PercentCoding.decode(pieces[0]), !path.contains(0) else {
      throw .malformed("its path is escaped wrongly.")
    }
    return HTTPRequest(
      method: method, path: String(decoding: path, as: UTF8.self),
      query: pieces.count > 1 ? String(decoding: pieces[1], as: UTF8.self) : "")
  }

  // MARK: Fields

  private mutating func addField(to request: inout HTTPRequest) throws(HTTPRefusal) {
    guard let colon = line.firstIndex(of: 0x3A), colon > 0, line[..<colon].allSatisfy(Self.isToken) else {
      throw .malformed("a line of its header is not NAME: VALUE.")
    }
    var value = line[(colon + 1)...]
    while let byte = value.first, byte == 0x20 || byte == 0x09 { value.removeFirst() }
    while let byte = value.last, byte == 0x20 || byte == 0x09 { value.removeLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw .malformed("a value of its header has a control character.")
    }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    if Self.single.contains(name), !seen.insert(name).inserted {
      throw .malformed("\(name) is there twice.")
    }
    request.headers.add(name: name, value: String(decoding: value, as: UTF8.self))
  }

  // MARK: The end of the head

  private func head(of request: HTTPRequest) throws(HTTPRefusal) -> RequestHead {
    var head = RequestHead(request: request)
    let fields = request.headers
    if !isOld, fields["host"] == nil { throw .malformed("it names no Host.") }
    if fields["transfer-encoding"] != nil {
      if fields["content-length"] != nil { throw .malformed("it tells the length of its body twice.") }
      throw .noLength
    }
    if let text = fields["content-length"] {
      guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(Self.isDigit), let length = Int(text)
      else { throw .malformed("its Content-Length is not a number.") }
      head.bodyLength = length
    } else {
      // A client that says no length may still send a body: nothing behind the head is read.
      head.closes = ["POST", "PUT", "PATCH"].contains(request.method)
    }
    let options = Self.words(fields, "connection")
    if isOld || options.contains("close") { head.closes = true }
    if !isOld, let expected = fields["expect"] {
      guard expected.lowercased() == "100-continue" else { throw .badExpectation }
      head.expectsContinue = true
    }
    head.wantsWebSocket =
      !isOld && options.contains("upgrade") && Self.words(fields, "upgrade").contains("websocket")
    return head
  }

  /// What stands between commas in all fields of the name, in small letters.
  private static func words(_ fields: HTTPHeaders, _ name: String) -> [String] {
    fields.fields.filter { $0.name == name }.flatMap { field in
      field.value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// A character of a name (RFC 9110, section 5.6.2).
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x7C, 0x7E: true
    default: false
    }
  }
}
