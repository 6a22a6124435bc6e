/// Where the eyes rest and when they jump.
struct Glances {
  private var random: SeededGenerator
  /// Target of the automatic gaze, in -1...1.
  private(set) var target = SIMD2<Float>(0, 0)
  private var jitter = SIMD2<Float>(0, 0)
  private var nextLook = 0.0
  private var nextJitter = 0.0
  private var side: Float = 1

  init(seed: UInt64, at time: Double) {
    random = SeededGenerator(seed: seed ^ 0x47_4C41_4E43)
    restart(at: time)
  }

  mutating func restart(at time: Double) {
    target = SIMD2(0, 0)
    jitter = SIMD2(0, 0)
    nextLook = time + Double(random.between(1, 2.5))
    nextJitter = time + Double(random.between(0.3, 1))
  }

  /// Chooses anew at once: the state has changed.
  mutating func wake(at time: Double) {
    nextLook = time
    side = random.chance(0.5) ? 1 : -1
  }

  /// Where to look, jitter included. Returns true in `jumped` when the eyes make a large movement.
  mutating func look(at time: Double, state: FaceState, calm: Bool, jumped: inout Bool) -> SIMD2<Float> {
    if time >= nextLook {
      let old = target
      choose(time, state, calm)
      let move = target - old
      jumped = (move * move).sum() > 0.12
    }
    if time >= nextJitter {
      nextJitter = time + Double(random.between(0.5, 1.8))
      let size: Float = calm ? 0 : 0.045
      jitter = SIMD2(random.between(-size, size), random.between(-size, size) * 0.6)
    }
    return target + jitter
  }

  private mutating func choose(_ time: Double, _ state: FaceState, _ calm: Bool) {
    let viewer = SIMD2<Float>(0, 0)
    switch state {
    case .idle:
      if calm || target != viewer || random.chance(0.45) {
        target = viewer
        nextLook = time + Double(random.between(1.6, 4.5))
      } else {
        target = SIMD2(random.between(-0.55, 0.55), random.between(-0.22, 0.28))
        nextLook = time + Double(random.between(0.6, 1.8))
      }
    case .listening:
      target = viewer
      nextLook = time + 2
    case .thinking:
      target = SIMD2(side * random.between(0.35, 0.65), random.between(0.35, 0.7))
      if random.chance(0.2) { side = -side }
      nextLook = time + Double(random.between(0.9, 2.4))
    case .speaking:
      if calm || target != viewer || random.chance(0.55) {
        target = viewer
        nextLook = time + Double(random.between(1.8, 4))
      } else {
        target = SIMD2(random.between(-0.4, 0.4), random.between(-0.25, 0.2))
        nextLook = time + Double(random.between(0.35, 0.8))
      }
    }
  }
}
