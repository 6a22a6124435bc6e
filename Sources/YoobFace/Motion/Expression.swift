/// What an emotion adds to the face at full intensity.
enum Expression {
  static func target(_ emotion: FaceEmotion) -> MotionChannels {
    var c = MotionChannels(repeating: 0)
    switch emotion {
    case .neutral: break
    case .happy:
      c[Channel.smile] = 0.75
      c[Channel.cheekSquint] = 0.45
      c[Channel.eyeSquint] = 0.3
      c[Channel.browOuterUp] = 0.15
      c[Channel.browInnerUp] = 0.12
      c[Channel.pitch] = 0.012
    case .sad:
      c[Channel.browInnerUp] = 1
      c[Channel.frown] = 0.95
      c[Channel.lidDown] = 0.25
      c[Channel.pitch] = -0.045
      c[Channel.roll] = 0.02
    case .angry:
      c[Channel.browDown] = 1
      c[Channel.sneer] = 0.5
      c[Channel.eyeSquint] = 0.4
      c[Channel.lidDown] = 0.14
      c[Channel.frown] = 0.75
      c[Channel.press] = 0.25
      c[Channel.pitch] = -0.03
    case .surprised:
      c[Channel.browInnerUp] = 0.8
      c[Channel.browOuterUp] = 0.85
      c[Channel.eyeWide] = 0.8
      c[Channel.jawOpen] = 0.28
      c[Channel.pucker] = 0.4
      c[Channel.pitch] = 0.025
    case .thinking:
      c[Channel.browInnerUp] = 0.2
      c[Channel.browDown] = 0.4
      c[Channel.press] = 0.2
      c[Channel.frown] = 0.3
      c[Channel.eyeSquint] = 0.25
      c[Channel.roll] = -0.03
    }
    return c
  }

  /// Lanes that move the mouth; while the voice sounds only this part of them stays.
  static let mouthShare: MotionChannels = {
    var share = MotionChannels(repeating: 1)
    share[Channel.smile] = 0.4
    share[Channel.frown] = 0.3
    share[Channel.press] = 0
    share[Channel.jawOpen] = 0
    share[Channel.pucker] = 0
    return share
  }()
}
