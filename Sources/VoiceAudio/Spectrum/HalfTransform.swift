/// The spectrum of a real frame whose even samples were transformed as real and odd ones as imaginary parts.
enum HalfTransform {
  /// Writes the power of bins 0...n to `power`, n being the length of that transform. `cosines` and `sines` hold
  /// cosine and minus sine of 2π k / 2n.
  @inline(__always)
  static func power(
    _ re: UnsafeBufferPointer<Float>, _ im: UnsafeBufferPointer<Float>,
    _ cosines: UnsafeBufferPointer<Float>, _ sines: UnsafeBufferPointer<Float>,
    into power: UnsafeMutableBufferPointer<Float>
  ) {
    let half = re.count
    let first = re[0] + im[0]
    let last = re[0] - im[0]
    power[0] = first * first
    power[half] = last * last
    for k in 1..<half {
      let m = half - k
      let evenRe = 0.5 * (re[k] + re[m])
      let evenIm = 0.5 * (im[k] - im[m])
      let oddRe = 0.5 * (im[k] + im[m])
      let oddIm = 0.5 * (re[m] - re[k])
      let x = evenRe + oddRe * cosines[k] - oddIm * sines[k]
      let y = evenIm + oddRe * sines[k] + oddIm * cosines[k]
      power[k] = x * x + y * y
    }
  }
}
