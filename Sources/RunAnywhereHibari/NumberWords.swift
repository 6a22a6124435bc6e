/// English words of the numbers that a cleaned text still has.
enum NumberWords {
  private static let small = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
  ]
  private static let tens = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
  ]
  private static let scales = ["", "thousand", "million", "billion", "trillion"]
  private static let irregularOrdinals = [
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
  ]

  /// Words of digits that may hold group commas and one decimal point. More than 15 digits, and
  /// numbers with a leading zero, are read digit by digit.
  static func cardinal(_ digits: String) -> [String] {
    let parts = digits.filter { $0 != "," }.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first else { return [] }
    var words = whole.isEmpty ? [] : integer(String(whole))
    for fraction in parts.dropFirst() where !fraction.isEmpty {
      words.append("point")
      words += spelled(String(fraction))
    }
    return words
  }

  static func ordinal(_ digits: String) -> [String] {
    var words = cardinal(digits)
    guard let last = words.popLast() else { return [] }
    if let irregular = irregularOrdinals[last] { return words + [irregular] }
    if last.hasSuffix("y") { return words + [last.dropLast() + "ieth"] }
    return words + [last.hasSuffix("t") ? last + "h" : last + "th"]
  }

  private static func integer(_ digits: String) -> [String] {
    guard digits.count <= 15, digits.count == 1 || digits.first != "0", let value = Int(digits) else {
      return spelled(digits)
    }
    if value == 0 { return ["zero"] }
    var groups: [[String]] = []
    var rest = value
    var scale = 0
    while rest > 0 {
      let group = rest % 1000
      if group > 0 { groups.append(hundreds(group) + (scale > 0 ? [scales[scale]] : [])) }
      rest /= 1000
      scale += 1
    }
    return groups.reversed().flatMap { $0 }
  }

  private static func hundreds(_ value: Int) -> [String] {
    var words: [String] = []
    if value >= 100 { words += [small[value / 100], "hundred"] }
    let rest = value % 100
    if rest >= 20 {
      words.append(tens[rest / 10])
      if rest % 10 > 0 { words.append(small[rest % 10]) }
    } else if rest > 0 {
      words.append(small[rest])
    }
    return words
  }

  private static func spelled(_ digits: String) -> [String] {
    digits.compactMap { $0.wholeNumberValue }.filter { (0...9).contains($0) }.map { small[$0] }
  }
}
