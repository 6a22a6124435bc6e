/// The user's sound in a script: letters are speech, each at a level of its own; dots are silence.
///
/// "..AAAA...BB" is 200 ms of silence, 400 ms of the utterance A, 300 ms of silence, 200 ms of B.
public enum ScriptedSound {
  /// Length of one character.
  public static let millisecondsPerCharacter = 100
  /// Samples per second.
  public static let sampleRate = 16_000

  /// The samples of a script at 16 kHz.
  public static func samples(_ script: String) -> [Float] {
    let count = sampleRate * millisecondsPerCharacter / 1000
    return script.flatMap { character in
      let level = level(of: character)
      return (0..<count).map { $0.isMultiple(of: 2) ? level : -level }
    }
  }

  /// The level of a letter: A is 0.02, B 0.04 and so on; anything else is 0.
  public static func level(of character: Character) -> Float {
    guard let value = character.asciiValue, (65...90).contains(value) else { return 0 }
    return Float(value - 64) * 0.02
  }

  /// The letter whose level the sample has.
  public static func letter(of sample: Float) -> Character? {
    let index = Int((abs(sample) / 0.02).rounded())
    guard (1...26).contains(index) else { return nil }
    return Character(Unicode.Scalar(UInt8(64 + index)))
  }
}
