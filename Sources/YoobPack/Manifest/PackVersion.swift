/// The version of a character, "YYYY.MM.DD.n": the day it was made and its number on that day.
///
/// Versions are ordered as numbers: 2026.11.30.10 is newer than 2026.11.30.9.
public struct PackVersion: Comparable, Sendable, Hashable, LosslessStringConvertible {
  /// Year (0...9999), month (1...12), day (1...31).
  public let year: Int
  /// 1...12.
  public let month: Int
  /// 1...31.
  public let day: Int
  /// Number on that day, 0...999,999,999.
  public let number: Int

  /// The version that the text spells; nil for anything but its one spelling, such as
  /// "2026.1.2.3" (months and days have two digits) or "2026.11.30.01".
  public init?(_ description: String) {
    let parts = description.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      (1...9).contains(parts[3].count), parts[3].count == 1 || parts[3].first != UInt8(ascii: "0")
    else { return nil }
    var numbers: [Int] = []
    for part in parts {
      var number = 0
      for digit in part {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        number = number * 10 + Int(digit - UInt8(ascii: "0"))
      }
      numbers.append(number)
    }
    guard (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else { return nil }
    (year, month, day, number) = (numbers[0], numbers[1], numbers[2], numbers[3])
  }

  public var description: String {
    "\(Self.padded(year, to: 4)).\(Self.padded(month, to: 2)).\(Self.padded(day, to: 2)).\(number)"
  }

  public static func < (one: PackVersion, other: PackVersion) -> Bool {
    (one.year, one.month, one.day, one.number) < (other.year, other.month, other.day, other.number)
  }

  private static func padded(_ number: Int, to count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
