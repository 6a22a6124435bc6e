import Foundation

/// A loaded ONNX model. Runs may overlap.
public final class OrtSession: Sendable {
  private let runtime: OrtRuntime
  // onnxruntime allows concurrent runs of one session.
  nonisolated(unsafe) private let handle: OpaquePointer

  /// Loads a model.
  /// - Parameters:
  ///   - model: The bytes of an ONNX file.
  ///   - threads: Threads of one run; 1 runs on the calling thread alone.
  public init(model: Data, threads: Int = 1) throws(OnnxError) {
    let runtime = try OrtRuntime.shared()
    let table = runtime.table
    var options: OpaquePointer?
    try table.check(table.createSessionOptions(&options))
    guard let options else { throw .unavailable }
    defer { table.releaseSessionOptions(options) }
    try table.check(table.setIntraOpThreads(options, Int32(clamping: max(1, threads))))
    try table.check(table.setInterOpThreads(options, 1))
    try table.check(table.setLogSeverity(options, 3))
    // Inputs change length at every call: an arena would keep the largest sizes for ever.
    try table.check(table.disableArena(options))
    try table.check(table.disableMemoryPattern(options))
    var session: OpaquePointer?
    let status = model.withUnsafeBytes {
      table.createSessionFromArray(runtime.environment, $0.baseAddress, $0.count, options, &session)
    }
    try table.check(status)
    guard let session else { throw .unavailable }
    self.runtime = runtime
    handle = session
  }

  deinit { runtime.table.releaseSession(handle) }

  /// Runs the model and returns the outputs in the order asked for.
  public func run(_ inputs: [(name: String, tensor: OnnxTensor)], outputs: [String]) throws(OnnxError)
    -> OnnxOutputs
  {
    let table = runtime.table
    var values: [OpaquePointer?] = []
    var storage: [UnsafeMutableRawPointer] = []
    var names: [UnsafeMutablePointer<CChar>?] = []
    defer {
      for value in values { table.releaseValue(value) }
      for block in storage { block.deallocate() }
      for name in names { free(name) }
    }
    for input in inputs {
      names.append(strdup(input.name))
      let (block, bytes, shape, type) = try copy(input.tensor, name: input.name)
      storage.append(block)
      var value: OpaquePointer?
      try table.check(
        table.createTensor(runtime.memory, block, bytes, shape, shape.count, type, &value))
      values.append(value)
    }
    for output in outputs { names.append(strdup(output)) }
    let inputNames = names.prefix(inputs.count).map { UnsafePointer($0) }
    let outputNames = names.dropFirst(inputs.count).map { UnsafePointer($0) }
    var results = [OpaquePointer?](repeating: nil, count: outputs.count)
    let status = table.run(
      handle, nil, inputNames, values, inputs.count, outputNames, outputs.count, &results)
    let owned = results.compactMap { $0 }
    do {
      try table.check(status)
    } catch {
      for value in owned { table.releaseValue(value) }
      throw error
    }
    return OnnxOutputs(table: table, values: owned)
  }

  private func copy(_ tensor: OnnxTensor, name: String) throws(OnnxError)
    -> (UnsafeMutableRawPointer, bytes: Int, shape: [Int64], type: Int32)
  {
    func block<T>(_ values: [T], _ shape: [Int]) throws(OnnxError) -> UnsafeMutableRawPointer {
      guard shape.allSatisfy({ $0 >= 0 }), shape.reduce(1, *) == values.count else {
        throw OnnxError(code: 2, message: "Input \(name) has \(values.count) values for shape \(shape).")
      }
      let bytes = values.count * MemoryLayout<T>.stride
      let memory = UnsafeMutableRawPointer.allocate(byteCount: max(bytes, 64), alignment: 64)
      values.withUnsafeBytes { source in
        if let base = source.baseAddress { memory.copyMemory(from: base, byteCount: bytes) }
      }
      return memory
    }
    switch tensor {
    case .float(let values, let shape):
      return (try block(values, shape), values.count * 4, shape.map { Int64($0) }, 1)
    case .int64(let values, let shape):
      return (try block(values, shape), values.count * 8, shape.map { Int64($0) }, 7)
    }
  }
}
