/// Loudness of a run of samples.
public struct Level: Sendable, Equatable {
  /// Root of the mean square, 0...1 for samples in range.
  public let rms: Float
  /// Largest magnitude.
  public let peak: Float

  /// The value that `dBFS(_:)` gives for silence.
  public static let floor: Float = -120

  /// Measures `samples`; an empty run is silent and NaN samples count as zero.
  public init(_ samples: UnsafeBufferPointer<Float>) {
    var sum = 0.0
    var largest: Float = 0
    for sample in samples where !sample.isNaN {
      sum += Double(sample) * Double(sample)
      largest = max(largest, abs(sample))
    }
    rms = samples.isEmpty ? 0 : Float((sum / Double(samples.count)).squareRoot())
    peak = largest
  }

  /// Measures `samples`; an empty run is silent and NaN samples count as zero.
  public init(_ samples: [Float]) {
    self = samples.withUnsafeBufferPointer { Level($0) }
  }

  /// The root mean square in decibels below full scale (a full-scale square wave is 0), at least
  /// `floor`.
  public var dBFS: Float { Level.dBFS(rms) }

  /// Decibels of an amplitude below full scale, at least `floor`.
  public static func dBFS(_ amplitude: Float) -> Float {
    guard amplitude > 1e-6 else { return floor }
    return max(floor, 8.685_889_6 * PureMath.log(amplitude))
  }
}
