import YoobFace

/// The eight mouth shapes that a viewer can tell apart.
package enum VisualClass: Int, Sendable, CaseIterable {
  /// Silence; p b m; f v; tongue sounds (TH DD kk SS nn); pursed (CH RR); open (aa); wide (E ih); round (oh ou).
  case rest, shut, teeth, tongue, pursed, open, wide, round

  /// The class that shows a viseme.
  package init(_ viseme: Viseme) {
    self =
      switch viseme {
      case .sil: .rest
      case .PP: .shut
      case .FF: .teeth
      case .TH, .DD, .kk, .SS, .nn: .tongue
      case .CH, .RR: .pursed
      case .aa: .open
      case .E, .ih: .wide
      case .oh, .ou: .round
      }
  }
}

extension VisualClass {
  /// The viseme that a viewer sees in a frame of 15 weights: a mixture looks like the class whose visemes
  /// weigh most together, and like that class's strongest viseme. Silence where there is no frame.
  package static func shown(_ weights: [Float], frame: Int) -> Viseme {
    guard frame >= 0, (frame + 1) * 15 <= weights.count else { return .sil }
    let mixture = weights[frame * 15..<(frame + 1) * 15]
    var sums = [Float](repeating: 0, count: allCases.count)
    for (viseme, weight) in zip(Viseme.allCases, mixture) { sums[VisualClass(viseme).rawValue] += weight }
    let top = sums.indices.max { sums[$0] < sums[$1] } ?? 0
    let members = Viseme.allCases.filter { VisualClass($0).rawValue == top }
    return members.max { mixture[frame * 15 + $0.rawValue] < mixture[frame * 15 + $1.rawValue] } ?? .sil
  }
}

/// One phone of a recording, in seconds, by its ARPAbet name without stress.
package struct TimedPhone: Sendable, Equatable {
  package let start: Double
  package let end: Double
  package let name: String

  package init(_ start: Double, _ end: Double, _ name: String) {
    self.start = start
    self.end = end
    self.name = name
  }
}

/// What ARPAbet phones show.
package enum Arpabet {
  /// Visemes of a phone, one after another; empty for one made behind the lips, which borrows the shape of
  /// the sound after it. What is no phone is silence.
  static func visemes(_ name: String) -> [Viseme] {
    switch name {
    case "P", "B", "M": [.PP]
    case "F", "V": [.FF]
    case "TH", "DH": [.TH]
    case "T", "D": [.DD]
    case "K", "G": [.kk]
    case "CH", "JH", "SH", "ZH": [.CH]
    case "S", "Z": [.SS]
    case "N", "L", "NG": [.nn]
    case "R", "ER": [.RR]
    case "AA", "AH", "AE": [.aa]
    case "EH": [.E]
    case "IH", "IY", "Y": [.ih]
    case "AO": [.oh]
    case "UH", "UW", "W": [.ou]
    case "AY": [.aa, .ih]
    case "AW": [.aa, .ou]
    case "OW": [.oh, .ou]
    case "EY": [.E, .ih]
    case "OY": [.oh, .ih]
    case "HH": []
    default: [.sil]
    }
  }

  /// IPA of a phone, as `PhoneMouth` reads it; empty for silence.
  package static func ipa(_ name: String) -> String { symbols[name] ?? "" }

  private static let symbols = [
    "P": "p", "B": "b", "M": "m", "F": "f", "V": "v", "TH": "θ", "DH": "ð", "T": "t", "D": "d", "K": "k",
    "G": "ɡ", "CH": "ʧ", "JH": "ʤ", "SH": "ʃ", "ZH": "ʒ", "S": "s", "Z": "z", "N": "n", "L": "l", "NG": "ŋ",
    "R": "ɹ", "ER": "ɜ", "AA": "ɑ", "AH": "ʌ", "AE": "æ", "EH": "ɛ", "IH": "ɪ", "IY": "i", "Y": "j",
    "AO": "ɔ", "UH": "ʊ", "UW": "u", "W": "w", "AY": "aɪ", "AW": "aʊ", "OW": "O", "EY": "A", "OY": "ɔɪ",
    "HH": "h",
  ]

  /// What shows in each of `count` frames: frame k is the moment k × 10 ms. A diphthong is split evenly; time
  /// outside all phones is silence. The same as `visemes.labels` of the training.
  package static func labels(_ phones: [TimedPhone], count: Int) -> [Viseme] {
    var track = [Viseme](repeating: .sil, count: count)
    for (index, phone) in phones.enumerated() {
      var shown = visemes(phone.name)
      if shown.isEmpty {
        let after = index + 1 < phones.count ? visemes(phones[index + 1].name).first : .aa
        shown = [after == .sil ? .aa : after ?? .aa]
      }
      let width = (phone.end - phone.start) / Double(shown.count)
      for (part, viseme) in shown.enumerated() {
        let first = frame(phone.start + width * Double(part))
        let last = frame(phone.start + width * Double(part + 1))
        for k in max(0, first)..<max(0, first, min(count, last)) { track[k] = viseme }
      }
    }
    return track
  }

  /// The first frame at or after a time in seconds.
  private static func frame(_ time: Double) -> Int { Int((time * 100 - 1e-9).rounded(.up)) }
}
