/// Blinks at natural intervals: every 2 to 6 s, sometimes two in a row.
struct Blinks {
  private var random: SeededGenerator
  private var start: Double
  private var next: Double
  private var isDouble = false

  private static let closing: Float = 0.075
  private static let shut: Float = 0.035
  private static let opening: Float = 0.17
  private static let length = 0.28

  init(seed: UInt64, at time: Double) {
    random = SeededGenerator(seed: seed ^ 0x42_4C49_4E4B)
    start = -1000
    next = 0
    restart(at: time)
  }

  /// Plans the next blink as if the last one were just over.
  mutating func restart(at time: Double) {
    start = -1000
    next = time + Double(random.between(0.8, 3.5))
  }

  mutating func advance(to time: Double) {
    guard time >= next else { return }
    start = next
    if !isDouble && random.chance(0.14) {
      isDouble = true
      next = start + Self.length + Double(random.between(0.04, 0.14))
    } else {
      isDouble = false
      // Mostly around 3.5 s, within 2...6.
      let mean = 0.5 * (random.unit() + random.unit())
      next = start + 2 + 4 * Double(mean * mean * 0.6 + mean * 0.4)
    }
  }

  /// Blinks with a large movement of the eyes, unless a blink was just made.
  mutating func request(at time: Double) {
    if time - start > 2 && next - time > 0.15 { next = time }
  }

  /// How far the lids are shut, 0...1.
  func value(at time: Double) -> Float {
    let t = Float(time - start)
    if t < 0 || t >= Float(Self.length) { return 0 }
    if t < Self.closing { return FaceMath.smooth(t / Self.closing) }
    if t < Self.closing + Self.shut { return 1 }
    return 1 - FaceMath.smooth((t - Self.closing - Self.shut) / Self.opening)
  }
}
