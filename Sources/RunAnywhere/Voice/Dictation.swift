/// Recognizes numbers and letters that are being dictated, such as a telephone number or a name that
/// is spelled, and tells whether the last of them has probably been said.
struct Dictation: Equatable {
  /// Digits, and letters, at the end of the text.
  private(set) var digits = 0
  private(set) var letters = 0
  /// Groups that they were written in.
  private var groups = 0
  /// Whether words before them announce a number, or spelling.
  private var announcesNumber = false
  private var announcesShortNumber = false
  private var announcesLetters = false

  private static let digitWords: [String: Int] = [
    "zero": 1, "oh": 1, "one": 1, "two": 1, "three": 1, "four": 1, "five": 1, "six": 1, "seven": 1,
    "eight": 1, "nine": 1, "ten": 2, "eleven": 2, "twelve": 2, "thirteen": 2, "fourteen": 2,
    "fifteen": 2, "sixteen": 2, "seventeen": 2, "eighteen": 2, "nineteen": 2, "twenty": 1,
    "thirty": 1, "forty": 1, "fifty": 1, "sixty": 1, "seventy": 1, "eighty": 1, "ninety": 1,
    "hundred": 2, "double": 1, "triple": 2, "nought": 1,
  ]
  private static let numberCues: Set<String> = [
    "number", "phone", "telephone", "account", "card", "serial", "order", "booking", "reference",
    "tracking", "digits", "call", "dial", "reach",
  ]
  private static let shortNumberCues: Set<String> = [
    "zip", "pin", "code", "postcode", "passcode", "password",
  ]
  private static let letterCues: Set<String> = ["spell", "spelled", "spelt", "spells", "spelling", "letters"]

  /// Lengths at which a dictated number ends: with seven digits and with ten or more.
  private var hasWholeNumber: Bool {
    announcesShortNumber ? (4...6).contains(digits) : digits == 7 || digits >= 10
  }

  /// Whether a number or a name was dictated, whole or not.
  var isLong: Bool { digits >= 4 || letters >= 3 }

  /// Whether the speaker is in the midst of dictating.
  var isOpen: Bool {
    if letters > 0 && digits == 0 { return announcesLetters || letters >= 3 }
    guard digits > 0 else { return false }
    if letters > 0 { return !hasWholeNumber }
    let isDictated =
      announcesNumber || announcesShortNumber || groups >= 3 || (groups == 2 && digits >= 5)
    return isDictated && !hasWholeNumber
  }

  init(_ text: String) {
    let words = text.split { $0.isWhitespace || $0 == "," || $0 == "-" || $0 == "—" || $0 == "/" }
    var index = words.endIndex
    while index > words.startIndex, take(words[index - 1], isLast: index == words.endIndex) { index -= 1 }
    guard digits + letters > 0 else { return }
    for word in words[..<index].suffix(8) {
      let plain = word.lowercased().filter(\.isLetter)
      if Self.shortNumberCues.contains(plain) { announcesShortNumber = true }
      if Self.numberCues.contains(plain) { announcesNumber = true }
      if Self.letterCues.contains(plain) { announcesLetters = true }
    }
  }

  /// Counts one word from the end; false when it is no part of what is dictated.
  private mutating func take(_ word: Substring, isLast: Bool) -> Bool {
    // A sentence that ended before is not dictated on.
    if !isLast, let end = word.last, end == "?" || end == "!" { return false }
    let plain = word.lowercased().filter { $0.isLetter || $0.isNumber }
    guard let first = plain.first else { return true }
    if plain.allSatisfy(\.isNumber) {
      digits += plain.count
    } else if let count = Self.digitWords[plain] {
      digits += count
    } else if plain.count == 1 && (plain != "i" && plain != "a" || letters > 0) {
      letters += 1
    } else if Self.isDotted(word) {
      letters += plain.count
    } else if first.isNumber, plain.dropFirst().allSatisfy({ $0.isNumber || $0.isLetter }),
      plain.contains(where: \.isLetter), plain.count <= 8, announcesNothingElse(plain)
    {
      digits += plain.count  // such as "4B7"
    } else {
      return false
    }
    groups += 1
    return true
  }

  /// "1980s", "3rd", "5pm" are words, not dictation.
  private func announcesNothingElse(_ plain: String) -> Bool {
    let tail = plain.drop { $0.isNumber }
    return !["s", "st", "nd", "rd", "th", "am", "pm", "k", "m", "km", "kg", "cm", "mm", "h"].contains(
      String(tail))
  }

  /// Letters with a dot after each, three at least: "U.S." and "a.m." are words.
  private static func isDotted(_ word: Substring) -> Bool {
    let parts = word.split(separator: ".")
    return parts.count >= 3 && parts.allSatisfy { $0.count == 1 && $0.allSatisfy(\.isLetter) }
  }
}
