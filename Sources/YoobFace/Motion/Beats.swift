/// Nods and brow raises on the stressed syllables of the voice, and small nods while listening.
struct Beats {
  private var random: SeededGenerator
  private var nodStart = -1000.0
  private var nodSize: Float = 0
  private var browStart = -1000.0
  private var browSize: Float = 0
  private var nextNod = 0.0
  private var nextListeningNod = 0.0

  private static let nodLength: Float = 0.42
  private static let browLength: Float = 0.5

  init(seed: UInt64) { random = SeededGenerator(seed: seed ^ 0x42_4541_5453) }

  /// Forgets the movements of an older time.
  mutating func restart(at time: Double) {
    nodStart = -1000
    browStart = -1000
    nextNod = time
    nextListeningNod = time + 1
  }

  /// Starts what the moment asks for. `stress` is how far the voice rises above its own recent level.
  mutating func advance(to time: Double, state: FaceState, stress: Float, calm: Bool) {
    if calm { return }
    switch state {
    case .speaking:
      guard stress > 0.16, time >= nextNod else { return }
      let strength = min(1, stress / 0.4)
      nodStart = time
      nodSize = (0.018 + 0.03 * strength) * random.between(0.75, 1.25)
      nextNod = time + Double(random.between(0.5, 1.15))
      if strength > 0.45 && time - browStart > 1.4 && random.chance(0.6) {
        browStart = time
        browSize = random.between(0.25, 0.5)
      }
    case .listening:
      guard time >= nextListeningNod else { return }
      let isFirst = nextListeningNod == 0
      nextListeningNod = time + Double(random.between(2.2, 5))
      if isFirst { return }
      nodStart = time
      nodSize = random.between(0.02, 0.035)
    case .idle, .thinking: return
    }
  }

  /// How far the head is nodded down, in radians.
  func nod(at time: Double) -> Float { nodSize * Self.bump(Float(time - nodStart) / Self.nodLength) }

  /// How far the brows are raised, 0...1.
  func brow(at time: Double) -> Float { browSize * Self.bump(Float(time - browStart) / Self.browLength) }

  /// 0 at the ends of 0...1, 1 in the middle, with flat ends.
  static func bump(_ x: Float) -> Float {
    guard x > 0, x < 1 else { return 0 }
    let s = FaceMath.sin(turns: Double(x) * 0.5)
    return s * s
  }
}
