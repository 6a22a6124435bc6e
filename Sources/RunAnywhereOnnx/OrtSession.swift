import Foundation

/// A loaded ONNX model. Runs may overlap.
package final class OrtSession: Sendable {
  private let runtime: OrtRuntime
  // onnxruntime allows concurrent runs of one session.
  nonisolated(unsafe) private let handle: OpaquePointer

  /// How a model is run.
  package struct Options: Sendable {
    /// Threads of one run; 1 runs on the calling thread alone.
    package var threads = 1
    /// Whether the memory of one run is kept for the next, which is quicker and fits models whose inputs
    /// always have the same shape: otherwise the largest sizes would be kept for ever.
    package var keepsMemory = false

    /// So many threads, and whether memory is kept between runs.
    package init(threads: Int = 1, keepsMemory: Bool = false) {
      self.threads = threads
      self.keepsMemory = keepsMemory
    }
  }

  /// Loads a model from the bytes of an ONNX file.
  package convenience init(model: Data, _ options: Options = Options()) throws(OnnxError) {
    try self.init(options) { runtime, handle, session in
      model.withUnsafeBytes {
        runtime.table.createSessionFromArray(runtime.environment, $0.baseAddress, $0.count, handle, session)
      }
    }
  }

  /// Loads a model from a file.
  package convenience init(contentsOf url: URL, _ options: Options = Options()) throws(OnnxError) {
    try self.init(options) { runtime, handle, session in
      runtime.table.createSession(runtime.environment, url.path, handle, session)
    }
  }

  private init(
    _ options: Options, load: (OrtRuntime, OpaquePointer, OrtTable.Out) -> OrtTable.Handle?
  ) throws(OnnxError) {
    let runtime = try OrtRuntime.shared()
    let table = runtime.table
    var handle: OpaquePointer?
    try table.check(table.createSessionOptions(&handle))
    guard let handle else { throw .unavailable }
    defer { table.releaseSessionOptions(handle) }
    try table.check(table.setIntraOpThreads(handle, Int32(clamping: max(1, options.threads))))
    try table.check(table.setInterOpThreads(handle, 1))
    try table.check(table.setLogSeverity(handle, 3))
    if !options.keepsMemory {
      try table.check(table.disableArena(handle))
      try table.check(table.disableMemoryPattern(handle))
    }
    var session: OpaquePointer?
    try table.check(load(runtime, handle, &session))
    guard let session else { throw .unavailable }
    self.runtime = runtime
    self.handle = session
  }

  deinit { runtime.table.releaseSession(handle) }

  /// Runs the model and returns the outputs in the order asked for.
  package func run(_ inputs: [(name: String, tensor: OnnxTensor)], outputs: [String]) throws(OnnxError)
    -> OnnxOutputs
  {
    let table = runtime.table
    var values: [OpaquePointer?] = []
    var owned: [OpaquePointer?] = []
    var storage: [UnsafeMutableRawPointer] = []
    var names: [UnsafeMutablePointer<CChar>?] = []
    defer {
      for value in owned { table.releaseValue(value) }
      for block in storage { block.deallocate() }
      for name in names { free(name) }
    }
    for input in inputs {
      names.append(strdup(input.name))
      if case .output(let outputs, let index) = input.tensor {
        values.append(try outputs.value(index))
        continue
      }
      let (block, bytes, shape, type) = try copy(input.tensor, name: input.name)
      storage.append(block)
      var value: OpaquePointer?
      try table.check(
        table.createTensor(runtime.memory, block, bytes, shape, shape.count, type, &value))
      values.append(value)
      owned.append(value)
    }
    for output in outputs { names.append(strdup(output)) }
    let inputNames = names.prefix(inputs.count).map { UnsafePointer($0) }
    let outputNames = names.dropFirst(inputs.count).map { UnsafePointer($0) }
    var results = [OpaquePointer?](repeating: nil, count: outputs.count)
    let status = withExtendedLifetime(inputs) {
      table.run(handle, nil, inputNames, values, inputs.count, outputNames, outputs.count, &results)
    }
    let given = OnnxOutputs(table: table, values: results.compactMap { $0 })
    try table.check(status)
    guard given.count == outputs.count else {
      throw OnnxError(code: 2, message: "The model gave \(given.count) of \(outputs.count) outputs.")
    }
    return given
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
    case .output:
      throw OnnxError(code: 2, message: "Input \(name) is a tensor already.")
    }
  }
}
