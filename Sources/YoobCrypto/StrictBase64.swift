/// Base64 as RFC 4648 section 4 writes it, and nothing else: one spelling for the same bytes.
///
/// Refused are white space, the alphabet for addresses, missing padding and bits that padding leaves over.
package enum StrictBase64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  /// The text of these bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for place in 0..<3 { group = group << 8 | (place < count ? UInt32(bytes[start + place]) : 0) }
      for place in 0..<4 {
        text.append(place <= count ? alphabet[Int(group >> UInt32(18 - 6 * place) & 63)] : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that the text spells, nil when it is not their one spelling.
  package static func decode(_ text: String) -> [UInt8]? {
    var text = Array(text.utf8)[...]
    guard text.count % 4 == 0 else { return nil }
    var padded = 0
    while padded < 2, text.last == padding {
      text.removeLast()
      padded += 1
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var bits: UInt32 = 0
    for letter in text {
      let value = values[Int(letter)]
      guard value != 0xFF else { return nil }
      group = group << 6 | UInt32(value)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: group >> bits))
      group &= 1 << bits - 1
    }
    return group == 0 ? bytes : nil
  }
}
