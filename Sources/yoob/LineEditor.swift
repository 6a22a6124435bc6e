/// A line that is being typed on a terminal, key by key.
struct LineEditor {
  enum Outcome: Equatable {
    /// The text so far has changed.
    case changed
    case line(String)
    /// Ctrl-D on an empty line.
    case end
  }
  private enum Escape { case none, begun, sequence }

  /// Most bytes of a line; what is typed beyond them is not taken.
  static let longest = 4_000
  private var bytes: [UInt8] = []
  private var escape = Escape.none

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Takes the next byte that the terminal gives; nil when nothing comes of it.
  mutating func take(_ byte: UInt8) -> Outcome? {
    switch escape {
    case .begun:
      escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .none
      return nil
    case .sequence:
      if (0x40...0x7E).contains(byte) { escape = .none }
      return nil
    case .none: break
    }
    switch byte {
    case 0x0A, 0x0D:
      defer { bytes = [] }
      return .line(text)
    case 0x04: return bytes.isEmpty ? .end : nil
    case 0x08, 0x7F: return keep(text.dropLast())
    case 0x15: return keep("")
    case 0x17:
      let words = text.reversed().drop { $0 == " " }.drop { $0 != " " }
      return keep(String(words.reversed())[...])
    case 0x1B:
      escape = .begun
      return nil
    case 0x09: return append(0x20)
    case 0..<0x20: return nil
    default: return append(byte)
    }
  }

  private mutating func append(_ byte: UInt8) -> Outcome? {
    guard bytes.count < Self.longest else { return nil }
    bytes.append(byte)
    return .changed
  }

  private mutating func keep(_ text: Substring) -> Outcome? {
    bytes = Array(text.utf8)
    return .changed
  }
}
