/// Finds where speech really began: detectors are sure of it some windows later, the longest after soft
/// sounds. Windows before count that are nearly as loud as the first voiced one and stand out of the noise.
struct OnsetFinder: Sendable, Equatable {
  /// Windows before the first voiced one that are looked at.
  static let reach = 8
  /// Decibels by which they may be softer, and must be louder than the noise.
  static let softer: Float = 25
  static let aboveNoise: Float = 9
  /// The noise is the lowest level of late; it rises by so many decibels a window, about one a second.
  static let noiseRise: Float = 0.03
  private static let lowest: Float = -100

  private var windows: [(start: Int, level: Float)] = []
  private var noise: Float?

  static func == (left: Self, right: Self) -> Bool {
    left.noise == right.noise
      && left.windows.elementsEqual(right.windows) { $0.start == $1.start && $0.level == $1.level }
  }

  mutating func add(level: Float, from start: Int) {
    let level = level.isFinite ? max(level, Self.lowest) : Self.lowest
    noise = min(level, noise.map { $0 + Self.noiseRise } ?? level)
    windows.append((start, level))
    if windows.count > Self.reach + 1 { windows.removeFirst() }
  }

  /// First sample of the sound that the newest window belongs to.
  var onset: Int {
    guard var first = windows.last, let noise else { return 0 }
    let least = max(first.level - Self.softer, noise + Self.aboveNoise)
    for window in windows.dropLast().reversed() {
      guard window.level >= least else { break }
      first = window
    }
    return first.start
  }
}
