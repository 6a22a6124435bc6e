/// Removes from a recognizer's text what nobody said.
enum TranscriptCleaning {
  /// `text` without bracketed, parenthesised or starred annotations such as "[BLANK_AUDIO]" and
  /// "(music)" and without note signs and quotation marks; empty when no letter or digit is left.
  static func clean(_ text: String) -> String {
    let text = text.filter { !"\"“”".contains($0) }
    let closing: [Character: Character] = ["[": "]", "(": ")", "{": "}", "*": "*", "♪": "♪", "♫": "♫"]
    let characters = Array(text)
    var kept: [Character] = []
    var at = 0
    while at < characters.count {
      let character = characters[at]
      if let close = closing[character] {
        if let end = characters[(at + 1)...].firstIndex(of: close) {
          kept.append(" ")
          at = end + 1
          continue
        }
        if character == "♪" || character == "♫" {
          at += 1
          continue
        }
      }
      kept.append(character)
      at += 1
    }
    let words = kept.split(whereSeparator: \.isWhitespace).map { String($0) }
    var result = ""
    for word in words {
      // Punctuation that an annotation leaves alone joins the word before it.
      let isMark = word.allSatisfy { ".,;:!?".contains($0) }
      if isMark, result.isEmpty || result.last.map({ ".,;:!?".contains($0) }) == true { continue }
      if !result.isEmpty, !isMark { result += " " }
      result += word
    }
    return result.contains { $0.isLetter || $0.isNumber } ? result : ""
  }
}
