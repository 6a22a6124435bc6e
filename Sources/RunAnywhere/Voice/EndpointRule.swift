import Foundation

/// Tells from the words, from what a turn detector says of the sound and from what a language model says
/// of the meaning, whether the user has probably not finished.
package struct EndpointRule {
  private static let openWords: Set<String> = [
    "and", "but", "so", "because", "the", "a", "an", "to", "um", "uh", "or", "of", "with", "if",
    "my", "for", "er", "erm", "hmm",
  ]

  /// Completeness from which the turn detector takes a turn for finished.
  static let complete: Float = 0.5

  /// Completeness that a turn is thought to have when nobody listens to its sound.
  static let usualCompleteness: Float = 0.9
  /// Share of the way from `minDelayMs` to `maxDelayMs` that a turn waits as soon as meaning and sound
  /// together speak against its end, and what each unit of the evidence adds. These and the numbers of
  /// `evidence` were chosen on the development part of `yoob bench endpointing`.
  static let doubt: Float = 0.06
  static let doubtPerUnit: Float = 0.02
  /// The same for numbers and letters that are being dictated.
  static let dictating: Float = 0.35

  static let weightOfSound: Float = 0.2
  /// Less than this a likelihood tells nothing more.
  static let leastLikelihood: Float = 0.003

  /// Silence, in milliseconds, that ends the turn: `minDelayMs` after a finished one, `maxDelayMs`
  /// after one whose last word wants another and whose sound does not say the contrary. Half way
  /// between them lies the patience with turns that only the words against the sound, or without a judge
  /// of the meaning only the sound, leave open; a little before it that with numbers and letters that
  /// are being dictated. With a judge the wait grows with the doubt.
  /// - Parameters:
  ///   - text: What was said; nil leaves the words out of the decision.
  ///   - completeness: What the turn detector says; nil when it says nothing.
  ///   - endLikelihood: How likely the text is a whole message, by the language model; nil when it says
  ///     nothing.
  static func delayMs(
    after text: String?, completeness: Float? = nil, endLikelihood: Float? = nil, _ options: Endpointing
  ) -> Int {
    let low = max(0, options.minDelayMs)
    let high = max(low, options.maxDelayMs)
    let middle = low + (high - low) / 2
    let soundsComplete = completeness.map { $0 >= complete }
    if let text, looksUnfinished(text) { return soundsComplete == true && !text.isEmpty ? middle : high }
    let dictation = text.map { Dictation($0) }
    if dictation?.isOpen == true { return low + Int(Float(high - low) * dictating) }
    // What is whole after a number that was dictated, the number tells better than the meaning.
    if let endLikelihood, let dictation, !dictation.isLong {
      let evidence = evidence(completeness, endLikelihood)
      guard evidence < 0 else { return low }
      return low + Int(Float(high - low) * (doubt - doubtPerUnit * evidence))
    }
    return soundsComplete == false ? middle : low
  }

  /// How much speaks for the end: the logarithms of the odds by the sound and of the probability by the
  /// meaning, and 1, because most whole sentences could go on.
  static func evidence(_ completeness: Float?, _ endLikelihood: Float) -> Float {
    let sound = min(max(completeness ?? usualCompleteness, 0.02), 0.98)
    return 1 + weightOfSound * log(sound / (1 - sound)) + log(max(endLikelihood, leastLikelihood))
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

  /// What is recognized with less confidence was no speech. Of 150 recordings of people on the development
  /// part of `yoob bench lipsync`, single words among them, Whisper was sure of none with less than 0.23.
  private static let leastConfidence: Float = 0.2

  /// A recognizer's text without what it writes for noise, such as "[BLANK_AUDIO]" or "(music)".
  /// A bracket that is never closed takes nothing with it, except at the beginning: "[BLANK_".
  package static func spokenText(_ transcription: Transcription) -> String {
    guard (transcription.confidence ?? 1) >= leastConfidence else { return "" }
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
    if let opening = openings.first, text[..<opening].allSatisfy({ !$0.isLetter && !$0.isNumber }) {
      return ""
    }
    let spoken = String(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return spoken.contains { $0.isLetter || $0.isNumber } ? spoken : ""
  }
}
