/// Something that happens once and that any number of tasks can wait for.
package final class OneShot: Sendable {
  private struct State {
    var isFired = false
    var waiters: [@Sendable () -> Void] = []
  }
  private let state = Guarded(State())

  package init() {}

  package var isFired: Bool { state.withLock { $0.isFired } }

  /// Lets every waiter go, now and later. Idempotent.
  package func fire() {
    let waiters = state.withLock { state in
      state.isFired = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter() }
  }

  /// Returns once `fire` was called.
  package func value() async {
    await withCheckedContinuation { continuation in onFire { continuation.resume() } }
  }

  /// Calls `action` when `fire` is called, at once when it was already.
  package func onFire(_ action: @escaping @Sendable () -> Void) {
    let isFired = state.withLock { state in
      if !state.isFired { state.waiters.append(action) }
      return state.isFired
    }
    if isFired { action() }
  }
}
