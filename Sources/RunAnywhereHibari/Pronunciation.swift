import Foundation

/// Says single words: lexicon, endings, weak forms, spelling, and the network for unknown words.
struct Pronunciation: Sendable {
  /// What stands around a word.
  struct Surroundings {
    /// Lowercase neighbours inside the clause; nil at its ends.
    var previous: String?
    var next: String?
    /// Whether the next sound is a vowel; nil at the end of a clause.
    var nextIsVowel: Bool?
    /// All words of the sentence, lowercase.
    var sentence: [String] = []
  }

  let lexicon: Lexicon
  let unknown: @Sendable (String) -> Phones

  /// Phones of a word; empty when nothing in it can be said.
  func phones(of word: String, _ around: Surroundings) -> Phones {
    if let weak = weakForm(word, around) { return weak }
    // An apostrophe in front is a quotation mark unless the lexicon knows the word with it.
    if word.first == "'", known(word, around) == nil { return phones(of: String(word.dropFirst()), around) }
    let isCapitalized = word != word.lowercased()
    let isCapitals = isCapitalized && word == word.uppercased() && word.count > 1
    let stress: Stress = isCapitals ? .primary : isCapitalized ? .atLeastSecondary : .none
    if let known = known(word, around) { return stress.apply(to: known) }
    if isCapitals, word.allSatisfy({ $0.isLetter }) {
      if let known = known(word.lowercased(), around) { return stress.apply(to: known) }
      if word.count <= 5, let spelled = spelled(word) { return spelled }
    }
    if let inflected = inflected(word, around) { return stress.apply(to: inflected) }
    let plain = word.folding(options: .diacriticInsensitive, locale: Locale(identifier: "en_US"))
    if plain != word {
      if let known = known(plain, around) ?? inflected(plain, around) { return stress.apply(to: known) }
    }
    return guessed(word)
  }

  private func known(_ word: String, _ around: Surroundings) -> Phones? {
    let entry = lexicon.entry(word) ?? (word.count > 1 ? lexicon.entry(word.lowercased()) : nil)
    guard let entry else { return nil }
    var keys = around.nextIsVowel == nil ? ["None"] : []
    keys +=
      PartOfSpeech.guess(
        word.lowercased(), previous: around.previous, next: around.next, sentence: around.sentence
      ).keys
    let phones = entry.phones(keys)
    return phones.isEmpty ? nil : phones
  }

  /// Words whose sound depends on the next one.
  private func weakForm(_ word: String, _ around: Surroundings) -> Phones? {
    let isLast = around.nextIsVowel == nil
    let text: String? =
      switch word {
      case "a", "A": isLast ? "ˈA" : "ɐ"
      case "an", "An": isLast ? nil : "ɐn"
      case "I": "ˌI"
      case "am": around.nextIsVowel == nil ? nil : "ɐm"
      case "the", "The": around.nextIsVowel == true ? "ði" : "ðə"
      case "to", "To": isLast ? nil : around.nextIsVowel == true ? "tʊ" : "tə"
      case "in", "In": isLast ? "ˈɪn" : "ɪn"
      default: nil
      }
    return text.map { Array($0.unicodeScalars) }
  }

  /// A known stem with an ending.
  private func inflected(_ word: String, _ around: Surroundings) -> Phones? {
    if let quote = word.lastIndex(of: "'") {
      let ending = word[word.index(after: quote)...].lowercased()
      let stem = String(word[..<quote])
      if stem.isEmpty { return nil }
      let said = known(stem, around) ?? inflected(stem, around) ?? guessed(stem)
      if said.isEmpty { return nil }
      if ending.isEmpty { return said }
      if ending == "t", stem.hasSuffix("n"), let base = known(String(stem.dropLast()), around) {
        return base + Array("ᵊnt".unicodeScalars)
      }
      return Inflection.clitic(ending, after: said)
    }
    let lower = word.lowercased()
    func stem(_ ending: Int, _ added: String = "") -> Phones? {
      let stem = word.dropLast(ending) + added
      return stem.count > 1 ? known(String(stem), around) : nil
    }
    if lower.hasSuffix("s"), lower.count > 2, !lower.hasSuffix("ss") {
      if let found = stem(1) { return Inflection.s(found) }
      if lower.hasSuffix("ies"), let found = stem(3, "y") { return Inflection.s(found) }
      if lower.hasSuffix("es"), let found = stem(2) { return Inflection.s(found) }
    }
    if lower.hasSuffix("ed"), lower.count > 3 {
      if let found = stem(1) ?? stem(2) { return Inflection.ed(found) }
      if lower.hasSuffix("ied"), let found = stem(3, "y") { return Inflection.ed(found) }
      if isDoubled(lower.dropLast(2)), let found = stem(3) { return Inflection.ed(found) }
    }
    if lower.hasSuffix("ing"), lower.count > 4 {
      if let found = stem(3) ?? stem(3, "e") { return Inflection.ing(found) }
      if isDoubled(lower.dropLast(3)), let found = stem(4) { return Inflection.ing(found) }
    }
    return nil
  }

  private func isDoubled(_ stem: Substring) -> Bool {
    stem.count > 2 && stem.last == stem.dropLast().last
      && stem.last.map { "bcdgklmnprstvxz".contains($0) } == true
  }

  /// The names of the letters, the last one stressed.
  private func spelled(_ word: String) -> Phones? {
    var result: Phones = []
    for letter in word {
      guard let entry = lexicon.entry(letter.uppercased()) else { return nil }
      result += Stress.weaker.apply(to: entry.phones([]))
    }
    if let last = result.lastIndex(of: PhoneClass.secondary) { result[last] = PhoneClass.primary }
    return result
  }

  private func guessed(_ word: String) -> Phones {
    let guess = unknown(word)
    if !guess.isEmpty { return guess }
    let latin = word.applyingTransform(.toLatin, reverse: false) ?? word
    let plain = latin.folding(options: .diacriticInsensitive, locale: Locale(identifier: "en_US"))
    return plain == word ? [] : unknown(plain)
  }
}
