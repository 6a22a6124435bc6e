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
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.count <= 2 && $0.allSatisfy(NumberWords.isDigit) }),
      let hour = parts.first.flatMap({ Int($0) })
    else { return nil }
    if parts.count == 1 { return half.isEmpty || hour > 12 ? nil : NumberWords.cardinal(hour) + half }
    guard parts.count == 2, parts[1].count == 2, hour < 25, let minute = Int(parts[1]), minute < 60
    else { return nil }
    let hours = NumberWords.cardinal(hour)
    if minute == 0 {
      if isBeforeHalf || !half.isEmpty { return hours + half }
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
    return ordinal(core) ?? unit(core) ?? telephone(core) ?? range(core) ?? fraction(core)
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

  private static func telephone(_ core: String) -> [String]? {
    let groups = core.filter { $0 != "+" && $0 != "(" && $0 != ")" }.split(separator: "-")
    guard groups.count >= 2, groups.allSatisfy({ $0.allSatisfy(NumberWords.isDigit) }),
      groups.last?.count == 4, groups.dropLast().last?.count == 3
    else { return nil }
    var words: [String] = []
    for group in groups {
      words += NumberWords.digits(group)
      if let last = words.popLast() { words.append(last + ",") }
    }
    if let last = words.popLast() { words.append(String(last.dropLast())) }
    return words
  }

  private static func range(_ core: String) -> [String]? {
    let parts = core.split(whereSeparator: { $0 == "-" || $0 == "–" })
    guard parts.count == 2, let end = piece(String(parts[1])), let start = piece(String(parts[0]))
    else { return nil }
    return start + ["to"] + end
  }

  private static func piece(_ text: String) -> [String]? {
    time(text, isBeforeHalf: true) ?? year(text, isLed: false) ?? NumberWords.read(text) ?? unit(text)
      ?? ordinal(text)
  }

  private static func fraction(_ core: String) -> [String]? {
    let parts = core.split(separator: "/", omittingEmptySubsequences: false)
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
    func isLetter(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || "'-.&".contains(character)
    }
    for character in core {
      switch character {
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
