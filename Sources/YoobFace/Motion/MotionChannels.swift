/// The values that motion computes, one lane each.
typealias MotionChannels = SIMD32<Float>

/// Lanes of `MotionChannels`.
enum Channel {
  /// Radians.
  static let yaw = 0
  static let pitch = 1
  static let roll = 2
  /// Canvas units.
  static let shiftX = 3
  static let shiftY = 4
  /// -1...1 of the eyes' range, to the viewer's right and up, for a head that looks ahead.
  static let gazeX = 5
  static let gazeY = 6
  /// 0...1.
  static let browInnerUp = 7
  static let browOuterUp = 8
  static let browDown = 9
  static let eyeWide = 10
  static let eyeSquint = 11
  static let lidDown = 12
  static let smile = 13
  static let frown = 14
  static let press = 15
  static let cheekSquint = 16
  static let sneer = 17
  static let jawOpen = 18
  static let pucker = 19
  /// 1 while the voice sounds.
  static let speaking = 20
  /// How much of the sway, the wind and the glances is shown.
  static let liveliness = 21
  /// How much the sway grows with speech.
  static let energy = 22

  /// How fast each lane follows its target: natural frequency of a critically damped spring, 1/s.
  static let rates: MotionChannels = {
    var rates = MotionChannels(repeating: 12)
    for lane in [yaw, pitch, roll, shiftX, shiftY] { rates[lane] = 6 }
    for lane in [gazeX, gazeY] { rates[lane] = 70 }
    for lane in [smile, frown, cheekSquint, press, pucker] { rates[lane] = 9 }
    rates[speaking] = 18
    rates[liveliness] = 3
    rates[energy] = 5
    return rates
  }()
}
