/// Values that a layer reads, aligned for vectors.
final class LayerInput {
  let count: Int
  let vectors: UnsafeMutablePointer<SIMD8<Float>>
  let values: UnsafeMutablePointer<Float>

  /// Zeros, and zeros after them up to a multiple of 16.
  init(count: Int) {
    self.count = count
    let vectorCount = (count + 15) / 16 * 2
    vectors = .allocate(capacity: vectorCount)
    vectors.initialize(repeating: .zero, count: vectorCount)
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
/// The numbers are kept as the upper halves of floats, which hold them exactly, two in a word: half the memory of
/// floats, and widened by a mask and a shift.
final class DenseLayer {
  let rows: Int
  let columns: Int
  /// Of 16 columns, lane k holds column k in its upper half and column k + 8 in its lower one.
  private let weights: UnsafeMutablePointer<SIMD8<UInt32>>
  private let width: Int
  private let scale: UnsafeMutablePointer<Float>
  private let bias: UnsafeMutablePointer<Float>

  /// Takes row-major `values` (rows × columns), one factor and one bias a row. Rows are filled up to a multiple of
  /// 4, columns to one of 16 with zeros.
  init(rows: Int, columns: Int, values: [Int8], scale factors: [Float], bias biases: [Float]) {
    self.rows = rows
    self.columns = columns
    let padded = (rows + 3) / 4 * 4
    width = (columns + 15) / 16
    weights = .allocate(capacity: padded * width)
    weights.initialize(repeating: .zero, count: padded * width)
    for index in 0..<min(values.count, rows * columns) {
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      let half = Float(values[index]).bitPattern
      weights[row * width + column / 16][column % 8] |= column % 16 < 8 ? half : half >> 16
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
  private static func upper(_ words: SIMD8<UInt32>) -> SIMD8<Float> {
    unsafeBitCast(words & SIMD8(repeating: 0xFFFF_0000), to: SIMD8<Float>.self)
  }

  @inline(__always)
  private static func lower(_ words: SIMD8<UInt32>) -> SIMD8<Float> {
    unsafeBitCast(words &<< 16, to: SIMD8<Float>.self)
  }

  /// Writes matrix × input + bias; `output` has room for `rows` rounded up to a multiple of 4.
  @inline(__always)
  func apply(_ input: LayerInput, to output: UnsafeMutablePointer<Float>) {
    let x = input.vectors
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
        let first = x[2 * k]
        let second = x[2 * k + 1]
        a += first * Self.upper(w0[k])
        b += first * Self.upper(w1[k])
        c += first * Self.upper(w2[k])
        d += first * Self.upper(w3[k])
        a += second * Self.lower(w0[k])
        b += second * Self.lower(w1[k])
        c += second * Self.lower(w2[k])
        d += second * Self.lower(w3[k])
      }
      output[row] = a.sum() * scale[row] + bias[row]
      output[row + 1] = b.sum() * scale[row + 1] + bias[row + 1]
      output[row + 2] = c.sum() * scale[row + 2] + bias[row + 2]
      output[row + 3] = d.sum() * scale[row + 3] + bias[row + 3]
      row += 4
    }
  }
}
