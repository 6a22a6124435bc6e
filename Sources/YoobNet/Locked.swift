import Foundation

/// A value that one thread at a time may touch.
package final class Locked<Value>: @unchecked Sendable {  // `value` is reached through `lock` only
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
