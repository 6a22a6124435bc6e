import YoobFace

/// Measures the lips of a puppet in a pose, on its mesh, with the head held still.
package final class LipMeter {
  /// The opening of the mouth, in canvas units.
  package struct Lips: Sendable, Equatable {
    package var gap: Float
    package var width: Float

    package init(gap: Float, width: Float) {
      self.gap = gap
      self.width = width
    }

    /// A mouth is shut when the gap is less than this share of its width.
    package static let shutBelow: Float = 0.02
    /// A mouth has moved when gap or width differ by more than this share of the width.
    package static let movesFrom: Float = 0.02

    package var isShut: Bool { gap < Self.shutBelow * width }

    /// Whether the mouth has moved away from another one.
    package func moved(from other: Lips) -> Bool {
      let least = Self.movesFrom * other.width
      return abs(gap - other.gap) > least || abs(width - other.width) > least
    }
  }

  private let deformer: Deformer
  private let places: [Int]
  private let deflections: [Float]

  /// nil when the puppet does not say where its lips are.
  package init?(_ puppet: Puppet) {
    guard let upper = puppet.landmark("lipUpper"), let lower = puppet.landmark("lipLower"),
      let left = puppet.landmark("mouthLeft"), let right = puppet.landmark("mouthRight")
    else { return nil }
    places = [upper, lower, left, right]
    deformer = Deformer(puppet)
    deflections = [Float](repeating: 0, count: puppet.springs.count)
  }

  package func measure(_ morphs: MorphWeights) -> Lips {
    var pose = Pose()
    pose.morphs = morphs
    deflections.withUnsafeBufferPointer { deformer.apply(pose, deflections: $0) }
    let at = places.map { deformer.positions[$0] }
    return Lips(gap: Self.distance(at[0], at[1]), width: Self.distance(at[2], at[3]))
  }

  private static func distance(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    let d = b - a
    return (d * d).sum().squareRoot()
  }
}
