/// Eight frames at a time.
typealias Lanes = SIMD8<Float>

/// Elementary functions of eight values, to about 2e-7 of their range.
enum VectorMath {
  /// Adding and subtracting it rounds a value below 2^22 to an integer.
  private static let rounder: Float = 12_582_912

  /// e^x for x in -80...80.
  @inline(__always) static func exp(_ x: Lanes) -> Lanes {
    let biased = x * 1.442_695_04 + rounder
    let n = biased - rounder
    let r = (x - n * 0.693_359_375) + n * 2.121_944_4e-4
    var p = r * 1.987_569_15e-4 + 1.398_199_95e-3
    p = p * r + 8.333_451_9e-3
    p = p * r + 4.166_579_6e-2
    p = p * r + 1.666_666_55e-1
    p = p * r + 0.5
    p = p * r * r + r + 1
    // The low bits of `biased` hold n; they move into the exponent.
    let bits = unsafeBitCast(biased, to: SIMD8<UInt32>.self) &<< 23
    return unsafeBitCast(unsafeBitCast(p, to: SIMD8<UInt32>.self) &+ bits, to: Lanes.self)
  }

  /// tanh x for any x.
  @inline(__always) static func tanh(_ x: Lanes) -> Lanes {
    let bounded = x.clamped(lowerBound: Lanes(repeating: -9), upperBound: Lanes(repeating: 9))
    return 1 - 2 / (exp(bounded + bounded) + 1)
  }

  /// Sine and cosine of x in -1000...1000.
  @inline(__always) static func sinCos(_ x: Lanes) -> (sin: Lanes, cos: Lanes) {
    let biased = x * 0.636_619_77 + rounder
    let n = biased - rounder
    let r = (x - n * 1.570_312_5) - n * 4.838_267_9e-4
    let r2 = r * r
    var s = r2 * -1.951_529_6e-4 + 8.332_161e-3
    s = (s * r2 - 1.666_665_46e-1) * r2 * r + r
    var c = r2 * 2.443_315_7e-5 - 1.388_731_6e-3
    c = (c * r2 + 4.166_664_57e-2) * r2 * r2 - 0.5 * r2 + 1
    // The quadrant swaps the two and sets their signs.
    let quadrant = unsafeBitCast(biased, to: SIMD8<UInt32>.self)
    let swap = (quadrant & 1) .== 1
    let sine = unsafeBitCast(s.replacing(with: c, where: swap), to: SIMD8<UInt32>.self)
    let cosine = unsafeBitCast(c.replacing(with: s, where: swap), to: SIMD8<UInt32>.self)
    let sineSign = (quadrant & 2) &<< 30
    let cosineSign = ((quadrant &+ 1) & 2) &<< 30
    return (
      unsafeBitCast(sine ^ sineSign, to: Lanes.self), unsafeBitCast(cosine ^ cosineSign, to: Lanes.self)
    )
  }
}
