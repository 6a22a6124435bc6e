import VoiceAudio

/// The way of the loudspeaker's sound to the microphone of a `VirtualRoom`.
public struct RoomEcho: Sendable, Equatable {
  /// No sound reaches the microphone: a headphone.
  public static let none = RoomEcho(delay: 0, gain: 0, tail: 0)

  /// Seconds to the first echo, 0...1.
  public var delay: Double
  /// Level at the microphone as a factor of the loudspeaker's, reflections included.
  public var gain: Float
  /// Seconds for which reflections follow, 0...1; 0 has the direct sound alone.
  public var tail: Double

  /// An echo; what is out of range is brought inside.
  public init(delay: Double, gain: Float, tail: Double = 0.2) {
    self.delay = min(1, max(0, delay))
    self.gain = gain
    self.tail = min(1, max(0, tail))
  }

  /// Samples at 16 kHz after which a sound is over.
  var length: Int { Int((delay + tail) * 16_000) + 1 }

  /// The impulse response: the direct sound and 47 reflections that fade by 60 dB in `tail`, their
  /// energies together `gain` squared.
  func taps(seed: UInt64) -> [(offset: Int, gain: Float)] {
    guard gain != 0 else { return [] }
    let first = Int((delay * 16_000).rounded())
    guard tail > 0 else { return [(first, gain)] }
    var random = SplitMix64(seed: seed)
    let span = max(1, Int(tail * 16_000))
    var taps: [(offset: Int, gain: Float)] = [(0, 1.7)]
    for _ in 0..<47 {
      let offset = Int(random.next() % UInt64(span))
      let sign: Float = random.next() & 1 == 0 ? 1 : -1
      taps.append((offset, sign * RoomEcho.decay(Float(offset) / Float(span))))
    }
    let energy = taps.reduce(Float(0)) { $0 + $1.gain * $1.gain }.squareRoot()
    return taps.map { (first + $0.offset, $0.gain * gain / energy) }
  }

  /// 10 to the power of -3 · `share`, without a library: (10^(-3/64)) by squaring.
  private static func decay(_ share: Float) -> Float {
    var value: Float = 1
    for _ in 0..<Int(share * 64) { value *= 0.897_687_1 }
    return value
  }
}
