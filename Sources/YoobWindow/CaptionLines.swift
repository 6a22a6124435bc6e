/// Breaks a text into lines of a measured width.
enum CaptionLines {
  /// The last `most` lines of the text, broken between words; words that are too long are broken anywhere.
  ///
  /// Lines stay as they are when words are added. `measure` gives the width of a text in the unit of `width`.
  static func last(
    _ most: Int, of text: String, width: Double, measure: (String) -> Double
  ) -> [String] {
    guard most > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if measure(longer) <= width {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for piece in pieces(of: word, width: width, measure: measure) {
        if !line.isEmpty { lines.append(line) }
        line = piece
      }
    }
    if !line.isEmpty { lines.append(line) }
    return Array(lines.suffix(most))
  }

  /// The text, or as much of its end as fits behind an ellipsis.
  static func end(of text: String, width: Double, measure: (String) -> Double) -> String {
    guard measure(text) > width else { return text }
    var words = text.split(whereSeparator: \.isWhitespace)[...]
    while words.count > 1 {
      words = words.dropFirst()
      let shorter = "… " + words.joined(separator: " ")
      if measure(shorter) <= width { return shorter }
    }
    var rest = Substring(words.first ?? "")
    while !rest.isEmpty, measure("…" + rest) > width { rest = rest.dropFirst() }
    return "…" + rest
  }

  private static func pieces(
    of word: Substring, width: Double, measure: (String) -> Double
  ) -> [String] {
    var pieces: [String] = []
    var piece = ""
    for character in word {
      if !piece.isEmpty, measure(piece + String(character)) > width {
        pieces.append(piece)
        piece = ""
      }
      piece.append(character)
    }
    return piece.isEmpty ? pieces : pieces + [piece]
  }
}
