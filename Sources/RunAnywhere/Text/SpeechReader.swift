/// Reads written English words as a person would: numbers, times, money, units, abbreviations.
struct SpeechReader {
  /// A word without the marks around it.
  struct Token {
    /// What is read.
    var core: String
    /// Marks that end a phrase, kept for the voice: at most one of ", . ! ? ; :".
    var tail: String
    var source: Int
  }
  private static let marksKept: Set<Character> = [",", ".", "!", "?", ";", ":"]
  private static let yearLeads: Set<String> = [
    "in", "since", "of", "until", "till", "from", "by", "year", "before", "after", "around",
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "circa", "about", "early", "late",
  ]
  private static let symbols: [String: [String]] = [
    "&": ["and"], "+": ["plus"], "=": ["equals"], "×": ["times"], "÷": ["divided", "by"],
    "@": ["at"], "%": ["percent"], "<": ["less", "than"], ">": ["greater", "than"], "°": ["degrees"],
    "≈": ["about"], "±": ["plus", "or", "minus"],
  ]
  let tokens: [Token]

  init(_ words: [SpeechText.Word]) { tokens = words.map { Self.token($0) } }

  /// The words to be spoken.
  func read() -> [SpeechText.Word] {
    var spoken: [SpeechText.Word] = []
    var index = 0
    while index < tokens.count {
      let (words, used) = reading(at: index)
      for (offset, word) in words.enumerated() {
        let owner = tokens[min(index + min(offset, used - 1), index + used - 1)]
        spoken.append(SpeechText.Word(text: word, source: used == 1 ? tokens[index].source : owner.source))
      }
      let tail = endMark(at: index + used - 1)
      if !tail.isEmpty, let last = spoken.indices.last {
        if words.isEmpty && (Self.marksKept.contains { spoken[last].text.hasSuffix(String($0)) }) {
          // The word before already ends in a mark.
        } else if !spoken[last].text.hasSuffix(tail) {
          spoken[last].text += tail
        }
      }
      index += used
    }
    return spoken
  }

