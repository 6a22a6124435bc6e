/// Phones of the voice's alphabet, stress marks included, one scalar each.
typealias Phones = [Unicode.Scalar]

/// What the letters of the voice's alphabet are.
enum PhoneClass {
  static let primary: Unicode.Scalar = "ˈ"
  static let secondary: Unicode.Scalar = "ˌ"
  static let vowels = Set("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻɐᵊ".unicodeScalars)
  static let consonants = Set("bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθT".unicodeScalars)
  /// Marks that the voice turns into pauses.
  static let pauses = Set(";:,.!?—…".unicodeScalars)
  /// Full vowels after which American English flaps a t.
  static let flapping = Set("AIOWYiuæɑəɛɪɹʊʌ".unicodeScalars)

  static func isStress(_ phone: Unicode.Scalar) -> Bool { phone == primary || phone == secondary }
}

/// Changes of a word's stress.
enum Stress {
  case none
  /// Primary becomes secondary, secondary goes.
  case weaker
  /// A word without stress gets a secondary one.
  case atLeastSecondary
  /// The strongest stress of the word becomes primary.
  case primary

  func apply(to phones: Phones) -> Phones {
    let hasPrimary = phones.contains(PhoneClass.primary)
    let hasSecondary = phones.contains(PhoneClass.secondary)
    switch self {
    case .none: return phones
    case .weaker:
      guard hasPrimary else { return phones }
      return phones.filter { $0 != PhoneClass.secondary }.map {
        $0 == PhoneClass.primary ? PhoneClass.secondary : $0
      }
    case .atLeastSecondary:
      return hasPrimary || hasSecondary ? phones : Self.stressFirstVowel(phones, PhoneClass.secondary)
    case .primary:
      if hasPrimary { return phones }
      if !hasSecondary { return Self.stressFirstVowel(phones, PhoneClass.primary) }
      return phones.map { $0 == PhoneClass.secondary ? PhoneClass.primary : $0 }
    }
  }

  private static func stressFirstVowel(_ phones: Phones, _ mark: Unicode.Scalar) -> Phones {
    let strong = phones.firstIndex { PhoneClass.vowels.contains($0) && $0 != "ᵊ" }
    guard let vowel = strong else { return phones }
    var result = phones
    result.insert(mark, at: vowel)
    return result
  }
}
