#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Elementary functions in plain arithmetic, so that every platform computes the same bits.
///
/// No call reaches the system's math library: native and WebAssembly builds agree exactly.
public enum PureMath {
  /// e to the power `x`; the argument is clamped to -87...88. Relative error below 3e-7.
  @inline(__always)
  public static func exp(_ x: Float) -> Float {
    let clamped = max(-87, min(88, x))
    let scaled = clamped * 1.442695040888963
    let whole = scaled.rounded(.toNearestOrEven)
    let rest = (scaled - whole) * 0.693147180559945
    var series: Float = 1.0 / 720
    series = series * rest + 1.0 / 120
    series = series * rest + 1.0 / 24
    series = series * rest + 1.0 / 6
    series = series * rest + 0.5
    series = series * rest + 1
    series = series * rest + 1
    let power = UInt32(bitPattern: Int32(whole) &+ 127) << 23
    return series * Float(bitPattern: power)
  }

  /// Natural logarithm of a positive normal number; other arguments give a meaningless finite value.
  /// Absolute error below 2e-6.
  @inline(__always)
  public static func log(_ x: Float) -> Float {
    var bits = x.bitPattern
    var exponent = Int32(bitPattern: bits >> 23) &- 127
    bits = (bits & 0x007f_ffff) | 0x3f80_0000
    var mantissa = Float(bitPattern: bits)
    if mantissa > 1.414_213_5 {
      mantissa *= 0.5
      exponent &+= 1
    }
    let t = (mantissa - 1) / (mantissa + 1)
    let square = t * t
    var series: Float = 2.0 / 9
    series = series * square + 2.0 / 7
    series = series * square + 2.0 / 5
    series = series * square + 2.0 / 3
    series = series * square + 2
    return Float(exponent) * 0.693147180559945 + series * t
  }

  /// Hyperbolic tangent.
  @inline(__always)
  public static func tanh(_ x: Float) -> Float {
    let power = exp(2 * max(-9, min(9, x)))
    return (power - 1) / (power + 1)
  }

  /// The logistic function, 1 / (1 + e^-x).
  @inline(__always)
  public static func sigmoid(_ x: Float) -> Float {
    1 / (1 + exp(-x))
  }

  /// Sine and cosine of an angle in turns (1 is a full circle), reduced exactly by quadrant.
  public static func sinCos(turns: Double) -> (sin: Double, cos: Double) {
    let quarters = (turns - turns.rounded(.down)) * 4
    let nearest = (quarters + 0.5).rounded(.down)
    let angle = (quarters - nearest) * 1.5707963267948966
    let square = angle * angle
    var s = -1.0 / 39_916_800 + square / 6_227_020_800
    s = 1.0 / 362_880 + square * s
    s = -1.0 / 5_040 + square * s
    s = 1.0 / 120 + square * s
    s = -1.0 / 6 + square * s
    let sine = angle * (1 + square * s)
    var c = 1.0 / 479_001_600 - square / 87_178_291_200
    c = -1.0 / 3_628_800 + square * c
    c = 1.0 / 40_320 + square * c
    c = -1.0 / 720 + square * c
    c = 1.0 / 24 + square * c
    c = -0.5 + square * c
    let cosine = 1 + square * c
    switch Int(nearest) & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// Sine of an angle in radians; accurate for angles of ordinary size (below a million).
  public static func sin(_ x: Double) -> Double {
    sinCos(turns: x * 0.15915494309189535).sin
  }

  /// Cosine of an angle in radians; accurate for angles of ordinary size (below a million).
  public static func cos(_ x: Double) -> Double {
    sinCos(turns: x * 0.15915494309189535).cos
  }

  /// Modified Bessel function of the first kind and order zero, as the Kaiser window needs it.
  public static func besselI0(_ x: Double) -> Double {
    let quarter = x * x / 4
    var sum = 1.0
    var term = 1.0
    var k = 1.0
    while k < 200 {
      term *= quarter / (k * k)
      sum += term
      if term < sum * 1e-17 { break }
      k += 1
    }
    return sum
  }
}
