import VoiceAudio

/// A voice activity detector that looks at every second window only while the room is quiet: most of
/// the time of a session that waits for somebody to speak.
///
/// A window is quiet when it is no louder than the noise of the last seconds, give or take, and the
/// detector has been sure for a second that nobody speaks. At the first louder window the one that was
/// left out is caught up with, so the detector hears the whole of the sound that it judges.
final class QuietListener: SpeechDetector {
  /// Decibels above the noise, and the level, below which a window is quiet.
  private static let aboveNoise: Float = 4
  private static let highest: Float = -50
  /// Decibels by which the noise rises a window; it is the lowest level of late.
  private static let noiseRise: Float = 0.03
  /// Windows without speech until the first is left out, and what counts as sure.
  private static let patience = 32
  private static let sure: Float = 0.15

  let windowSize: Int
  private let inner: any SpeechDetector
  private var noise: Float?
  private var silent = 0
  private var leftOut: [Float]?
  private var last: Float = 0

  init(_ inner: any SpeechDetector) {
    self.inner = inner
    windowSize = inner.windowSize
  }

  func probability(_ window: [Float]) throws -> Float {
    let level = Level(window).dBFS
    let floor = min(level, noise.map { $0 + Self.noiseRise } ?? level)
    noise = floor
    let isQuiet = level <= min(floor + Self.aboveNoise, Self.highest)
    if isQuiet && silent >= Self.patience && leftOut == nil {
      leftOut = window
      return last
    }
    if let earlier = leftOut, !isQuiet { _ = try inner.probability(earlier) }
    leftOut = nil
    last = try inner.probability(window)
    silent = last < Self.sure ? silent + 1 : 0
    return last
  }

  func reset() {
    (noise, silent, leftOut, last) = (nil, 0, nil, 0)
    inner.reset()
  }
}
