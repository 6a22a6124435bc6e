/// What one phone shows: a few visemes one after another.
enum PhoneVisemes {
  /// A shape: weights that sum to 1, written as up to three visemes.
  struct Shape: Sendable, Equatable {
    var first: Viseme
    var second: Viseme
    var third: Viseme
    var weights: SIMD4<Float>

    init(
      _ first: Viseme, _ weight: Float = 1, _ second: Viseme = .sil, _ other: Float = 0,
      _ third: Viseme = .sil, _ rest: Float = 0
    ) {
      self.first = first
      self.second = second
      self.third = third
      weights = SIMD4(weight, other, rest, 0)
    }
  }

  /// One letter of a phone's symbol.
  enum Letter: Equatable {
    /// A sound with its shape, and a second one for diphthongs written as one letter.
    case sound(Shape, Shape?)
    /// A sound made behind the lips, which already show what follows.
    case borrowed
    /// A mark that changes the sound before it, or punctuation.
    case mark
    /// A sound without an entry.
    case unknown
  }

  /// What the letter with this Unicode scalar value shows.
  static func letter(_ scalar: UInt32) -> Letter {
    switch scalar {
    case 0x70, 0x62, 0x6D, 0x3B2, 0x278: .sound(Shape(.PP), nil)  // p b m β ɸ
    case 0x66, 0x76, 0x28B: .sound(Shape(.FF), nil)  // f v ʋ
    case 0x3B8, 0xF0: .sound(Shape(.TH), nil)  // θ ð
    case 0x74, 0x64, 0x27E, 0x54, 0x288, 0x256: .sound(Shape(.DD), nil)  // t d ɾ T ʈ ɖ
    case 0x6B, 0x67, 0x261, 0x78, 0x71: .sound(Shape(.kk), nil)  // k g ɡ x q
    case 0x283, 0x292, 0x2A7, 0x2A4, 0x255, 0x282: .sound(Shape(.CH), nil)  // ʃ ʒ ʧ ʤ ɕ ʂ
    case 0x73, 0x7A, 0x2A6, 0x2A3: .sound(Shape(.SS), nil)  // s z ʦ ʣ
    case 0x6E, 0x6C, 0x26B, 0x14B, 0x272: .sound(Shape(.nn), nil)  // n l ɫ ŋ ɲ
    case 0x279, 0x72, 0x25A, 0x25D, 0x25C, 0x27B: .sound(Shape(.RR), nil)  // ɹ r ɚ ɝ ɜ ɻ
    case 0x251, 0x61: .sound(Shape(.aa), nil)  // ɑ a
    case 0xE6: .sound(Shape(.aa, 0.7, .E, 0.3), nil)  // æ
    case 0x28C: .sound(Shape(.aa, 0.75, .ih, 0.25), nil)  // ʌ
    case 0x259, 0x250, 0x1D4A: .sound(Shape(.aa, 0.54, .ih, 0.26, .E, 0.2), nil)  // ə ɐ ᵊ
    case 0x25B, 0x65: .sound(Shape(.E), nil)  // ɛ e
    case 0x69, 0x6A: .sound(Shape(.ih), nil)  // i j
    case 0x26A, 0x1D7B, 0x268: .sound(Shape(.ih, 0.8, .E, 0.2), nil)  // ɪ ᵻ ɨ
    case 0x254, 0x252, 0x6F: .sound(Shape(.oh), nil)  // ɔ ɒ o
    case 0x75, 0x77: .sound(Shape(.ou), nil)  // u w
    case 0x28A: .sound(Shape(.ou, 0.75, .oh, 0.25), nil)  // ʊ
    case 0x41: .sound(Shape(.E), Shape(.ih))  // A, as in "day"
    case 0x49: .sound(Shape(.aa), Shape(.ih))  // I, as in "my"
    case 0x4F, 0x51: .sound(Shape(.oh), Shape(.ou))  // O Q, as in "go"
    case 0x57: .sound(Shape(.aa), Shape(.ou))  // W, as in "now"
    case 0x59: .sound(Shape(.oh), Shape(.ih))  // Y, as in "boy"
    case 0x68, 0x266, 0x294, 0xE7: .borrowed  // h ɦ ʔ ç
    case 0x41...0x5A, 0x61...0x7A, 0xC0...0x2AF, 0x370...0x3FF: .unknown
    default: .mark
    }
  }

  /// Shapes of a symbol in order; nil stands for one that borrows what follows. Empty for silence.
  static func shapes(of symbol: String) -> [Shape?] {
    var found: [Shape?] = []
    var plosive: UInt32 = 0
    for scalar in symbol.unicodeScalars {
      let letter = letter(scalar.value)
      let isAffricate =
        plosive == 0x74 && scalar.value == 0x283 || plosive == 0x64 && scalar.value == 0x292
      if isAffricate { found.removeLast() }
      switch letter {
      case .sound(let first, let second):
        if found.isEmpty || found[found.count - 1] != first { found.append(first) }
        if let second { found.append(second) }
      case .borrowed: found.append(nil)
      case .unknown: found.append(Shape(.kk))
      case .mark: break
      }
      plosive = scalar.value
    }
    return found
  }
}