  private static func token(_ word: SpeechText.Word) -> Token {
    var core = Substring(word.text)
    var tail = ""
    while let last = core.last {
      if last == "—" || last == "–" || last == "…" {
        tail = last == "…" ? "." : ","
      } else if marksKept.contains(last) {
        tail = String(last)
      } else if !"\"')]}>»|-".contains(last) {
        break
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
    // "a.m." and "e.g." end in a period that belongs to them; it is kept only as an end mark.
    return Token(core: String(core), tail: tail, source: word.source)
  }

  /// The words for the token at `index`, and how many tokens they use.
  private func reading(at index: Int) -> (words: [String], used: Int) {
    let token = tokens[index]
    let core = token.core
    if core.isEmpty { return (Self.symbols[core] ?? [], 1) }
    if let symbol = Self.symbols[core] { return (symbol, 1) }
    if let money = money(at: index) { return money }
    if let number = number(at: index) { return number }
    if token.tail == "." || core.contains("."), let words = abbreviation(at: index) { return (words, 1) }
    return (NumberReader.mixed(core), 1)
  }

  // MARK: Money

  private static let currencies: [Character: (one: String, many: String, cent: String, cents: String)] = [
    "$": ("dollar", "dollars", "cent", "cents"), "€": ("euro", "euros", "cent", "cents"),
    "£": ("pound", "pounds", "penny", "pence"), "¥": ("yen", "yen", "", ""),
  ]
  private static let magnitudes: Set<String> = ["hundred", "thousand", "million", "billion", "trillion"]

  private func money(at index: Int) -> (words: [String], used: Int)? {
    var core = tokens[index].core
    let isNegative = core.hasPrefix("-")
    if isNegative { core.removeFirst() }
    let sign = core.first.flatMap { Self.currencies[$0] } ?? core.last.flatMap { Self.currencies[$0] }
    guard let sign else { return nil }
    var amount = core.filter { Self.currencies[$0] == nil }
    var scale: [String] = []
    let letters: [Character: String] = ["k": "thousand", "K": "thousand", "M": "million", "B": "billion"]
    if let last = amount.last, let name = letters[last] {
      amount.removeLast()
      scale = [name]
    }
    guard let words = NumberWords.read(amount) else { return nil }
    let lead = isNegative ? ["minus"] : []
    if tokens[index].tail.isEmpty, index + 1 < tokens.count,
      Self.magnitudes.contains(tokens[index + 1].core.lowercased())
    {
      return (lead + words + [tokens[index + 1].core.lowercased(), sign.many], 2)
    }
    if !scale.isEmpty { return (lead + words + scale + [sign.many], 1) }
    let parts = amount.split(separator: ".")
    if parts.count == 2, parts[1].count == 2, !sign.cents.isEmpty, let cents = Int(parts[1]),
      let whole = NumberWords.read(String(parts[0]))
    {
      let coins = NumberWords.cardinal(cents) + [cents == 1 ? sign.cent : sign.cents]
      if parts[0] == "0" { return (lead + coins, 1) }
      let notes = whole + [parts[0] == "1" ? sign.one : sign.many]
      return (lead + notes + (cents == 0 ? [] : ["and"] + coins), 1)
    }
    return (lead + words + [amount == "1" ? sign.one : sign.many], 1)
  }

  // MARK: Numbers

  private func number(at index: Int) -> (words: [String], used: Int)? {
    let token = tokens[index]
    let core = token.core
    guard core.contains(where: NumberWords.isDigit) else { return nil }
    let previous = index > 0 ? tokens[index - 1].core.lowercased() : ""
    let next = index + 1 < tokens.count && token.tail.isEmpty ? tokens[index + 1] : nil
    if let time = NumberReader.time(core, isBeforeHalf: next.map(Self.isDayHalf) ?? false) {
      return (time, 1)
    }
    if let year = NumberReader.year(core, isLed: Self.yearLeads.contains(previous)),
      next.map({ Abbreviations.units[$0.core] == nil }) ?? true
    {
      return (year, 1)
    }
    if let words = NumberWords.read(core) {
      if let next, let unit = Abbreviations.units[next.core], !Self.isDayHalf(next), next.core != "x" {
        return (words + (core == "1" ? unit.one : unit.many).split(separator: " ").map(String.init), 2)
      }
      return (words, 1)
    }
    return NumberReader.special(core).map { ($0, 1) }
  }

  private static func isDayHalf(_ token: Token) -> Bool {
    ["a.m", "p.m", "am", "pm"].contains(token.core.lowercased())
  }

  // MARK: Abbreviations

  private func abbreviation(at index: Int) -> [String]? {
    let token = tokens[index]
    let lower = token.core.lowercased()
    let next = index + 1 < tokens.count ? tokens[index + 1].core : nil
    if let words = Abbreviations.inner[lower] {
      guard token.tail == "." || lower.contains("."), next != nil || lower.contains(".") else { return nil }
      return words.split(separator: " ").map(String.init)
    }
    if lower == "st", token.tail == ".", next?.first?.isUppercase == true {
      let previous = index > 0 ? tokens[index - 1] : nil
      let isStreet = previous?.core.first?.isUppercase == true && previous?.tail.isEmpty == true
      return [isStreet ? "Street" : "Saint"]
    }
    if lower == "no", next?.first?.isNumber != true { return nil }
    if Abbreviations.needsFollower.contains(lower), lower != "no", next?.first?.isNumber != true,
      lower != "st"
    {
      return nil
    }
    if let words = Abbreviations.either[lower] {
      guard token.tail == "." || lower.contains(".") else { return nil }
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
    guard token.tail == ".", index + 1 < tokens.count else { return token.tail }
    if index == 0 && token.core.count <= 3 && token.core.allSatisfy(NumberWords.isDigit) { return "," }
    return abbreviation(at: index) == nil ? token.tail : ""
  }
}
