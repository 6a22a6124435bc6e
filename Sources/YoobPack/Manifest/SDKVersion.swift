/// The version of an SDK, "a.b.c", compared as numbers.
public struct SDKVersion: Comparable, Sendable, Hashable, LosslessStringConvertible {
  /// The three numbers, 0...999,999 each.
  public let major: Int
  /// The second, 0...999,999.
  public let minor: Int
  /// The third, 0...999,999.
  public let patch: Int

  /// The version that the text spells; nil unless it is three whole numbers without leading zeros.
  public init?(_ description: String) {
    let parts = description.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard (1...6).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0"),
        part.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
      else { return nil }
      numbers.append(part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }
    (major, minor, patch) = (numbers[0], numbers[1], numbers[2])
  }

  public var description: String { "\(major).\(minor).\(patch)" }

  public static func < (one: SDKVersion, other: SDKVersion) -> Bool {
    (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
  }
}
