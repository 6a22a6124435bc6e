/// Fourier transform of real frames whose length is a power of two.
///
/// Holds its tables and scratch memory: one transform allocates nothing. Results are the same bits on
/// every platform.
public final class FFT {
  /// Samples of a frame: a power of two, 4...65,536.
  public let size: Int

  private let half: Int
  /// Cosine and minus sine of 2π k / size, k below size / 2.
  private var cosines: [Float]
  private var sines: [Float]
  private var order: [Int32]
  private var real: [Float]
  private var imaginary: [Float]

  /// A transform of the smallest allowed length that is at least `size`.
  public init(size: Int) {
    var length = 4
    while length < size, length < 65_536 { length *= 2 }
    self.size = length
    half = length / 2
    cosines = []
    sines = []
    for k in 0..<half {
      let (s, c) = PureMath.sinCos(turns: Double(k) / Double(length))
      cosines.append(Float(c))
      sines.append(Float(-s))
    }
    order = [Int32](repeating: 0, count: half)
    var bits = 0
    while 1 << bits < half { bits += 1 }
    for index in 0..<half {
      var reversed = 0
      for bit in 0..<bits where index & (1 << bit) != 0 { reversed |= 1 << (bits - 1 - bit) }
      order[index] = Int32(reversed)
    }
    real = [Float](repeating: 0, count: half)
    imaginary = real
  }

  /// Writes the power |X|² of bins 0...size/2 of `frame` (size samples) to `power` (size/2 + 1 values).
  /// Buffers that are too short leave `power` untouched.
  public func power(of frame: UnsafeBufferPointer<Float>, into power: UnsafeMutableBufferPointer<Float>) {
    guard frame.count >= size, power.count > half else { return }
    // Even samples form the real part and odd ones the imaginary part of a transform of half the length.
    real.withUnsafeMutableBufferPointer { re in
      imaginary.withUnsafeMutableBufferPointer { im in
        order.withUnsafeBufferPointer { order in
          for index in 0..<half {
            let from = Int(order[index])
            re[index] = frame[2 * from]
            im[index] = frame[2 * from + 1]
          }
        }
        cosines.withUnsafeBufferPointer { cosines in
          sines.withUnsafeBufferPointer { sines in
            FFT.transform(re, im, cosines, sines)
            HalfTransform.power(UnsafeBufferPointer(re), UnsafeBufferPointer(im), cosines, sines, into: power)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func transform(
    _ re: UnsafeMutableBufferPointer<Float>, _ im: UnsafeMutableBufferPointer<Float>,
    _ cosines: UnsafeBufferPointer<Float>, _ sines: UnsafeBufferPointer<Float>
  ) {
    let count = re.count
    for index in stride(from: 0, to: count, by: 2) {
      let (x, y) = (re[index + 1], im[index + 1])
      re[index + 1] = re[index] - x
      im[index + 1] = im[index] - y
      re[index] += x
      im[index] += y
    }
    var length = 4
    while length <= count {
      let reach = length / 2
      let stride = 2 * count / length
      var base = 0
      while base < count {
        var turn = 0
        for index in base..<(base + reach) {
          let other = index + reach
          let x = re[other] * cosines[turn] - im[other] * sines[turn]
          let y = re[other] * sines[turn] + im[other] * cosines[turn]
          re[other] = re[index] - x
          im[other] = im[index] - y
          re[index] += x
          im[index] += y
          turn += stride
        }
        base += length
      }
      length *= 2
    }
  }
}
