/// Values that a layer reads, aligned for vectors.
final class LayerInput {
  let count: Int
  let vectors: UnsafeMutablePointer<SIMD8<Float>>
  let values: UnsafeMutablePointer<Float>

  /// Zeros; `count` is a multiple of 8.
  init(count: Int) {
    self.count = count
    vectors = .allocate(capacity: count / 8)
    vectors.initialize(repeating: .zero, count: count / 8)
    values = UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: Float.self)
  }

  deinit { vectors.deallocate() }

  func clear() {
    for index in 0..<count { values[index] = 0 }
  }

  /// Moves everything towards the front by `step` values; the last ones keep their old content.
  func shift(by step: Int) {
    for index in 0..<max(0, count - step) { values[index] = values[index + step] }
  }
}

/// A matrix of small whole numbers, one factor and one bias a row.
///
/// The numbers are kept as the upper halves of floats, which hold them exactly: half the memory of floats, and
/// widened by a shift.
final class DenseLayer {
  let rows: Int
  let columns: Int
  private let weights: UnsafeMutablePointer<SIMD8<UInt16>>
  private let scale: UnsafeMutablePointer<Float>
  private let bias: UnsafeMutablePointer<Float>

  /// Takes row-major `values` (rows × columns), one factor and one bias a row; `columns` is a multiple of 8. Rows
  /// are filled up to a multiple of 4 with zeros.
  init(rows: Int, columns: Int, values: [Int8], scale factors: [Float], bias biases: [Float]) {
    self.rows = rows
    self.columns = columns
    let padded = (rows + 3) / 4 * 4
    weights = .allocate(capacity: padded * columns / 8)
    weights.initialize(repeating: .zero, count: padded * columns / 8)
    let flat = UnsafeMutableRawPointer(weights).assumingMemoryBound(to: UInt16.self)
    for index in 0..<min(values.count, rows * columns) {
      flat[index] = UInt16(truncatingIfNeeded: Float(values[index]).bitPattern >> 16)
    }
    scale = .allocate(capacity: padded)
    scale.initialize(repeating: 0, count: padded)
    for index in 0..<min(factors.count, rows) { scale[index] = factors[index] }
    bias = .allocate(capacity: padded)
    bias.initialize(repeating: 0, count: padded)
    for index in 0..<min(biases.count, rows) { bias[index] = biases[index] }
  }

  deinit {
    weights.deallocate()
    scale.deallocate()
    bias.deallocate()
  }

  @inline(__always)
  private static func widened(_ halves: SIMD8<UInt16>) -> SIMD8<Float> {
    unsafeBitCast(SIMD8<UInt32>(truncatingIfNeeded: halves) &<< 16, to: SIMD8<Float>.self)
  }

  /// Writes matrix × input + bias; `output` has room for `rows` rounded up to a multiple of 4.
  @inline(__always)
  func apply(_ input: LayerInput, to output: UnsafeMutablePointer<Float>) {
    let x = input.vectors
    let width = columns / 8
    var row = 0
    while row < rows {
      var a = SIMD8<Float>.zero
      var b = a
      var c = a
      var d = a
      let w0 = weights + row * width
      let w1 = w0 + width
      let w2 = w1 + width
      let w3 = w2 + width
      for k in 0..<width {
        let value = x[k]
        a += value * Self.widened(w0[k])
        b += value * Self.widened(w1[k])
        c += value * Self.widened(w2[k])
        d += value * Self.widened(w3[k])
      }
      output[row] = a.sum() * scale[row] + bias[row]
      output[row + 1] = b.sum() * scale[row + 1] + bias[row + 1]
      output[row + 2] = c.sum() * scale[row + 2] + bias[row + 2]
      output[row + 3] = d.sum() * scale[row + 3] + bias[row + 3]
      row += 4
    }
  }
}
