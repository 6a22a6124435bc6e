/// The process's onnxruntime.
package final class OrtRuntime: Sendable {
  let table: OrtTable
  // onnxruntime's environment and memory description are immutable and free to share between threads.
  nonisolated(unsafe) let environment: OpaquePointer
  nonisolated(unsafe) let memory: OpaquePointer

  private static let result = Result { () throws(OnnxError) in try OrtRuntime() }

  /// The one runtime; throws when this build has no onnxruntime.
  package static func shared() throws(OnnxError) -> OrtRuntime { try result.get() }

  private init() throws(OnnxError) {
    let table = try OrtTable()
    let errorsOnly: Int32 = 3
    var environment: OpaquePointer?
    try table.check(table.createEnv(errorsOnly, "yoob", &environment))
    var memory: OpaquePointer?
    try table.check(table.createCpuMemoryInfo(0, 0, &memory))
    guard let environment, let memory else { throw .unavailable }
    self.table = table
    self.environment = environment
    self.memory = memory
  }
}
