import Foundation

/// A value that several threads share behind one lock.
///
/// A closure is kept in a `Relay`, or as a member of a struct: one that is the value itself gains a layer at every
/// access, since the compiler converts it each time, until calling or releasing it takes more stack than there is.
package final class Guarded<Value>: @unchecked Sendable {  // `value` is only touched under `lock`
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Runs `body` with exclusive access; it must not call back into this box.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
