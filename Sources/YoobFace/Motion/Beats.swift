/// Nods and brow raises on the stressed syllables of the voice, and small nods while listening.
///
/// Where the melody of the voice is known its accents make them, each with its peak at the accent;
/// elsewhere the loudness does.
struct Beats {
  private var random: SeededGenerator
  private var nodStart = -1000.0
  private var nodSize: Float = 0
  private var browStart = -1000.0
  private var browSize: Float = 0
  private var browHold: Float = 0
  private var nextNod = 0.0
  private var nextListeningNod = 0.0

  private static let nodLength = Float(2 * ProsodyBeat.nodAttack)
  private static let browLength = Float(2 * ProsodyBeat.browAttack)

  init(seed: UInt64) { random = SeededGenerator(seed: seed ^ 0x42_4541_5453) }

  /// Forgets the movements of an older time.
  mutating func restart(at time: Double) {
    nodStart = -1000
    browStart = -1000
    nextNod = time
    nextListeningNod = time + 1
  }

  /// Starts what the moment asks for. `stress` is how far the voice rises above its own recent level;
  /// `beat` is a movement that starts now.
  mutating func advance(to time: Double, state: FaceState, stress: Float, beat: ProsodyBeat?, calm: Bool) {
    if calm { return }
    switch state {
    case .speaking:
      if let beat { start(beat, at: time) }
      guard stress > 0.16, time >= nextNod, time - nodStart >= Double(Self.nodLength) else { return }
      let strength = min(1, stress / 0.4)
      nodStart = time
      nodSize = (0.018 + 0.03 * strength) * random.between(0.75, 1.25)
      nextNod = time + Double(random.between(0.5, 1.15))
      if strength > 0.45 && time - browStart > 1.4 + Double(browHold) && random.chance(0.6) {
        browStart = time
        browSize = random.between(0.25, 0.5)
        browHold = 0
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

  /// A movement that is under way goes on: it is never cut short by the next.
  private mutating func start(_ beat: ProsodyBeat, at time: Double) {
    let variation = random.between(0.8, 1.2)
    switch beat.kind {
    case .nod:
      guard time - nodStart >= Double(Self.nodLength) else { return }
      nodStart = time
      nodSize = (0.02 + 0.03 * beat.strength) * variation
      nextNod = time + ProsodyBeat.nodInterval
    case .brow:
      guard time - browStart >= Double(Self.browLength + browHold) else { return }
      browStart = time
      browSize = (0.3 + 0.35 * beat.strength) * variation
      browHold = Float(beat.hold)
    }
  }

  /// How far the head is nodded down, in radians.
  func nod(at time: Double) -> Float { nodSize * Self.bump(Float(time - nodStart) / Self.nodLength) }

  /// How far the brows are raised, 0...1.
  func brow(at time: Double) -> Float {
    let since = Float(time - browStart)
    let middle = Self.browLength / 2
    // Up, held, and down again.
    let moved = since < middle ? since : max(middle, since - browHold)
    return browSize * Self.bump(moved / Self.browLength)
  }

  /// 0 at the ends of 0...1, 1 in the middle, with flat ends.
  static func bump(_ x: Float) -> Float {
    guard x > 0, x < 1 else { return 0 }
    let s = FaceMath.sin(turns: Double(x) * 0.5)
    return s * s
  }
}
