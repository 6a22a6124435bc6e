import VoiceAudio

/// A small deterministic random generator: one seed, one life of the face.
struct SeededGenerator: Sendable {
  private var base: SplitMix64

  init(seed: UInt64) { base = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { base.next() }

  /// Uniform in 0..<1.
  mutating func unit() -> Float { Float(next() >> 40) * (1 / 16_777_216) }

  /// Uniform in `low..<high`.
  mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * unit() }

  /// True with the given probability.
  mutating func chance(_ probability: Float) -> Bool { unit() < probability }
}
