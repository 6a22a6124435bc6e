// Dates, days and the numbers of kings.
extension SpeechReader {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
  private static let shortMonths = [
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
    "nov": 11, "dec": 12,
  ]
  private static let shortDays = [
    "mon": "Monday", "tue": "Tuesday", "tues": "Tuesday", "wed": "Wednesday", "thu": "Thursday",
    "thur": "Thursday", "thurs": "Thursday", "fri": "Friday", "sat": "Saturday", "sun": "Sunday",
  ]

  /// The month that the token at `index` names, in full.
  private func month(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].core.first?.isUppercase == true else { return nil }
    let core = lower(index)
    if let number = Self.shortMonths[core] { return Self.months[number - 1] }
    return Self.months.first { $0.lowercased() == core }
  }

  /// Whether the token is a month's short name beside its day.
  func isMonth(_ index: Int) -> Bool {
    month(index) != nil && (dayNumber(index + 1) != nil || dayNumber(index - 1) != nil)
  }

  /// The day of a month that the token names, as "5" or "5th".
  private func dayNumber(_ index: Int) -> Int? {
    var core = lower(index)
    if ["st", "nd", "rd", "th"].contains(where: core.hasSuffix) { core.removeLast(2) }
    guard (1...2).contains(core.count), core.allSatisfy(NumberWords.isDigit), let day = Int(core),
      (1...31).contains(day)
    else { return nil }
    return day
  }

  /// "2024-03-05", "3/5/2024", "5 March 2024", "March 5".
  func date(at index: Int) -> [[String]]? {
    let core = tokens[index].core
    if let words = Self.numericDate(core) { return [words] }
    if let day = dayNumber(index) {
      if let month = follower(index) == nil ? nil : month(index + 1), dayNumber(index + 2) == nil {
        let article = ["the", "of"].contains(lower(index - 1)) ? [] : ["the"]
        return [article + NumberWords.ordinal(day), ["of", month]]
      }
      let isAfterMonth = index > 0 && month(index - 1) != nil && ["", "."].contains(tokens[index - 1].tail)
      // "May 5 people come" is no date.
      let next = follower(index)
      let isCount = lower(index - 1) == "may" && index == 1 && next?.core.first?.isLowercase == true
      if isAfterMonth, !isCount, next.map({ Abbreviations.units[$0.core] == nil }) ?? true {
        return [NumberWords.ordinal(day)]
      }
    }
    if isMonth(index), let month = month(index) { return [[month]] }
    return nil
  }

  private static func numericDate(_ core: String) -> [String]? {
    let halves = core.split(separator: "T", omittingEmptySubsequences: false)
    if halves.count == 2, let date = numericDate(String(halves[0])),
      let time = NumberReader.time(String(halves[1].prefix(5)), isBeforeHalf: false)
    {
      return date + ["at"] + time
    }
    for mark in ["-", "/", "."] as [Character] {
      let parts = core.split(separator: mark, omittingEmptySubsequences: false)
      guard parts.count == 3, parts.allSatisfy({ $0.allSatisfy(NumberWords.isDigit) }) else { continue }
      let numbers = parts.compactMap { Int($0) }
      guard numbers.count == 3 else { continue }
      let lengths = parts.map(\.count)
      if lengths == [4, 2, 2] || (mark == "/" && lengths[0] == 4) {
        return date(numbers[0], numbers[1], numbers[2])
      }
      guard lengths[0] <= 2, lengths[1] <= 2, lengths[2] == 4 || (lengths[2] == 2 && mark == "/") else {
        continue
      }
      let year = lengths[2] == 4 ? numbers[2] : (numbers[2] < 70 ? 2000 : 1900) + numbers[2]
      // Americans put the month first; a number that is no month tells that it is the day.
      let isDayFirst = numbers[0] > 12 || mark == "."
      return isDayFirst ? date(year, numbers[1], numbers[0]) : date(year, numbers[0], numbers[1])
    }
    return nil
  }

  private static func date(_ year: Int, _ month: Int, _ day: Int) -> [String]? {
    guard (1...12).contains(month), (1...31).contains(day), (1000...9999).contains(year) else { return nil }
    var words = [months[month - 1]] + NumberWords.ordinal(day)
    words[words.count - 1] += ","
    return words + NumberWords.year(year)
  }

  /// "Monday" for "Mon" beside a date.
  func day(at index: Int) -> [String]? {
    let core = tokens[index].core
    guard core.first?.isUppercase == true, let name = Self.shortDays[core.lowercased()] else { return nil }
    let isDated =
      month(index + 1) != nil
      || dayNumber(index + 1) != nil && (month(index + 2) != nil || lower(index + 1).count > 2)
    return isDated ? [name] : nil
  }

  // MARK: Roman numerals

  private static let rulers: Set<String> = [
    "alexander", "alfonso", "benedict", "catherine", "charles", "christian", "clement", "edward", "elizabeth",
    "ferdinand", "francis", "frederick", "george", "gregory", "gustav", "harald", "henry", "innocent", "ivan",
    "james", "juan", "julius", "leo", "leopold", "louis", "margaret", "mary", "napoleon", "nicholas", "otto",
    "paul", "peter", "philip", "pius", "ramesses", "richard", "robert", "urban", "victor", "vittorio",
    "wilhelm",
    "william", "xerxes",
  ]
  private static let numbered: Set<String> = [
    "war", "chapter", "part", "act", "scene", "volume", "section", "type", "phase", "book", "stage", "grade",
    "appendix", "article", "title", "bowl", "mark", "factor", "level", "class",
  ]
  private static let romanDigits: [Character: Int] = ["I": 1, "V": 5, "X": 10, "L": 50]

  /// "the eighth" after the name of a king, "two" after "World War".
  func roman(at index: Int) -> [String]? {
    guard index > 0, tokens[index - 1].tail.isEmpty, tokens[index - 1].core.first?.isUppercase == true
    else { return nil }
    var core = Substring(tokens[index].core)
    let isOwner = core.hasSuffix("'s")
    if isOwner { core.removeLast(2) }
    guard let value = Self.romanValue(core) else { return nil }
    var words: [String]
    if Self.rulers.contains(lower(index - 1)), core != "I" {
      words = ["the"] + NumberWords.ordinal(value)
    } else if Self.numbered.contains(lower(index - 1)) {
      words = NumberWords.cardinal(value)
    } else {
      return nil
    }
    if isOwner { words[words.count - 1] += "'s" }
    return words
  }

  private static func romanValue(_ text: Substring) -> Int? {
    let digits = text.compactMap { romanDigits[$0] }
    guard !digits.isEmpty, digits.count == text.count, digits.count < 8 else { return nil }
    var sum = 0
    for (index, digit) in digits.enumerated() {
      sum += index + 1 < digits.count && digits[index + 1] > digit ? -digit : digit
    }
    // Only the usual way to write it is a number: "IIII" and "VX" are none.
    return sum > 0 && roman(sum) == String(text) ? sum : nil
  }

  private static func roman(_ number: Int) -> String {
    var (rest, text) = (number, "")
    for (value, sign) in [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")] {
      while rest >= value {
        rest -= value
        text += sign
      }
    }
    return text
  }
}
