/// Turns text into the voice's tokens.
struct FrontEnd: Sendable {
  /// A phone, mark or space, and the written word that it belongs to.
  struct Token: Equatable {
    var symbol: Unicode.Scalar
    /// Index into `words`; nil for a space between words.
    var word: Int?
  }

  struct Result: Equatable {
    var tokens: [Token]
    /// The written words, punctuation included.
    var words: [String]
  }

  let pronunciation: Pronunciation

  func read(_ text: String) -> Result {
    let written = WrittenText(text)
    let units = Self.units(of: written)
    var said = [Phones](repeating: [], count: units.count)
    let sentence = units.compactMap { $0.word?.lowercased() }
    // Weak forms look at the next sound, so words are said from the last to the first.
    var nextIsVowel: Bool?
    for index in units.indices.reversed() {
      guard let word = units[index].word else {
        if let mark = units[index].mark, PhoneClass.pauses.contains(mark) { nextIsVowel = nil }
        said[index] = units[index].mark.map { [$0] } ?? []
        continue
      }
      let around = Pronunciation.Surroundings(
        previous: Self.neighbour(units, index - 1), next: Self.neighbour(units, index + 1),
        nextIsVowel: nextIsVowel, sentence: sentence)
      let phones = pronunciation.phones(of: word, around).map { Self.alphabet[$0] ?? $0 }
      said[index] = phones
      let first = phones.first { PhoneClass.vowels.contains($0) || PhoneClass.consonants.contains($0) }
      if let first { nextIsVowel = PhoneClass.vowels.contains(first) }
    }
    return Self.join(units, said, words: written.words.map(\.written))
  }

  /// The lexicon's letters that the voice writes otherwise.
  private static let alphabet: [Unicode.Scalar: Unicode.Scalar] = ["ɾ": "T", "ʔ": "t"]

  /// A word or a mark of a written word.
  private struct Unit {
    var word: String?
    var mark: Unicode.Scalar?
    var owner: Int
  }

  private static func units(of text: WrittenText) -> [Unit] {
    var units: [Unit] = []
    for (owner, word) in text.words.enumerated() {
      for piece in word.pieces {
        switch piece {
        case .word(let word): units.append(Unit(word: word, owner: owner))
        case .number(let digits, let isOrdinal):
          let words = isOrdinal ? WrittenNumber.ordinal(digits) : WrittenNumber.cardinal(digits)
          units += words.map { Unit(word: $0, owner: owner) }
        case .mark(let mark): units.append(Unit(mark: mark, owner: owner))
        }
      }
    }
    return units
  }

  /// The word at `index`, unless a pause lies there.
  private static func neighbour(_ units: [Unit], _ index: Int) -> String? {
    units.indices.contains(index) ? units[index].word?.lowercased() : nil
  }

  private static func join(_ units: [Unit], _ said: [Phones], words: [String]) -> Result {
    let opening: Set<Unicode.Scalar> = ["(", "“"]
    var tokens: [Token] = []
    for (unit, phones) in zip(units, said) where !phones.isEmpty {
      if let last = tokens.last, last.symbol != " " {
        let isMark = unit.mark.map { !opening.contains($0) && $0 != "—" } ?? false
        let followsOpening = opening.contains(last.symbol) && last.word == unit.owner
        if !isMark && !followsOpening { tokens.append(Token(symbol: " ", word: nil)) }
      }
      tokens += phones.map { Token(symbol: $0, word: unit.owner) }
    }
    return Result(tokens: tokens, words: words)
  }
}
