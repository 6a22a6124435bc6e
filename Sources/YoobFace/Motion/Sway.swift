/// Slow wandering of the head: noise that is smooth in time and has no period, so that no loop is seen.
struct Sway {
  private let seed: UInt64
  private let phases: SIMD2<Float>

  init(_ random: inout SeededGenerator) {
    phases = SIMD2(random.unit(), random.unit())
    seed = random.next()
  }

  /// Yaw, pitch, roll and sideways shift in about ±1 at a time in seconds.
  func head(at time: Double) -> SIMD4<Float> {
    SIMD4(
      wave(time, 0, 0.1426, 0.62) + wave(time, 1, 0.3274, 0.4) + wave(time, 2, 0.7438, 0.2),
      wave(time, 3, 0.1742, 0.62) + wave(time, 4, 0.4022, 0.4) + wave(time, 5, 0.8674, 0.21),
      wave(time, 6, 0.1234, 0.68) + wave(time, 7, 0.2818, 0.37) + wave(time, 8, 0.6242, 0.18),
      wave(time, 9, 0.1106, 0.74) + wave(time, 10, 0.2582, 0.49))
  }

  /// Breath in -1...1: a cycle of about 3.7 s whose length varies a little.
  func breath(at time: Double) -> Float {
    let drift = FaceMath.sin(turns: time * 0.0531 + Double(phases.x)) * 0.22
    let turns = time * 0.27 + Double(phases.y) + Double(drift)
    // In faster than out.
    return FaceMath.sin(turns: turns + 0.06 * Double(FaceMath.sin(turns: turns)))
  }

  /// A cubic spline over random values, `rate` of them a second; about ±`size`, continuous up to its
  /// second derivative.
  private func wave(_ time: Double, _ lane: UInt64, _ rate: Double, _ size: Float) -> Float {
    let position = time * rate
    let floor = FaceMath.floor(position)
    let knot = Int64(floor)
    let t = Float(position - floor)
    let u = 1 - t
    let a = u * u * u * value(lane, knot)
    let b = (4 - 6 * t * t + 3 * t * t * t) * value(lane, knot &+ 1)
    let c = (4 - 6 * u * u + 3 * u * u * u) * value(lane, knot &+ 2)
    let d = t * t * t * value(lane, knot &+ 3)
    // A spline stays well inside its values: 1.9 makes up for that.
    return size * 1.9 / 6 * (a + b + c + d)
  }

  /// The random value of a knot, -1...1, after the finalizer of SplitMix64 (Steele et al. 2014).
  private func value(_ lane: UInt64, _ knot: Int64) -> Float {
    var bits = seed &+ lane &* 0xD1B5_4A32_D192_ED03 &+ UInt64(bitPattern: knot) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Float(bits >> 40) * (2 / 16_777_216) - 1
  }
}
