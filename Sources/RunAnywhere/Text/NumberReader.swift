/// Readings of words that hold digits.
enum NumberReader {
  /// "seven thirty" for "7:30"; nil when it is no time of day.
  static func time(_ core: String, isBeforeHalf: Bool) -> [String]? {
    var text = core.lowercased()
    var half: [String] = []
    for (suffix, words) in [("am", ["A", "M"]), ("pm", ["P", "M"])] where text.hasSuffix(suffix) {
      text.removeLast(2)
      half = words
    }
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.count <= 2 && $0.allSatisfy(NumberWords.isDigit) }),
      let hour = parts.first.flatMap({ Int($0) })
    else { return nil }
    if parts.count == 1 { return half.isEmpty || hour > 12 ? nil : NumberWords.cardinal(hour) + half }
    var seconds: [String] = []
    if parts.count == 3, parts[2].count == 2, let second = Int(parts[2]), second < 60 {
      seconds = ["and"] + NumberWords.cardinal(second) + [second == 1 ? "second" : "seconds"]
      parts.removeLast()
    }
    guard parts.count == 2, parts[1].count == 2, hour < 25, let minute = Int(parts[1]), minute < 60
    else { return nil }
    let hours = NumberWords.cardinal(hour)
    if !seconds.isEmpty {
      return hours + (minute < 10 ? ["oh"] : []) + NumberWords.cardinal(minute) + seconds + half
    }
    if minute == 0 {
      if !half.isEmpty || (isBeforeHalf && hour <= 12) { return hours + half }
      return hour > 12 || hour == 0 ? hours + ["hundred"] : hours + ["o'clock"]
    }
    return hours + (minute < 10 ? ["oh"] : []) + NumberWords.cardinal(minute) + half
  }

  /// A year of four digits or a decade; `isLed`: a word like "in" stands before it.
  static func year(_ core: String, isLed: Bool) -> [String]? {
    let digits = core.prefix(while: NumberWords.isDigit)
    guard let number = Int(digits) else { return nil }
    let rest = core.dropFirst(digits.count)
    if rest == "s" || rest == "'s" {
      let isDecade =
        (digits.count == 4 && number % 10 == 0 && number >= 1100)
        || (digits.count == 2 && number % 10 == 0 && number >= 20)
      return isDecade ? NumberWords.decade(number) : nil
    }
    guard rest.isEmpty, digits.count == 4 else { return nil }
    let isLikely = (1900...2099).contains(number) || (isLed && (1100...1899).contains(number))
    return isLikely ? NumberWords.year(number) : nil
  }

  /// Ordinals, percent, ranges, fractions, telephone numbers, numbers with a unit.
  static func special(_ core: String) -> [String]? {
    let body = core.drop { $0 == "#" }
    if body.count < core.count, let words = NumberWords.read(String(body)) {
      return ["number"] + words
    }
    return alone(core)
  }

  /// A number in any of the ways in which one word can be one; nil for all else.
  static func alone(_ core: String) -> [String]? {
    if let words = time(core, isBeforeHalf: true) ?? year(core, isLed: false) ?? plain(core) { return words }
    return height(core) ?? ordinal(core) ?? unit(core) ?? telephone(core) ?? range(core) ?? fraction(core)
  }

  private static func ordinal(_ core: String) -> [String]? {
    let lower = core.lowercased()
    guard ["st", "nd", "rd", "th"].contains(where: lower.hasSuffix) else { return nil }
    let digits = lower.dropLast(2).filter { $0 != "," }
    guard !digits.isEmpty, digits.count < 10, digits.allSatisfy(NumberWords.isDigit) else { return nil }
    return Int(digits).map(NumberWords.ordinal)
  }

  private static func unit(_ core: String) -> [String]? {
    let number = core.prefix { NumberWords.isDigit($0) || ".,-−+".contains($0) }
    let name = String(core.dropFirst(number.count))
    guard !name.isEmpty, let words = NumberWords.read(String(number)),
      let unit = Abbreviations.units[name]
    else { return nil }
    return words + (number == "1" ? unit.one : unit.many).split(separator: " ").map(String.init)
  }

  /// A number; addresses of the internet and telephone numbers may look like one with several points.
  static func plain(_ core: String) -> [String]? {
    let isPointed = core.filter { $0 == "." }.count > 1
    return (isPointed ? address(core) ?? telephone(core) : nil) ?? NumberWords.read(core)
  }

  /// "five foot ten" for 5'10".
  private static func height(_ core: String) -> [String]? {
    let parts = core.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(NumberWords.isDigit) }),
      let feet = Int(parts[0]), let inches = Int(parts[1]), inches < 12
    else { return nil }
    return NumberWords.cardinal(feet) + ["foot"] + NumberWords.cardinal(inches)
  }

  /// "… dot …" for the four numbers of an address of the internet.
  private static func address(_ core: String) -> [String]? {
    let parts = core.split(separator: ".", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard parts.count == 4, core.filter({ $0 == "." }).count == 3,
      parts.allSatisfy({ (0...255).contains($0) })
    else { return nil }
    return Array(parts.map(NumberWords.cardinal).joined(separator: ["dot"]))
  }

  /// Digits one by one, with a comma after each group but the last, which has one when `endsPhrase`.
  static func digitGroups(_ groups: [Substring], endsPhrase: Bool) -> [String] {
    var words = groups.flatMap { group -> [String] in
      var digits = NumberWords.digits(group)
      if let last = digits.popLast() { digits.append(last + ",") }
      return digits
    }
    if !endsPhrase, let last = words.popLast() { words.append(String(last.dropLast())) }
    return words
  }

  /// The words of "SwiftLang", digits as numbers.
  static func camelWords(_ text: Substring) -> [String] {
    var words: [String] = []
    var previous: Character?
    for character in text where character != "#" {
      let isStart = character.isUppercase && previous?.isLowercase == true
      if words.isEmpty || isStart || character == "_" { words.append("") }
      if character != "_" { words[words.count - 1].append(character) }
      previous = character
    }
    return words.filter { !$0.isEmpty }.flatMap(mixed)
  }

  private static func telephone(_ core: String) -> [String]? {
    let groups = core.filter { $0 != "+" && $0 != "(" && $0 != ")" }.split(whereSeparator: {
      $0 == "-" || $0 == "."
    })
    guard groups.count >= 2, groups.allSatisfy({ $0.allSatisfy(NumberWords.isDigit) }),
      groups.last?.count == 4, groups.dropLast().last?.count == 3
    else { return nil }
    return digitGroups(groups, endsPhrase: false)
  }

  /// "five to ten" for "5-10", with what stands behind the second.
  static func range(_ core: String) -> [String]? {
    let parts = core.split(whereSeparator: { $0 == "-" || $0 == "–" })
    guard parts.count == 2, let end = piece(String(parts[1])), let start = piece(String(parts[0]))
    else { return nil }
    return start + ["to"] + end
  }

  private static func piece(_ text: String) -> [String]? {
    time(text, isBeforeHalf: true) ?? year(text, isLed: false) ?? NumberWords.read(text) ?? unit(text)
      ?? ordinal(text)
  }

  /// "three quarters" for "3/4".
  static func fraction(_ core: String) -> [String]? {
    let parts = core.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, parts[0].contains("."), let top = NumberWords.read(String(parts[0])),
      let bottom = NumberWords.read(String(parts[1]))
    {
      return top + ["out", "of"] + bottom
    }
    guard parts.count == 2, let top = Int(parts[0]), let bottom = Int(parts[1]),
      (1...99).contains(top), (1...99).contains(bottom)
    else { return nil }
    switch bottom {
    case 2: return NumberWords.cardinal(top) + [top == 1 ? "half" : "halves"]
    case 4: return NumberWords.cardinal(top) + [top == 1 ? "quarter" : "quarters"]
    case 3, 5...10:
      guard let name = NumberWords.ordinal(bottom).last else { return nil }
      return NumberWords.cardinal(top) + [top == 1 ? name : name + "s"]
    default: return NumberWords.cardinal(top) + ["over"] + NumberWords.cardinal(bottom)
    }
  }

  /// Any other word: slashes and stray symbols part it, runs of digits become words.
  static func mixed(_ core: String) -> [String] {
    var words: [String] = []
    var run = ""
    let characters = Array(core)
    for (index, character) in characters.enumerated() {
      switch character {
      case "^":
        let exponent = characters[(index + 1)...].prefix(while: NumberWords.isDigit)
        run += exponent.isEmpty ? " " : power(of: String(exponent))
      case "²", "³": run += character == "²" ? " squared " : " cubed "
      case "<" where index > 0 && index + 1 < characters.count: run += " less than "
      case ">" where index > 0 && index + 1 < characters.count: run += " greater than "
      case "$", "€", "£", "¥", "₹", "₩", "₽": run += " "
      case _ where NumberWords.isDigit(character) && isExponent(index, characters): continue
      case "&": run += run.isEmpty ? "and " : " and "
      case "%": run += " percent "
      case "+": run += " plus "
      case "=": run += " equals "
      case "@": run += " at "
      case "#": run += " number "
      case "°": run += " degrees "
      case "(", ")", "[", "]", "{", "}", "\"", "<", ">", "|", "\\", "^", "«", "»": run += " "
      case "/", "—", "–", "…": run += " "
      default: run.append(character)
      }
    }
    for part in run.split(separator: " ") { words += digitsRead(String(part)) }
    return words
  }

  private static func power(of exponent: String) -> String {
    switch exponent {
    case "2": " squared "
    case "3": " cubed "
    default: " to the power of \(exponent) "
    }
  }

  /// Whether the digit belongs to a power, which was read at its sign.
  private static func isExponent(_ index: Int, _ characters: [Character]) -> Bool {
    let before = characters[..<index].reversed().drop(while: NumberWords.isDigit)
    return before.first == "^"
  }

  /// "MP three" for "MP3"; hyphens next to digits part words.
  private static func digitsRead(_ word: String) -> [String] {
    guard word.contains(where: NumberWords.isDigit) else { return [word] }
    if let words = NumberWords.read(word) { return words }
    var words: [String] = []
    var run = ""
    var isDigits = false
    func flush() {
      let text = run.trimmingMarks()
      if !text.isEmpty { words += isDigits ? NumberWords.read(text) ?? [text] : [text] }
      run = ""
    }
    for character in word {
      let isDigit = NumberWords.isDigit(character) || (isDigits && ".,".contains(character))
      if isDigit != isDigits {
        flush()
        isDigits = isDigit
      }
      run.append(character)
    }
    flush()
    return words
  }
}

extension String {
  /// Without hyphens and marks at both ends.
  fileprivate func trimmingMarks() -> String {
    var text = Substring(self)
    while let first = text.first, "-.,:;'_".contains(first) { text.removeFirst() }
    while let last = text.last, "-.,:;'_".contains(last) { text.removeLast() }
    return String(text)
  }
}
