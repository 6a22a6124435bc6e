/// What a mouth looks like for a mixture of visemes.
///
/// Every viseme has its own target, and a mixture is their weighted mean, so that closed, round and wide
/// shapes pull against each other instead of adding up to an open "ah". Lip closure is the exception: it
/// is judged from its own weight, because lips that are nearly shut look open.
public enum MouthShapes {
  /// Weights of the mouth morphs, in the order of `MouthMorph` and each 0...1, for 15 viseme weights in
  /// the order of `Viseme`.
  ///
  /// Negative and non-finite weights count as zero and the rest is scaled to sum to 1; all zero means
  /// silence, and silence alone gives exactly zero everywhere.
  public static func morphs(of weights: [Float]) -> [Float] {
    var out = [Float](repeating: 0, count: MouthMorph.count)
    weights.withUnsafeBufferPointer { weights in
      out.withUnsafeMutableBufferPointer { morphs(of: weights, into: $0) }
    }
    return out
  }

  /// As `morphs(of:)`, without allocating: writes `MouthMorph.count` values to `out`.
  ///
  /// Fewer than 15 weights count as silence; an `out` that is too short is left untouched.
  public static func morphs(
    of weights: UnsafeBufferPointer<Float>, into out: UnsafeMutableBufferPointer<Float>
  ) {
    guard out.count >= MouthMorph.count else { return }
    for index in 0..<MouthMorph.count { out[index] = 0 }
    guard weights.count >= 15 else { return }
    var sum: Float = 0
    for viseme in 0..<15 { sum += clean(weights[viseme]) }
    guard sum > 1e-6 else { return }
    let scale = 1 / sum
    let voiced = awake(1 - clean(weights[Viseme.sil.rawValue]) * scale)
    guard voiced > 0 else { return }
    targets.withUnsafeBufferPointer { targets in
      for viseme in 1..<15 {
        let weight = clean(weights[viseme]) * scale * voiced
        guard weight > 0 else { continue }
        for index in 0..<MouthMorph.count {
          out[index] += weight * targets[viseme * MouthMorph.count + index]
        }
      }
      seal(clean(weights[Viseme.PP.rawValue]) * scale, targets, out)
    }
    for index in 0..<MouthMorph.count { out[index] = max(0, min(1, out[index])) }
  }

  /// How much of the mouth's movement is let through: none while speech is unlikely, so that breath and
  /// noise do not make the lips quiver.
  @inline(__always)
  private static func awake(_ speech: Float) -> Float {
    ramp((speech - 0.12) / 0.3)
  }

  /// Shuts the lips in the measure of the closure's weight, completely from 0.65 on.
  @inline(__always)
  private static func seal(
    _ closure: Float, _ targets: UnsafeBufferPointer<Float>, _ out: UnsafeMutableBufferPointer<Float>
  ) {
    let shut = ramp((closure - 0.25) / 0.4)
    guard shut > 0 else { return }
    for index in 0..<MouthMorph.count {
      let lips = targets[Viseme.PP.rawValue * MouthMorph.count + index]
      out[index] += (lips - out[index]) * shut
    }
  }

  /// A smooth step from 0 at 0 to 1 at 1.
  @inline(__always)
  private static func ramp(_ x: Float) -> Float {
    let t = max(0, min(1, x))
    return t * t * (3 - 2 * t)
  }

  @inline(__always)
  private static func clean(_ weight: Float) -> Float {
    weight > 0 && weight.isFinite ? weight : 0
  }

  /// One row a viseme: jaw, funnel, pucker, stretch, smile, press, roll lower, roll upper, upper up,
  /// lower down, tongue; pairs share a value.
  private static let targets: [Float] =
    row(jaw: 0)
    + row(jaw: 0, press: 0.55, rollLower: 0.25, rollUpper: 0.25)
    + row(jaw: 0.07, rollLower: 0.6, upperUp: 0.25)
    + row(jaw: 0.16, stretch: 0.1, upperUp: 0.12, lowerDown: 0.2, tongue: 0.3)
    + row(jaw: 0.14, stretch: 0.14, upperUp: 0.12, lowerDown: 0.22)
    + row(jaw: 0.2, stretch: 0.1, upperUp: 0.1, lowerDown: 0.16)
    + row(jaw: 0.12, funnel: 0.5, pucker: 0.28, upperUp: 0.12, lowerDown: 0.16)
    + row(jaw: 0.06, stretch: 0.28, smile: 0.12, upperUp: 0.14, lowerDown: 0.26)
    + row(jaw: 0.16, stretch: 0.1, upperUp: 0.1, lowerDown: 0.18)
    + row(jaw: 0.16, funnel: 0.34, pucker: 0.3, lowerDown: 0.08)
    + row(jaw: 0.75, upperUp: 0.16, lowerDown: 0.3)
    + row(jaw: 0.4, stretch: 0.4, smile: 0.1, upperUp: 0.16, lowerDown: 0.3)
    + row(jaw: 0.2, stretch: 0.34, smile: 0.26, upperUp: 0.12, lowerDown: 0.22)
    + row(jaw: 0.48, funnel: 0.5, pucker: 0.2, lowerDown: 0.12)
    + row(jaw: 0.18, funnel: 0.22, pucker: 0.72)

  private static func row(
    jaw: Float, funnel: Float = 0, pucker: Float = 0, stretch: Float = 0, smile: Float = 0,
    press: Float = 0, rollLower: Float = 0, rollUpper: Float = 0, upperUp: Float = 0,
    lowerDown: Float = 0, tongue: Float = 0
  ) -> [Float] {
    [
      jaw, 0, funnel, pucker, stretch, stretch, smile, smile, press, press, rollLower, rollUpper,
      upperUp, upperUp, lowerDown, lowerDown, tongue,
    ]
  }
}
