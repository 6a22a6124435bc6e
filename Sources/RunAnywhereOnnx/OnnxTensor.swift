/// An input of a model.
package enum OnnxTensor: Sendable {
  /// 32-bit floats, as many as the product of `shape`.
  case float([Float], shape: [Int])
  /// 64-bit integers, as many as the product of `shape`.
  case int64([Int64], shape: [Int])
  /// An output of an earlier run, as it is.
  case output(OnnxOutputs, index: Int)

  /// A one-dimensional tensor.
  package static func vector(_ values: [Float]) -> OnnxTensor { .float(values, shape: [values.count]) }
}

/// The tensors that a run gave, alive as long as this object.
package final class OnnxOutputs: Sendable {
  private let table: OrtTable
  // Nobody writes to a tensor that a run gave.
  nonisolated(unsafe) private let values: [OpaquePointer]

  init(table: OrtTable, values: [OpaquePointer]) {
    self.table = table
    self.values = values
  }

  deinit {
    for value in values { table.releaseValue(value) }
  }

  /// Shape of output `index`.
  package func shape(_ index: Int) throws(OnnxError) -> [Int] {
    try describe(index).shape
  }

  /// Copies output `index`, a tensor of 32-bit floats.
  package func floats(_ index: Int) throws(OnnxError) -> [Float] { Array(try borrow(index, elementType: 1)) }

  /// Copies output `index`, a tensor of 64-bit integers.
  package func int64s(_ index: Int) throws(OnnxError) -> [Int64] { Array(try borrow(index, elementType: 7)) }

  /// Lends the memory of output `index`, a tensor of 32-bit floats, to `body`.
  package func withFloats<R>(
    _ index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> R
  ) throws -> R {
    let buffer: UnsafeBufferPointer<Float> = try borrow(index, elementType: 1)
    return try withExtendedLifetime(self) { try body(buffer) }
  }

  private func borrow<T>(_ index: Int, elementType: Int32) throws(OnnxError) -> UnsafeBufferPointer<T> {
    let (shape, type) = try describe(index)
    guard type == elementType else {
      throw OnnxError(code: 2, message: "Output \(index) has element type \(type), not \(elementType).")
    }
    var data: UnsafeMutableRawPointer?
    try table.check(table.tensorData(values[index], &data))
    let count = shape.reduce(1, *)
    return UnsafeBufferPointer(start: data?.assumingMemoryBound(to: T.self), count: data == nil ? 0 : count)
  }

  var count: Int { values.count }

  func value(_ index: Int) throws(OnnxError) -> OpaquePointer {
    guard values.indices.contains(index) else {
      throw OnnxError(code: 2, message: "There is no output \(index).")
    }
    return values[index]
  }

  private func describe(_ index: Int) throws(OnnxError) -> (shape: [Int], type: Int32) {
    var info: OpaquePointer?
    try table.check(table.tensorInfo(try value(index), &info))
    guard let info else { throw .unavailable }
    defer { table.releaseTensorInfo(info) }
    var type: Int32 = 0
    try table.check(table.elementType(info, &type))
    var count = 0
    try table.check(table.dimensionCount(info, &count))
    var dimensions = [Int64](repeating: 0, count: count)
    try table.check(table.dimensions(info, &dimensions, count))
    return (dimensions.map { max(0, Int($0)) }, type)
  }
}
