/// Fourier transform of real frames whose length is 2 · 8 · n, such as 400 = 2 · 8 · 25.
///
/// Holds its tables and scratch memory: one transform allocates nothing.
final class EvenDFT {
  /// Samples of a frame.
  let size: Int

  private static let columns = 8
  private let half: Int
  private let rows: Int
  /// Cosine and minus sine of 2π k / size, k below size.
  private var cosines: [Float] = []
  private var sines: [Float] = []
  private var real: [Float]
  private var imaginary: [Float]
  private var columnReal: [Float]
  private var columnImaginary: [Float]

  /// A transform of `16 * rows` samples.
  init(rows: Int) {
    self.rows = max(1, rows)
    half = Self.columns * self.rows
    size = 2 * half
    for k in 0..<size {
      let (s, c) = PureMath.sinCos(turns: Double(k) / Double(size))
      cosines.append(Float(c))
      sines.append(Float(-s))
    }
    real = [Float](repeating: 0, count: half)
    imaginary = real
    columnReal = real
    columnImaginary = real
  }

  /// Writes the power |X|² of bins 0...size/2 of `frame` (size samples) to `power` (size/2 + 1 values).
  /// Buffers that are too short leave `power` untouched.
  func power(of frame: UnsafeBufferPointer<Float>, into power: UnsafeMutableBufferPointer<Float>) {
    guard frame.count >= size, power.count > half else { return }
    cosines.withUnsafeBufferPointer { c in
      sines.withUnsafeBufferPointer { s in
        real.withUnsafeMutableBufferPointer { re in
          imaginary.withUnsafeMutableBufferPointer { im in
            columnReal.withUnsafeMutableBufferPointer { xr in
              columnImaginary.withUnsafeMutableBufferPointer { xi in
                transformColumns(frame, c, s, xr, xi)
              }
            }
            columnReal.withUnsafeBufferPointer { xr in
              columnImaginary.withUnsafeBufferPointer { xi in transformRows(xr, xi, c, s, re, im) }
            }
            HalfTransform.power(UnsafeBufferPointer(re), UnsafeBufferPointer(im), c, s, into: power)
          }
        }
      }
    }
  }

  // Even samples form the real part and odd ones the imaginary part of a transform of half the
  // length, z[columns · r + q]; its bin is k = rows · u + v.

  /// For each of the columns q: the transform over r, turned by q v / half.
  private func transformColumns(
    _ frame: UnsafeBufferPointer<Float>, _ c: UnsafeBufferPointer<Float>,
    _ s: UnsafeBufferPointer<Float>, _ xr: UnsafeMutableBufferPointer<Float>,
    _ xi: UnsafeMutableBufferPointer<Float>
  ) {
    let rowTurn = size / rows
    for q in 0..<Self.columns {
      for v in 0..<rows {
        var sumRe: Float = 0
        var sumIm: Float = 0
        var turn = 0
        var index = 2 * q
        for _ in 0..<rows {
          sumRe += frame[index] * c[turn] - frame[index + 1] * s[turn]
          sumIm += frame[index] * s[turn] + frame[index + 1] * c[turn]
          index += 2 * Self.columns
          turn += rowTurn * v
          if turn >= size { turn -= size }
        }
        let twist = 2 * q * v % size
        xr[q * rows + v] = sumRe * c[twist] - sumIm * s[twist]
        xi[q * rows + v] = sumRe * s[twist] + sumIm * c[twist]
      }
    }
  }

  /// For each v: the transform over the columns.
  private func transformRows(
    _ xr: UnsafeBufferPointer<Float>, _ xi: UnsafeBufferPointer<Float>,
    _ c: UnsafeBufferPointer<Float>, _ s: UnsafeBufferPointer<Float>,
    _ re: UnsafeMutableBufferPointer<Float>, _ im: UnsafeMutableBufferPointer<Float>
  ) {
    let columnTurn = size / Self.columns
    for u in 0..<Self.columns {
      for v in 0..<rows {
        var sumRe: Float = 0
        var sumIm: Float = 0
        for q in 0..<Self.columns {
          let turn = q * u * columnTurn % size
          sumRe += xr[q * rows + v] * c[turn] - xi[q * rows + v] * s[turn]
          sumIm += xr[q * rows + v] * s[turn] + xi[q * rows + v] * c[turn]
        }
        re[u * rows + v] = sumRe
        im[u * rows + v] = sumIm
      }
    }
  }
}
