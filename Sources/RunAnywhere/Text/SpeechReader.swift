/// Reads written English words as a person would: numbers, dates, times, money, units, abbreviations.
struct SpeechReader {
  /// A word without the marks around it.
  struct Token {
    /// What is read.
    var core: String
    /// The mark that ends a phrase, kept for the voice: at most one of ", . ! ? ; :".
    var tail: String
    /// Whether a period stands right behind the core, as behind an abbreviation.
    var isDotted: Bool
    var source: Int
  }
  private static let marksKept: Set<Character> = [",", ".", "!", "?", ";", ":"]
  private static let symbols: [String: [String]] = [
    "&": ["and"], "+": ["plus"], "=": ["equals"], "×": ["times"], "÷": ["divided", "by"],
    "@": ["at"], "%": ["percent"], "<": ["less", "than"], ">": ["greater", "than"], "°": ["degrees"],
    "≈": ["about"], "±": ["plus", "or", "minus"], "≤": ["at", "most"], "≥": ["at", "least"],
    "≠": ["is", "not"], "w/": ["with"], "w/o": ["without"], "24/7": ["twenty", "four", "seven"],
    "9/11": ["nine", "eleven"],
  ]
  let tokens: [Token]

  init(_ words: [SpeechText.Word]) { tokens = words.map { Self.token($0) } }

  /// The words to be spoken.
  func read() -> [SpeechText.Word] {
    var spoken: [SpeechText.Word] = []
    var index = 0
    while index < tokens.count {
      let groups = reading(at: index)
      let first = spoken.count
      for (offset, words) in groups.enumerated() {
        spoken += words.map { SpeechText.Word(text: $0, source: tokens[index + offset].source) }
      }
      let tail = endMark(at: index + groups.count - 1)
      if !tail.isEmpty, let last = spoken.indices.last {
        if first == spoken.count && (Self.marksKept.contains { spoken[last].text.hasSuffix(String($0)) }) {
          // The word before already ends in a mark.
        } else if !spoken[last].text.hasSuffix(tail) {
          spoken[last].text += tail
        }
      }
      index += groups.count
    }
    return spoken
  }

  private static func token(_ word: SpeechText.Word) -> Token {
    if symbols[word.text] != nil {
      return Token(core: word.text, tail: "", isDotted: false, source: word.source)
    }
    var core = Substring(word.text)
    var tail = ""
    var isDotted = false
    while let last = core.last {
      if last == "—" || last == "–" || last == "…" {
        if tail.isEmpty { tail = last == "…" ? "." : "," }
        isDotted = false
      } else if marksKept.contains(last) {
        // The outermost mark is heard, but a question among others is one.
        if tail.isEmpty || last == "?" { tail = String(last) }
        isDotted = last == "."
      } else if !"\"')]}>»|-".contains(last) {
        break
      } else {
        isDotted = false
      }
      core.removeLast()
    }
    while let first = core.first,
      "\"'([{<«|—–…".contains(first)
        || (marksKept.contains(first) && core.dropFirst().first?.isNumber != true)
    {
      core.removeFirst()
    }
    if core.isEmpty && (word.text == "—" || word.text == "–" || word.text == "-") { tail = "," }
    if tail.isEmpty, word.text.hasSuffix(")"), word.text.dropLast() == core,
      core.allSatisfy(NumberWords.isDigit)
    {
      tail = ","  // the number of a list
    }
    return Token(core: String(core), tail: tail, isDotted: isDotted, source: word.source)
  }

  /// Core of the token at `index` in lowercase, "" outside of the text.
  func lower(_ index: Int) -> String {
    tokens.indices.contains(index) ? tokens[index].core.lowercased() : ""
  }

  /// The token after `index` when no mark stands between.
  func follower(_ index: Int) -> Token? {
    tokens.indices.contains(index + 1) && tokens[index].tail.isEmpty ? tokens[index + 1] : nil
  }

  /// The words for the token at `index`, and for those after it that are read with it: one list each.
  private func reading(at index: Int) -> [[String]] {
    let core = tokens[index].core
    if core.isEmpty { return [[]] }
    if let symbol = Self.symbols[core] { return [symbol] }
    if let groups = telephone(at: index) ?? date(at: index) ?? money(at: index) ?? number(at: index) {
      return groups
    }
    if let words = roman(at: index) ?? day(at: index) ?? abbreviation(at: index) { return [words] }
    return [Self.word(core)]
  }

  /// Any word by itself.
  static func word(_ core: String) -> [String] {
    if core.hasPrefix("#"), core.dropFirst().first?.isLetter == true {
      return ["hashtag"] + NumberReader.camelWords(core.dropFirst())
    }
    if core.count == 2, core.last == "#", core.first?.isUppercase == true {
      return [core.prefix(1) + "", "sharp"]
    }
    if core.contains("/"), let words = rate(core) { return words }
    let parts = core.split(separator: "-")
    let isNumbered = core.contains(where: NumberWords.isDigit) && core.contains(where: \.isLetter)
    if parts.count > 1, isNumbered {
      return parts.flatMap { part in
        NumberReader.alone(String(part)) ?? NumberReader.mixed(String(part))
      }
    }
    return NumberReader.mixed(core)
  }

