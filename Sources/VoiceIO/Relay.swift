/// A closure that several threads share, that may be exchanged, and that may be none.
package final class Relay<Message: Sendable>: Sendable {
  private struct State {
    var action: (@Sendable (Message) -> Void)?
  }
  private let state: Guarded<State>

  package init(_ action: (@Sendable (Message) -> Void)? = nil) { state = Guarded(State(action: action)) }

  /// From now on `action` is called; nil calls nothing.
  package func set(_ action: (@Sendable (Message) -> Void)?) { state.withLock { $0.action = action } }

  /// Calls what was set last, outside of the lock.
  package func send(_ message: Message) { state.withLock { $0.action }?(message) }
}
