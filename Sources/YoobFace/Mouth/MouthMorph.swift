/// The mouth morphs that speech drives, named as in ARKit.
public enum MouthMorph: Int, Sendable, CaseIterable {
  case jawOpen, mouthClose, mouthFunnel, mouthPucker
  case mouthStretchLeft, mouthStretchRight, mouthSmileLeft, mouthSmileRight
  case mouthPressLeft, mouthPressRight, mouthRollLower, mouthRollUpper
  case mouthUpperUpLeft, mouthUpperUpRight, mouthLowerDownLeft, mouthLowerDownRight
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
