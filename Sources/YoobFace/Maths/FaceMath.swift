#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Mathematics in plain Swift, so that native and WebAssembly builds agree in every bit.
enum FaceMath {
  /// Largest whole number that is not above `x`, for values within 62 bits.
  @inline(__always)
  static func floor(_ x: Double) -> Double {
    let whole = Double(Int64(x))
    return whole > x ? whole - 1 : whole
  }

  /// Largest whole number that is not above `x`, for values within 31 bits.
  @inline(__always)
  static func floor(_ x: Float) -> Int {
    let whole = Int(x)
    return Float(whole) > x ? whole - 1 : whole
  }

  /// Sine of a number of turns (1 is a full circle); error below 1e-6.
  static func sin(turns: Double) -> Float {
    var r = Float(turns - floor(turns))
    // Fold 0...1 to a quarter turn around zero.
    if r > 0.75 { r -= 1 } else if r > 0.25 { r = 0.5 - r }
    return sine(r * 6.283185307179586)
  }

  /// Sine and cosine of an angle in radians within ±6.
  static func sincos(_ angle: Float) -> (sin: Float, cos: Float) {
    let turns = Double(angle) * 0.15915494309189535
    return (sin(turns: turns), sin(turns: turns + 0.25))
  }

  /// Sine for angles within ±1.6 radians.
  @inline(__always)
  private static func sine(_ x: Float) -> Float {
    let q = x * x
    var p: Float = -2.5052108e-8
    p = p * q + 2.7557319e-6
    p = p * q - 1.9841270e-4
    p = p * q + 8.3333333e-3
    p = p * q - 1.6666667e-1
    return x + x * q * p
  }

  /// Clamps to 0...1.
  @inline(__always)
  static func unit(_ x: Float) -> Float { x < 0 ? 0 : (x > 1 ? 1 : x) }

  /// Clamps to `-limit...limit`.
  @inline(__always)
  static func clamp(_ x: Float, _ limit: Float) -> Float { x < -limit ? -limit : (x > limit ? limit : x) }

  /// Smooth step from 0 to 1 while `x` goes from 0 to 1.
  @inline(__always)
  static func smooth(_ x: Float) -> Float {
    let t = unit(x)
    return t * t * (3 - 2 * t)
  }

  /// Bends `x` towards ±`limit` without a corner.
  @inline(__always)
  static func soft(_ x: Float, limit: Float) -> Float {
    guard limit > 0 else { return 0 }
    let r = x / limit
    return x / (1 + r * r).squareRoot()
  }
}
