/// Tells from the words whether the user has probably not finished.
package struct EndpointRule {
  private static let openWords: Set<String> = [
    "and", "but", "so", "because", "the", "a", "an", "to", "um", "uh", "or", "of", "with", "if",
    "my", "for", "er", "erm", "hmm",
  ]

  /// Silence, in milliseconds, that ends the turn.
  static func delayMs(after text: String, _ options: Endpointing) -> Int {
    let low = max(0, options.minDelayMs)
    return looksUnfinished(text) ? max(low, options.maxDelayMs) : low
  }

  /// No words, a comma or dash at the end, or a last word that wants another.
  static func looksUnfinished(_ text: String) -> Bool {
    let trimmed = text.trimmingSpace()
    guard let last = trimmed.last else { return true }
    if last == "," || last == "-" || last == "—" || last == "…" || trimmed.hasSuffix("...") {
      return true
    }
    if last == "?" || last == "!" { return false }
    let word = trimmed.split(whereSeparator: \.isWhitespace).last ?? ""
    return openWords.contains(word.lowercased().filter(\.isLetter))
  }

  /// A recognizer's text without what it writes for noise, such as "[BLANK_AUDIO]" or "(music)".
  /// A bracket that is never closed takes nothing with it.
  package static func spokenText(_ transcription: Transcription) -> String {
    guard (transcription.confidence ?? 1) >= 0.2 else { return "" }
    var text: [Character] = []
    var openings: [Int] = []
    for character in transcription.text {
      switch character {
      case "[", "(": openings.append(text.count)
      case "]", ")":
        if let opening = openings.popLast() { text.removeSubrange(opening...) }
      default: text.append(character)
      }
    }
    let spoken = String(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return spoken.contains { $0.isLetter || $0.isNumber } ? spoken : ""
  }
}
