/// Gives the mouth its inertia: morphs follow their targets in steps of 10 ms.
///
/// Lips shut fast for p, b and m (within 30 ms) and part slowly enough not to flicker. Silence, which inside
/// a word is only the stop of a t or k, lets them sink for about 120 ms, to exactly zero.
public struct MouthSmoother: Sendable {
  /// Weights of the mouth morphs now, in the order of `MouthMorph`.
  public private(set) var morphs = [Float](repeating: 0, count: MouthMorph.count)
  /// Time by which a movement lags behind its target, in seconds: sample the face this much ahead.
  public static let delay = 0.015

  private static let opening: Float = 0.45
  private static let closing: Float = 0.5
  private static let sealing: Float = 0.78
  private static let sinking: Float = 0.24
  private static let dead: Float = 0.004

  private var target = [Float](repeating: 0, count: MouthMorph.count)

  /// A mouth that is shut.
  public init() {}

  /// Shuts the mouth at once.
  public mutating func reset() {
    for index in 0..<MouthMorph.count { morphs[index] = 0 }
  }

  /// Moves on by one frame of 10 ms whose 15 viseme weights are `weights`.
  public mutating func step(_ weights: UnsafeBufferPointer<Float>) {
    target.withUnsafeMutableBufferPointer { MouthShapes.morphs(of: weights, into: $0) }
    let closure = weights.count >= 15 ? weights[Viseme.PP.rawValue] : 0
    let silence = weights.count >= 15 ? weights[Viseme.sil.rawValue] : 1
    let falling =
      closure > 0.4
      ? MouthSmoother.sealing : silence > 0.6 ? MouthSmoother.sinking : MouthSmoother.closing
    let rising = closure > 0.4 ? MouthSmoother.sealing : MouthSmoother.opening
    for index in 0..<MouthMorph.count {
      let goal = target[index]
      let now = morphs[index]
      let next = now + (goal - now) * (goal < now ? falling : rising)
      morphs[index] = goal == 0 && next < MouthSmoother.dead ? 0 : next
    }
  }

  /// Moves on by one frame of 10 ms whose 15 viseme weights are `weights`.
  public mutating func step(_ weights: [Float]) {
    weights.withUnsafeBufferPointer { step($0) }
  }
}
