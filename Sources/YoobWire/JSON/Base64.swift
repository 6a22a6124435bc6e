/// Base64 (RFC 4648, standard alphabet, padded).
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  /// The bytes as text, padded, without line breaks.
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits = 0
    var held = 0
    for byte in bytes {
      bits = (bits << 8 | Int(byte)) & 0xFFFF
      held += 8
      while held >= 6 {
        held -= 6
        output.append(alphabet[bits >> held & 63])
      }
    }
    if held > 0 { output.append(alphabet[bits << (6 - held) & 63]) }
    while output.count % 4 != 0 { output.append(UInt8(ascii: "=")) }
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes, or nil when the text is not base64. Missing padding is accepted.
  public static func decode(_ text: String) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count / 4 * 3 + 3)
    var bits = 0
    var held = 0
    var digits = 0
    var padding = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      let value = values[Int(byte)]
      guard value != 0xFF, padding == 0 else { return nil }
      digits += 1
      bits = (bits << 6 | Int(value)) & 0xFFFF
      held += 6
      if held >= 8 {
        held -= 8
        output.append(UInt8(bits >> held & 0xFF))
      }
    }
    guard digits % 4 != 1, padding <= 2, padding == 0 || (digits + padding) % 4 == 0 else { return nil }
    return output
  }
}
