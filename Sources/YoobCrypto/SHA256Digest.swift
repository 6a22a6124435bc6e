/// A SHA-256 digest: 32 bytes.
public struct SHA256Digest: Sendable, Hashable, CustomStringConvertible {
  /// Bytes of a digest.
  public static let byteCount = 32

  /// The 32 bytes.
  public let bytes: [UInt8]

  /// The digest with these bytes; nil unless there are 32.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// The digest that 64 hexadecimal digits of either case spell; nil for anything else.
  public init?(hex: String) {
    let digits = Array(hex.utf8)
    guard digits.count == 2 * Self.byteCount else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(of: digits[place]), let low = Self.value(of: digits[place + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The digest of bytes in memory.
  public static func of(_ bytes: [UInt8]) throws(CryptoError) -> SHA256Digest {
    let hasher = try SHA256Hasher()
    try hasher.update(bytes)
    return try hasher.digest()
  }

  /// 64 lowercase hexadecimal digits.
  public var hex: String {
    let letters = Array("0123456789abcdef".utf8)
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      digits.append(letters[Int(byte >> 4)])
      digits.append(letters[Int(byte & 15)])
    }
    return String(decoding: digits, as: UTF8.self)
  }

  public var description: String { hex }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
