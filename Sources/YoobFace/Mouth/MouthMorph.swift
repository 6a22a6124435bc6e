/// The mouth morphs that speech drives, named as in ARKit.
public enum MouthMorph: Int, Sendable, CaseIterable {
  /// Jaw and lips as a whole.
  case jawOpen, mouthClose, mouthFunnel, mouthPucker
  /// The corners of the mouth.
  case mouthStretchLeft, mouthStretchRight, mouthSmileLeft, mouthSmileRight
  /// How lips press together and roll in.
  case mouthPressLeft, mouthPressRight, mouthRollLower, mouthRollUpper
  /// The lips apart from each other.
  case mouthUpperUpLeft, mouthUpperUpRight, mouthLowerDownLeft, mouthLowerDownRight
  /// The tongue.
  case tongueOut

  /// Number of mouth morphs.
  public static let count = 17

  /// Name as written in packs and files.
  public var name: StaticString {
    switch self {
    case .jawOpen: "jawOpen"
    case .mouthClose: "mouthClose"
    case .mouthFunnel: "mouthFunnel"
    case .mouthPucker: "mouthPucker"
    case .mouthStretchLeft: "mouthStretchLeft"
    case .mouthStretchRight: "mouthStretchRight"
    case .mouthSmileLeft: "mouthSmileLeft"
    case .mouthSmileRight: "mouthSmileRight"
    case .mouthPressLeft: "mouthPressLeft"
    case .mouthPressRight: "mouthPressRight"
    case .mouthRollLower: "mouthRollLower"
    case .mouthRollUpper: "mouthRollUpper"
    case .mouthUpperUpLeft: "mouthUpperUpLeft"
    case .mouthUpperUpRight: "mouthUpperUpRight"
    case .mouthLowerDownLeft: "mouthLowerDownLeft"
    case .mouthLowerDownRight: "mouthLowerDownRight"
    case .tongueOut: "tongueOut"
    }
  }
}
