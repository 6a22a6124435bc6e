/// Slow wandering of the head: sums of sines whose periods share no multiple, so that no loop is seen.
struct Sway {
  private let phases: SIMD16<Float>

  init(_ random: inout SeededGenerator) {
    var phases = SIMD16<Float>(repeating: 0)
    for lane in 0..<16 { phases[lane] = random.unit() }
    self.phases = phases
  }

  /// Yaw, pitch and roll in about ±1 at a time in seconds.
  func head(at time: Double) -> SIMD4<Float> {
    SIMD4(
      wave(time, 0, 0.0713, 0.5) + wave(time, 1, 0.1637, 0.33) + wave(time, 2, 0.3719, 0.17),
      wave(time, 3, 0.0871, 0.5) + wave(time, 4, 0.2011, 0.32) + wave(time, 5, 0.4337, 0.18),
      wave(time, 6, 0.0617, 0.55) + wave(time, 7, 0.1409, 0.3) + wave(time, 8, 0.3121, 0.15),
      wave(time, 9, 0.0553, 0.6) + wave(time, 10, 0.1291, 0.4))
  }

  /// Breath in -1...1: a cycle of about 3.7 s whose length varies a little.
  func breath(at time: Double) -> Float {
    let drift = FaceMath.sin(turns: time * 0.0531 + Double(phases[12])) * 0.22
    let turns = time * 0.27 + Double(phases[11]) + Double(drift)
    // In faster than out.
    return FaceMath.sin(turns: turns + 0.06 * Double(FaceMath.sin(turns: turns)))
  }

  private func wave(_ time: Double, _ lane: Int, _ rate: Double, _ size: Float) -> Float {
    size * FaceMath.sin(turns: time * rate + Double(phases[lane]))
  }
}