  /// "five dollars per month" for "$5/month".
  private static func rate(_ core: String) -> [String]? {
    let parts = core.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].allSatisfy(\.isLetter),
      let amount = Money.read(parts[0]) ?? NumberReader.alone(parts[0])
    else { return nil }
    let unit = Abbreviations.units[parts[1]]?.one ?? parts[1]
    return amount + ["per"] + unit.split(separator: " ").map(String.init)
  }

  // MARK: Money

  private func money(at index: Int) -> [[String]]? {
    let core = tokens[index].core
    let next = follower(index)
    if let next, let name = Money.codes[next.core], let words = NumberWords.read(core) {
      return [words, core == "1" ? name.one : name.many]
    }
    if let name = Money.codes[core], let next, let words = NumberWords.read(next.core) {
      return [[], words + (next.core == "1" ? name.one : name.many)]
    }
    if let next, Money.magnitudes.contains(next.core.lowercased()), let (words, sign) = Money.amount(core) {
      return [words, [next.core.lowercased(), sign.many]]
    }
    return Money.read(core).map { [$0] }
  }

  // MARK: Numbers

  private static let yearLeads: Set<String> = [
    "in", "since", "of", "until", "till", "from", "by", "year", "before", "after", "around",
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "circa", "about", "early", "late",
  ]

  private func number(at index: Int) -> [[String]]? {
    let core = tokens[index].core
    guard core.contains(where: NumberWords.isDigit) else { return nil }
    let next = follower(index)
    let half = next.flatMap(Self.dayHalf)
    if let time = NumberReader.time(core, isBeforeHalf: half != nil) {
      return half.map { [time, $0] } ?? [time]
    }
    if let next, let half, let words = NumberReader.range(core) ?? NumberWords.read(core), next.core != "x" {
      return [words, half]
    }
    let isUnit = next.map { Abbreviations.units[$0.core] != nil } ?? false
    if let year = NumberReader.year(core, isLed: Self.yearLeads.contains(lower(index - 1))), !isUnit {
      return [year]
    }
    guard let words = NumberReader.plain(core) ?? (isUnit ? NumberReader.range(core) : nil) else {
      return NumberReader.special(core).map { [$0] }
    }
    if let next, let unit = Abbreviations.units[next.core], next.core != "x" {
      return [words, (core == "1" ? unit.one : unit.many).split(separator: " ").map(String.init)]
    }
    if let next, core.allSatisfy(NumberWords.isDigit), let fraction = NumberReader.fraction(next.core) {
      return [words, ["and"] + fraction]
    }
    return [words]
  }

  /// "A M" for "a.m." and its kin after a number.
  private static func dayHalf(_ token: Token) -> [String]? {
    switch token.core.lowercased() {
    case "a.m", "am": ["A", "M"]
    case "p.m", "pm": ["P", "M"]
    default: nil
    }
  }

  /// A telephone number in groups that are parted by spaces.
  private func telephone(at index: Int) -> [[String]]? {
    var groups: [String] = []
    var end = index
    while tokens.indices.contains(end) {
      var digits = tokens[end].core
      if end == index, digits.hasPrefix("+") { digits.removeFirst() }
      // What stands in brackets has lost them by now.
      let parts = digits.split(whereSeparator: { $0 == "-" || $0 == "." || $0 == "(" || $0 == ")" })
      guard !parts.isEmpty, parts.allSatisfy({ $0.allSatisfy(NumberWords.isDigit) }) else { break }
      groups.append(parts.joined(separator: "-"))
      end += 1
      if !tokens[end - 1].tail.isEmpty { break }
    }
    let lengths = groups.map { $0.split(separator: "-").map(\.count) }
    let isInternational = tokens[index].core.hasPrefix("+") && lengths.joined().reduce(0, +) >= 8
    let isLocal = [[[3], [3, 4]], [[3], [3], [4]]].contains(lengths)
    guard groups.count > 1, isInternational || isLocal else { return nil }
    return groups.enumerated().map { number, group in
      NumberReader.digitGroups(group.split(separator: "-"), endsPhrase: number < groups.count - 1)
    }
  }

  // MARK: Abbreviations

  func abbreviation(at index: Int) -> [String]? {
    let token = tokens[index]
    let lower = token.core.lowercased()
    let next = index + 1 < tokens.count ? tokens[index + 1].core : nil
    let isNamed = next?.first?.isUppercase == true
    if !token.isDotted && !lower.contains(".") {
      // Without its period, as the British write, a title stands before a name.
      if lower == "vs" { return ["versus"] }
      guard ["Dr", "Mr", "Mrs", "Ms", "Prof"].contains(token.core), isNamed, token.tail.isEmpty else {
        return nil
      }
      return Abbreviations.inner[lower].map { [$0] }
    }
    if let words = Abbreviations.inner[lower] {
      guard next != nil || lower.contains(".") else { return nil }
      return words.split(separator: " ").map(String.init)
    }
    if lower == "st", isNamed {
      let previous = index > 0 ? tokens[index - 1] : nil
      let isStreet = previous?.core.first?.isUppercase == true && previous?.tail.isEmpty == true
      return [isStreet ? "Street" : "Saint"]
    }
    if lower != "st", Abbreviations.needsFollower.contains(lower), next?.first?.isNumber != true {
      return nil
    }
    if let words = Abbreviations.either[lower] {
      return words.split(separator: " ").map(String.init)
    }
    if token.core.contains("."), Abbreviations.isInitialism(token.core) {
      return token.core.split(separator: ".").map(String.init)
    }
    return nil
  }

  /// The mark to be spoken after the token at `index`: none for an abbreviation's period within
  /// the clause, a comma after the number of a list.
  private func endMark(at index: Int) -> String {
    let token = tokens[index]
    guard token.tail == ".", token.isDotted, index + 1 < tokens.count else { return token.tail }
    if index == 0 && token.core.count <= 3 && token.core.allSatisfy(NumberWords.isDigit) { return "," }
    let next = tokens[index + 1].core
    if Abbreviations.units[token.core] != nil, next.first?.isLowercase == true { return "" }
    if token.core.count == 1, Abbreviations.isInitialism(token.core), next.first?.isUppercase == true {
      return ""
    }
    return abbreviation(at: index) == nil && day(at: index) == nil && !isMonth(index) ? token.tail : ""
  }
}
