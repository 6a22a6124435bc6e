import RunAnywhere

/// English words of the numbers that a cleaned text still has.
enum WrittenNumber {
  /// Words of digits that may hold group commas and one decimal point. More than 15 digits, and
  /// numbers with a leading zero, are read digit by digit.
  static func cardinal(_ digits: String) -> [String] {
    let parts = digits.filter { $0 != "," }.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first else { return [] }
    var words = whole.isEmpty ? [] : integer(whole)
    for fraction in parts.dropFirst() where !fraction.isEmpty {
      words.append("point")
      words += NumberWords.digits(fraction)
    }
    return words
  }

  static func ordinal(_ digits: String) -> [String] { NumberWords.ordinal(cardinal(digits)) }

  private static func integer(_ digits: Substring) -> [String] {
    guard digits.count <= 15, digits.count == 1 || digits.first != "0", let value = Int(digits) else {
      return NumberWords.digits(digits)
    }
    return NumberWords.cardinal(value)
  }
}
