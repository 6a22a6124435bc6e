/// Endings that English words take, by the last phone of their stem.
enum Inflection {
  private static let hushing = Set("szʃʒʧʤ".unicodeScalars)
  private static let voicelessBeforeS = Set("ptkfθ".unicodeScalars)
  private static let voicelessBeforeD = Set("pkfθʃsʧ".unicodeScalars)

  /// Plural, third person or possessive.
  static func s(_ stem: Phones) -> Phones {
    guard let last = stem.last else { return stem }
    if hushing.contains(last) { return stem + phones("ᵻz") }
    return stem + phones(voicelessBeforeS.contains(last) ? "s" : "z")
  }

  /// Past tense.
  static func ed(_ stem: Phones) -> Phones {
    guard let last = stem.last else { return stem }
    switch last {
    case "d": return stem + phones("ᵻd")
    case "t":
      return flapped(stem).map { $0 + phones("ᵻd") } ?? stem + phones("ᵻd")
    default: return stem + phones(voicelessBeforeD.contains(last) ? "t" : "d")
    }
  }

  /// Present participle.
  static func ing(_ stem: Phones) -> Phones { (flapped(stem) ?? stem) + phones("ɪŋ") }

  /// Short form of a verb after an apostrophe; nil for anything else.
  static func clitic(_ ending: String, after stem: Phones) -> Phones? {
    let vowel = stem.last.map { PhoneClass.vowels.contains($0) } ?? false
    switch ending {
    case "s": return s(stem)
    case "ll": return stem + phones(vowel ? "l" : "ᵊl")
    case "re": return stem + phones(vowel ? "ɹ" : "əɹ")
    case "ve": return stem + phones(vowel ? "v" : "əv")
    case "m": return stem + phones("m")
    case "d": return stem + phones(stem.last == "d" || stem.last == "t" ? "ᵻd" : "d")
    default: return nil
    }
  }

  /// The stem with its final t flapped, where American English does that.
  private static func flapped(_ stem: Phones) -> Phones? {
    guard stem.count > 1, stem.last == "t", PhoneClass.flapping.contains(stem[stem.count - 2]) else {
      return nil
    }
    return stem.dropLast() + ["ɾ"]
  }

  private static func phones(_ text: String) -> Phones { Array(text.unicodeScalars) }
}
