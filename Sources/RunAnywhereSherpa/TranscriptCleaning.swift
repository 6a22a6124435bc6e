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

  /// `text` without a second telling of its beginning, where there was no time to say it twice.
  ///
  /// Whisper now and then starts over in the silence behind a short sentence. Somebody who repeats
  /// three words or more within `seconds` would have to speak faster than five words a second.
  static func withoutEcho(_ text: String, seconds: Double) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count >= 6, Double(words.count) > seconds * 5 else { return text }
    let bare = words.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
    // The repetition may break off early, so it only has to be a beginning of what came before.
    for length in (words.count + 1) / 2..<words.count where words.count - length >= 3 {
      let echo = bare[length...]
      if bare.starts(with: echo) { return words[..<length].joined(separator: " ") }
    }
    return text
  }
}
