/// The vertices by which the opening of the mouth is measured.
struct LipLandmarks {
  private let upper: Int?
  private let lower: Int?
  private let left: Int?
  private let right: Int?

  init(_ puppet: Puppet) {
    upper = puppet.landmark("lipUpper")
    lower = puppet.landmark("lipLower")
    left = puppet.landmark("mouthLeft")
    right = puppet.landmark("mouthRight")
  }

  /// Measures in canvas units; a missing landmark leaves zero.
  func measure(_ positions: UnsafeBufferPointer<SIMD2<Float>>, gap: inout Float, width: inout Float) {
    gap = 0
    width = 0
    if let upper, let lower { gap = Self.distance(positions[upper], positions[lower]) }
    if let left, let right { width = Self.distance(positions[left], positions[right]) }
  }

  private static func distance(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    let d = b - a
    return (d * d).sum().squareRoot()
  }
}
