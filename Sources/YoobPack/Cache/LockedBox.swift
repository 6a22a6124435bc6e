import Foundation

/// A value that one thread at a time may touch.
final class LockedBox<Value>: @unchecked Sendable {  // `value` is reached through `lock` only
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
