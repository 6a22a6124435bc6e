/// The ARKit face morphs, in the order of `MorphWeights`.
public enum Morph: Int, Sendable, CaseIterable {
  /// The brows.
  case browInnerUp, browDownLeft, browDownRight, browOuterUpLeft, browOuterUpRight
  /// The lids.
  case eyeBlinkLeft, eyeBlinkRight, eyeSquintLeft, eyeSquintRight, eyeWideLeft, eyeWideRight
  /// The eyes up and down.
  case eyeLookUpLeft, eyeLookUpRight, eyeLookDownLeft, eyeLookDownRight
  /// The eyes to the nose and away from it.
  case eyeLookInLeft, eyeLookInRight, eyeLookOutLeft, eyeLookOutRight
  /// Cheeks and nose.
  case cheekPuff, cheekSquintLeft, cheekSquintRight, noseSneerLeft, noseSneerRight
  /// The jaw.
  case jawOpen, jawForward, jawLeft, jawRight
  /// The lips as a whole.
  case mouthClose, mouthFunnel, mouthPucker, mouthLeft, mouthRight
  /// The corners of the mouth up and down.
  case mouthSmileLeft, mouthSmileRight, mouthFrownLeft, mouthFrownRight
  /// The corners of the mouth in and out.
  case mouthDimpleLeft, mouthDimpleRight, mouthStretchLeft, mouthStretchRight
  /// The lips in and up.
  case mouthRollLower, mouthRollUpper, mouthShrugLower, mouthShrugUpper
  /// The lips together, and the lower one down.
  case mouthPressLeft, mouthPressRight, mouthLowerDownLeft, mouthLowerDownRight
  /// The upper lip up, and the tongue.
  case mouthUpperUpLeft, mouthUpperUpRight, tongueOut

  /// Name as written in puppets.
  public var name: StaticString {
    switch self {
    case .browInnerUp: "browInnerUp"
    case .browDownLeft: "browDownLeft"
    case .browDownRight: "browDownRight"
    case .browOuterUpLeft: "browOuterUpLeft"
    case .browOuterUpRight: "browOuterUpRight"
    case .eyeBlinkLeft: "eyeBlinkLeft"
    case .eyeBlinkRight: "eyeBlinkRight"
    case .eyeSquintLeft: "eyeSquintLeft"
    case .eyeSquintRight: "eyeSquintRight"
    case .eyeWideLeft: "eyeWideLeft"
    case .eyeWideRight: "eyeWideRight"
    case .eyeLookUpLeft: "eyeLookUpLeft"
    case .eyeLookUpRight: "eyeLookUpRight"
    case .eyeLookDownLeft: "eyeLookDownLeft"
    case .eyeLookDownRight: "eyeLookDownRight"
    case .eyeLookInLeft: "eyeLookInLeft"
    case .eyeLookInRight: "eyeLookInRight"
    case .eyeLookOutLeft: "eyeLookOutLeft"
    case .eyeLookOutRight: "eyeLookOutRight"
    case .cheekPuff: "cheekPuff"
    case .cheekSquintLeft: "cheekSquintLeft"
    case .cheekSquintRight: "cheekSquintRight"
    case .noseSneerLeft: "noseSneerLeft"
    case .noseSneerRight: "noseSneerRight"
    case .jawOpen: "jawOpen"
    case .jawForward: "jawForward"
    case .jawLeft: "jawLeft"
    case .jawRight: "jawRight"
    case .mouthClose: "mouthClose"
    case .mouthFunnel: "mouthFunnel"
    case .mouthPucker: "mouthPucker"
    case .mouthLeft: "mouthLeft"
    case .mouthRight: "mouthRight"
    case .mouthSmileLeft: "mouthSmileLeft"
    case .mouthSmileRight: "mouthSmileRight"
    case .mouthFrownLeft: "mouthFrownLeft"
    case .mouthFrownRight: "mouthFrownRight"
    case .mouthDimpleLeft: "mouthDimpleLeft"
    case .mouthDimpleRight: "mouthDimpleRight"
    case .mouthStretchLeft: "mouthStretchLeft"
    case .mouthStretchRight: "mouthStretchRight"
    case .mouthRollLower: "mouthRollLower"
    case .mouthRollUpper: "mouthRollUpper"
    case .mouthShrugLower: "mouthShrugLower"
    case .mouthShrugUpper: "mouthShrugUpper"
    case .mouthPressLeft: "mouthPressLeft"
    case .mouthPressRight: "mouthPressRight"
    case .mouthLowerDownLeft: "mouthLowerDownLeft"
    case .mouthLowerDownRight: "mouthLowerDownRight"
    case .mouthUpperUpLeft: "mouthUpperUpLeft"
    case .mouthUpperUpRight: "mouthUpperUpRight"
    case .tongueOut: "tongueOut"
    }
  }

  /// The morph with this name, or nil.
  public static func named(_ name: PuppetName) -> Morph? {
    var raw = 0
    while let morph = Morph(rawValue: raw) {
      if PuppetName(morph.name) == name { return morph }
      raw += 1
    }
    return nil
  }
}
