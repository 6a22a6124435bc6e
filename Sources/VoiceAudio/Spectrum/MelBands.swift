/// Triangular filters of equal width on the mel scale.
enum MelBands {
  /// First bin, number of bins and weights (band after band) of each triangle over the bins of a power
  /// spectrum from 0 to half of `sampleRate`.
  static func triangles(
    count: Int, bins: Int, sampleRate: Double, low: Double, high: Double
  ) -> (first: [Int], count: [Int], weights: [Float]) {
    var first: [Int] = []
    var counts: [Int] = []
    var weights: [Float] = []
    let lowest = mel(low)
    let step = (mel(high) - lowest) / Double(count + 1)
    let scale = Double(bins - 1) / (sampleRate / 2)
    for band in 0..<count {
      let left = hertz(lowest + Double(band) * step) * scale
      let middle = hertz(lowest + Double(band + 1) * step) * scale
      let right = hertz(lowest + Double(band + 2) * step) * scale
      let start = Int(left.rounded(.down)) + 1
      var used = 0
      var bin = start
      while Double(bin) < right, bin < bins {
        let rise = (Double(bin) - left) / (middle - left)
        let fall = (right - Double(bin)) / (right - middle)
        weights.append(Float(max(0, min(rise, fall))))
        used += 1
        bin += 1
      }
      first.append(start)
      counts.append(used)
    }
    return (first, counts, weights)
  }

  private static func mel(_ hertz: Double) -> Double { 1127 * log(1 + hertz / 700) }

  private static func hertz(_ mel: Double) -> Double { 700 * (exp(mel / 1127) - 1) }

  /// Natural logarithm of a number from 1 on, by halving and the series of atanh, in plain arithmetic.
  static func log(_ x: Double) -> Double {
    var mantissa = x
    var exponent = 0.0
    while mantissa > 1.4142135623730951 {
      mantissa /= 2
      exponent += 1
    }
    let t = (mantissa - 1) / (mantissa + 1)
    var sum = 0.0
    var power = t
    var k = 1.0
    while k < 60 {
      sum += power / k
      power *= t * t
      k += 2
    }
    return 2 * sum + exponent * 0.6931471805599453
  }

  /// e to the power `x` for 0...8, in plain arithmetic.
  static func exp(_ x: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    var k = 1.0
    while k < 60 {
      term *= x / k
      sum += term
      k += 1
    }
    return sum
  }
}
