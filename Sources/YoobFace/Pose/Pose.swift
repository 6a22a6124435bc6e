/// Weights of the face morphs at one instant.
public struct MorphWeights: Sendable, Equatable {
  /// Lane `Morph.rawValue`; lanes beyond the last morph are zero.
  public var lanes = SIMD64<Float>(repeating: 0)

  /// All weights 0: the face at rest.
  public init() {}

  /// Weight of a morph, 0 (at rest) ... 1 (full).
  @inlinable
  public subscript(_ morph: Morph) -> Float {
    @inline(__always) get { lanes[morph.rawValue] }
    @inline(__always) set { lanes[morph.rawValue] = newValue }
  }

  /// Adds the same weight to a left and a right morph.
  mutating func add(_ left: Morph, _ right: Morph, _ weight: Float) {
    lanes[left.rawValue] += weight
    lanes[right.rawValue] += weight
  }
}

/// Where the head is.
public struct HeadPose: Sendable, Equatable {
  /// Radians; positive turns the face to the viewer's right.
  public var yaw: Float = 0
  /// Radians; positive is up.
  public var pitch: Float = 0
  /// Radians; positive is clockwise as seen.
  public var roll: Float = 0
  /// Canvas units.
  public var shift = SIMD2<Float>(0, 0)

  /// The head straight, in its place.
  public init() {}

  /// The head turned by these angles in radians, and moved by canvas units.
  public init(yaw: Float, pitch: Float, roll: Float, shift: SIMD2<Float> = SIMD2(0, 0)) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
    self.shift = shift
  }
}

/// Everything that a frame's geometry follows from, springs apart.
public struct Pose: Sendable, Equatable {
  /// Where the head is.
  public var head = HeadPose()
  /// -1 (breathed out) ... 1 (breathed in).
  public var breath: Float = 0
  /// What the face does.
  public var morphs = MorphWeights()

  /// At rest, between two breaths.
  public init() {}
}
