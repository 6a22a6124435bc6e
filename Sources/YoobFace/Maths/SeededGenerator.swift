/// A small deterministic random generator (SplitMix64): one seed, one life of the face.
struct SeededGenerator: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in 0..<1.
  mutating func unit() -> Float { Float(next() >> 40) * (1 / 16_777_216) }

  /// Uniform in `low..<high`.
  mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * unit() }

  /// True with the given probability.
  mutating func chance(_ probability: Float) -> Bool { unit() < probability }
}
