import Foundation

/// Finds names in JSON by which two readers could see two documents.
///
/// JSON leaves open which of two equal names counts: some readers take the first, others the last. I-JSON
/// (RFC 7493, section 2.3) forbids them, compared after escapes are undone. Names that are not in Unicode's
/// composed form (NFC) are refused too: to Swift "K" and the sign of the kelvin are the same, to JavaScript
/// they are not.
struct JSONNames {
  private let bytes: [UInt8]
  private var position = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// What is wrong with the first such name, nil when there is none. Says nothing about text that is no JSON.
  static func fault(in bytes: [UInt8]) -> String? {
    var reader = JSONNames(bytes)
    return reader.fault()
  }

  private mutating func fault() -> String? {
    /// The names so far of each object that is open, nil for an array.
    var open: [Set<[UInt8]>?] = []
    var isName = false
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"):
        open.append([])
        isName = true
      case UInt8(ascii: "["):
        open.append(nil)
        isName = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = open.popLast()
        isName = false
      case UInt8(ascii: ","): isName = open.last.flatMap { $0 } != nil
      case UInt8(ascii: "\""):
        let string = string()
        guard isName else { continue }
        isName = false
        let name = string.hasEscapes ? Self.withoutEscapes(string.content) : Array(string.content)
        guard let name else { return "a name holds half of a character" }
        let text = String(decoding: name, as: UTF8.self)
        guard name.allSatisfy({ $0 < 0x80 }) || Self.isComposed(text) else {
          return "the name “\(PackPath.shown(text))” is not in Unicode's composed form"
        }
        guard open[open.count - 1]?.insert(name).inserted == true else {
          return "“\(PackPath.shown(text))” stands twice in one object"
        }
      default: break
      }
    }
    return nil
  }

  /// What is between the quotes; the position is behind the second one then.
  private mutating func string() -> (content: ArraySlice<UInt8>, hasEscapes: Bool) {
    let start = position
    var hasEscapes = false
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      let isEscape = bytes[position] == UInt8(ascii: "\\")
      hasEscapes = hasEscapes || isEscape
      position += isEscape ? 2 : 1
    }
    let end = min(position, bytes.count)
    position = end + 1
    return (bytes[start..<end], hasEscapes)
  }

  private static func isComposed(_ text: String) -> Bool {
    text.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(text.unicodeScalars)
  }

  /// The name in UTF-8, nil when an escape stands for half of a pair.
  private static func withoutEscapes(_ content: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = content
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "u"):
        guard let scalar = scalar(&rest) else { return nil }
        result += Array(String(Character(scalar)).utf8)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case let other?: result.append(other)
      case nil: return nil
      }
    }
    return result
  }

  /// The character of four digits behind `\u`, or of two such escapes.
  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    func unit() -> UInt32? {
      defer { rest = rest.dropFirst(4) }
      return UInt32(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16)
    }
    guard let first = unit() else { return nil }
    guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
    guard rest.starts(with: Array("\\u".utf8)) else { return nil }
    rest = rest.dropFirst(2)
    guard let second = unit(), (0xDC00..<0xE000).contains(second) else { return nil }
    return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
  }
}
