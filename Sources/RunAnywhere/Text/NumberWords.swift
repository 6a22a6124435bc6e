/// Numbers as English words.
package enum NumberWords {
  private static let small = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
  ]
  private static let tens = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
  ]
  private static let scales: [(value: Int, name: String)] = [
    (1_000_000_000_000, "trillion"), (1_000_000_000, "billion"), (1_000_000, "million"),
    (1_000, "thousand"),
  ]
  private static let ordinals = [
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
  ]

  /// "one thousand two hundred thirty four" for 1234; numbers from 0 to 999 trillion.
  package static func cardinal(_ number: Int) -> [String] {
    guard number >= 0 else { return ["minus"] + cardinal(number == .min ? .max : -number) }
    if number < 20 { return [small[number]] }
    if number < 100 {
      return [tens[number / 10]] + (number % 10 == 0 ? [] : [small[number % 10]])
    }
    if number < 1000 {
      return [small[number / 100], "hundred"] + (number % 100 == 0 ? [] : cardinal(number % 100))
    }
    for scale in scales where number >= scale.value {
      let rest = number % scale.value
      return cardinal(number / scale.value) + [scale.name] + (rest == 0 ? [] : cardinal(rest))
    }
    return []
  }

  /// "twenty third" for 23.
  static func ordinal(_ number: Int) -> [String] { ordinal(cardinal(number)) }

  /// "twenty third" for "twenty three".
  package static func ordinal(_ cardinal: [String]) -> [String] {
    var words = cardinal
    guard let last = words.popLast() else { return [] }
    return words + [ordinal(of: last)]
  }

  private static func ordinal(of word: String) -> String {
    if let irregular = ordinals[word] { return irregular }
    return word.hasSuffix("y") ? word.dropLast() + "ieth" : word + "th"
  }

  /// "nineteen ninety nine", "two thousand five", "nineteen oh five" for a year of four digits.
  static func year(_ number: Int) -> [String] {
    let (high, low) = (number / 100, number % 100)
    if number % 1000 < 10 { return cardinal(number) }
    if low == 0 { return cardinal(high) + ["hundred"] }
    return cardinal(high) + (low < 10 ? ["oh", small[low]] : cardinal(low))
  }

  /// "nineteen nineties" for 1990, "eighties" for 80.
  static func decade(_ number: Int) -> [String] {
    var words = number >= 1000 ? year(number) : cardinal(number)
    guard let last = words.popLast() else { return [] }
    return words + [last.hasSuffix("y") ? last.dropLast() + "ies" : last + "s"]
  }

  /// Each digit by itself.
  package static func digits(_ text: some StringProtocol) -> [String] {
    text.compactMap { $0.wholeNumberValue }.filter { $0 < 10 }.map { small[$0] }
  }

  /// A number as written ("1,234", "3.14", "007"), nil when it is none.
  static func read(_ text: String) -> [String]? {
    var body = Substring(text)
    var words: [String] = []
    if body.hasPrefix("-") || body.hasPrefix("−") {
      words = ["minus"]
      body = body.dropFirst()
    } else if body.hasPrefix("+") {
      words = ["plus"]
      body = body.dropFirst()
    }
    let parts = body.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.allSatisfy({ !$0.isEmpty }) || (parts.count == 2 && whole.isEmpty)
    else { return nil }
    guard parts.dropFirst().allSatisfy({ $0.allSatisfy(isDigit) }) else { return nil }
    if !whole.isEmpty {
      guard let value = integer(whole) else { return nil }
      words += value
    }
    if parts.count == 2 {
      words += (whole.isEmpty ? ["zero"] : []) + ["point"] + digits(parts[1])
    } else {
      for part in parts.dropFirst() { words += ["point"] + (integer(part) ?? digits(part)) }
    }
    return words
  }

  /// A run of digits, commas between thousands allowed.
  private static func integer(_ text: Substring) -> [String]? {
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) else { return nil }
    let isGrouped = groups.count > 1 && groups.dropFirst().allSatisfy { $0.count == 3 }
    guard groups.count == 1 || isGrouped else { return groups.flatMap { digits($0) } }
    let plain = groups.joined()
    let isCode = plain.count > 1 && plain.first == "0"
    // A long run of digits is a number where it is round, else a code.
    let isLong = !isGrouped && plain.count > 6 && !plain.hasSuffix("000")
    if isCode || isLong || plain.count > 15 { return digits(plain) }
    return Int(plain).map(cardinal)
  }

  /// ASCII digits only: other scripts' digits are left to the voice.
  static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
