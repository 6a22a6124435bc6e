/// Finds where a recognizer starts its text over, or goes in circles.
///
/// In the silence behind short sound Whisper would rather say the sentence again than end it, but its end
/// is then not quite impossible. A text is cut where it could have ended and its own beginning follows, when
/// there was no time to say so much. People who say something twice are believed: there the model sees no
/// end, or there was time.
struct RepetitionFinder {
  /// Probability of the end that makes a repetition possible: chosen on the development part of
  /// `yoob bench lipsync`, whose texts are known.
  private static let possible: Float = 0.005
  /// Equal tokens after which it is certain.
  private static let certain = 4
  /// Tokens of English that people say in a second of voice: fast speakers hardly more, while sentences
  /// told twice have twice as many. In other scripts, which need more tokens, this says yes to everything.
  private static let tokensPerSecond = 7.0
  /// A text that goes in circles at its end repeats up to `longestCircle` tokens, `rounds` times and for
  /// `circling` tokens at least.
  private static let longestCircle = 16
  private static let rounds = 3
  private static let circling = 8

  /// Seconds of voice in the sound.
  let seconds: Double
  /// Numbers of tokens after which a repetition may have begun.
  private var candidates: [Int] = []
  private var found: Int?

  init(seconds: Double) { self.seconds = seconds }

  /// Takes the next token.
  /// - Parameters:
  ///   - token: What the model would write next; nil at its end.
  ///   - written: What it wrote before.
  ///   - endProbability: Probability, 0...1, of the end in its place.
  /// - Returns: Length of the text without the repetition; nil while there is none for certain.
  mutating func begin(before token: Int?, after written: [Int], endProbability: Float) -> Int? {
    if found == nil { found = candidates.first { token == nil || written.count - $0 >= Self.certain } }
    if Double(written.count) > seconds * Self.tokensPerSecond,
      let length = [found, Self.circle(written)].compactMap({ $0 }).min()
    {
      return length
    }
    guard let token, let first = written.first else { return nil }
    candidates.removeAll { written[written.count - $0] != token }
    if token == first, endProbability >= Self.possible { candidates.append(written.count) }
    return nil
  }

  /// Where the second round of a circle at the end begins; nil where there is none.
  private static func circle(_ written: [Int]) -> Int? {
    for period in 1...longestCircle {
      let equal = written.indices.reversed().prefix { $0 >= period && written[$0] == written[$0 - period] }
        .count
      if equal >= max((rounds - 1) * period, circling - period) { return written.count - equal }
    }
    return nil
  }
}
