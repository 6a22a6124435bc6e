#if canImport(Darwin)
  import Foundation

  /// Looks at the end of each window whether a transfer of `URLSession` has brought enough; the first window
  /// begins with the connection, of whose end the system says nothing.
  final class RateWatch: Sendable {
    private struct State {
      /// Nil while nobody may be blamed: before the start, in pauses, and after the end.
      var window: RateWindow?
      /// Of the window that is looked at; a look that was planned for another one is none.
      var number = 0
    }

    private let rate: LeastRate
    private let tooSlow: @Sendable (_ bytes: Int) -> Void
    private let state = Locked(State())

    /// `tooSlow` is called at most once, with the bytes of the window.
    init(_ rate: LeastRate, tooSlow: @escaping @Sendable (_ bytes: Int) -> Void) {
      self.rate = rate
      self.tooSlow = tooSlow
    }

    /// Counts from now on.
    func resume() {
      let number = state.withLock { state in
        state.window = RateWindow(rate, at: Self.now)
        state.number += 1
        return state.number
      }
      plan(number)
    }

    func pause() { state.withLock { $0.window = nil } }

    func end() { pause() }

    func take(_ count: Int) { state.withLock { $0.window?.take(count) } }

    private func plan(_ number: Int) {
      DispatchQueue.global().asyncAfter(deadline: .now() + rate.seconds) { [weak self] in self?.look(number) }
    }

    private func look(_ number: Int) {
      let now = Self.now
      let (isWatched, bytes) = state.withLock { state -> (Bool, Int?) in
        guard state.number == number, let deadline = state.window?.deadline(at: now) else {
          return (false, nil)
        }
        guard deadline <= now, let bytes = state.window?.bytes else { return (true, nil) }
        state.window = nil
        return (false, bytes)
      }
      if let bytes { tooSlow(bytes) }
      if isWatched { plan(number) }
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }
  }
#endif
