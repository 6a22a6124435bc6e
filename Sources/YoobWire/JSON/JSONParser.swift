/// Why a text is not JSON.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Byte of the text at which reading stopped.
  public let offset: Int
  /// What was expected there.
  public let reason: String

  public var description: String { "not valid JSON at byte \(offset): \(reason)" }
}

extension JSONValue {
  /// Values inside values, at most.
  public static let maximumDepth = 64

  /// Reads one JSON document (RFC 8259) of UTF-8 text. Throws `JSONError`.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Reads one JSON document (RFC 8259) of UTF-8 bytes. Throws `JSONError`.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.document()
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard place == bytes.count else { throw failure("text after the end of the document") }
    return value
  }

  private func failure(_ reason: String) -> JSONError { JSONError(offset: place, reason: reason) }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < JSONValue.maximumDepth else { throw failure("too many values inside values") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw failure("the text ends too early")
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
    default: throw failure("no value begins like this")
    }
  }

  private mutating func word(_ text: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for byte in text.utf8 where !take(byte) { throw failure("expected \(text)") }
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    var members: [(name: String, value: JSONValue)] = []
    place += 1
    skipSpace()
    if take(UInt8(ascii: "}")) { return JSONObject() }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("expected the name of a member") }
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("expected a colon") }
      members.append((name, try value(depth: depth + 1)))
      skipSpace()
      if take(UInt8(ascii: "}")) { return JSONObject(members) }
      guard take(UInt8(ascii: ",")) else { throw failure("expected a comma or the end of the object") }
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    place += 1
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: "]")) { return elements }
      guard take(UInt8(ascii: ",")) else { throw failure("expected a comma or the end of the array") }
    }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = place
    var isWhole = true
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if isWhole, let whole = Int(text) { return .int(whole) }
    guard let number = Double(text), number.isFinite else { throw failure("the number is too large") }
    return .double(number)
  }

  private mutating func digits() throws(JSONError) {
    let start = place
    while let byte = next, Self.isDigit(byte) { place += 1 }
    guard place > start else { throw failure("expected a digit") }
  }

  private mutating func string() throws(JSONError) -> String {
    place += 1
    var start = place
    var unescaped: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        // Most strings have no escapes: they are read straight from the input.
        let tail = bytes[start..<place]
        place += 1
        let text =
          unescaped.isEmpty
          ? String(validating: tail, as: UTF8.self)
          : String(validating: unescaped + tail, as: UTF8.self)
        guard let text else { throw failure("the string is not UTF-8") }
        return text
      case UInt8(ascii: "\\"):
        unescaped += bytes[start..<place]
        place += 1
        unescaped += Array(String(try escape()).utf8)
        start = place
      case 0..<0x20: throw failure("a control character inside a string")
      default: place += 1
      }
    }
    throw failure("the string has no end")
  }

  private mutating func escape() throws(JSONError) -> Character {
    guard let byte = next else { throw failure("the string has no end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return Character(try unicodeEscape())
    default: throw failure("an unknown escape")
    }
  }

  /// A lone surrogate becomes U+FFFD.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let first = try fourHexDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let afterFirst = place
    if first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      let second = try fourHexDigits()
      if (0xDC00..<0xE000).contains(second) {
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
      }
    }
    place = afterFirst
    return "\u{FFFD}"
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("expected four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }
}
