import VoiceAudio

/// Where a speaker's voice usually lies, in semitones, learned as it goes on.
struct PitchRange {
  /// Middle of the voice in semitones above 100 Hz.
  private(set) var centre: Float = 0
  /// Mean distance from the middle in semitones.
  private(set) var spread: Float = PitchRange.usualSpread
  private var seen: Float = 0

  /// Half a minute of voiced frames: what is older fades.
  private static let memory: Float = 1500
  /// What is believed of a voice that was not heard yet counts as this many frames: a second.
  private static let usualSpread: Float = 2.5
  private static let doubt: Float = 50

  /// Semitones of a fundamental frequency above 100 Hz; nil where it is none that people speak at.
  static func semitones(_ hertz: Float) -> Float? {
    guard hertz.isFinite, hertz >= 50, hertz <= 700 else { return nil }
    return 12 / 0.693_147_18 * PureMath.log(hertz / 100)
  }

  /// Learns from voiced frames in semitones.
  mutating func learn(_ values: [Float]) {
    guard !values.isEmpty else { return }
    if seen == 0 { centre = values.sorted()[values.count / 2] }
    for value in values {
      seen = min(Self.memory, seen + 1)
      centre += (value - centre) / (seen + Self.doubt)
      spread += (abs(value - centre) - spread) / (seen + Self.doubt)
    }
  }
}
