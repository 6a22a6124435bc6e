extension FaceMotion {
  /// Writes channels, blink and breath into a pose, the mouth's own morphs apart.
  static func write(_ c: MotionChannels, blink: SIMD2<Float>, breath: Float, to pose: inout Pose) {
    writeHead(c, to: &pose.head)
    pose.breath = breath

    // The eyes hold their target while the head moves: a full eye movement is about 0.5 radians.
    let x = FaceMath.clamp(c[Channel.gazeX] - 2 * pose.head.yaw, 1)
    let y = FaceMath.clamp(c[Channel.gazeY] - 2 * pose.head.pitch, 1)
    let right = max(0, x)
    let left = max(0, -x)
    pose.morphs[.eyeLookOutLeft] = right
    pose.morphs[.eyeLookInRight] = right
    pose.morphs[.eyeLookInLeft] = left
    pose.morphs[.eyeLookOutRight] = left
    pose.morphs.add(.eyeLookUpLeft, .eyeLookUpRight, max(0, y))
    pose.morphs.add(.eyeLookDownLeft, .eyeLookDownRight, max(0, -y))

    let lids = c[Channel.lidDown]
    pose.morphs[.eyeBlinkLeft] = lids + (1 - lids) * blink.x
    pose.morphs[.eyeBlinkRight] = lids + (1 - lids) * blink.y
    let open = 1 - max(blink.x, blink.y)
    pose.morphs.add(.eyeWideLeft, .eyeWideRight, c[Channel.eyeWide] * open)
    pose.morphs.add(.eyeSquintLeft, .eyeSquintRight, c[Channel.eyeSquint] * open)
    pose.morphs[.browInnerUp] = c[Channel.browInnerUp]
    pose.morphs.add(.browOuterUpLeft, .browOuterUpRight, c[Channel.browOuterUp])
    pose.morphs.add(.browDownLeft, .browDownRight, c[Channel.browDown])
    pose.morphs.add(.cheekSquintLeft, .cheekSquintRight, c[Channel.cheekSquint])
    pose.morphs.add(.noseSneerLeft, .noseSneerRight, c[Channel.sneer])
    pose.morphs.add(.mouthSmileLeft, .mouthSmileRight, c[Channel.smile])
    pose.morphs.add(.mouthFrownLeft, .mouthFrownRight, c[Channel.frown])
    pose.morphs.add(.mouthPressLeft, .mouthPressRight, c[Channel.press])
    pose.morphs[.mouthPucker] += c[Channel.pucker]
    pose.morphs[.jawOpen] += c[Channel.jawOpen]
  }

  /// Writes the channels that move the head.
  static func writeHead(_ c: MotionChannels, to head: inout HeadPose) {
    head.yaw = FaceMath.soft(c[Channel.yaw], limit: 0.6)
    head.pitch = FaceMath.soft(c[Channel.pitch], limit: 0.5)
    head.roll = FaceMath.soft(c[Channel.roll], limit: 0.5)
    head.shift = SIMD2(c[Channel.shiftX], c[Channel.shiftY])
  }
}
