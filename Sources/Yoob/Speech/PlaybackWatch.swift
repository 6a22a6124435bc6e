import VoiceIO

/// Looks thirty times a second at what is heard, for as long as something is.
final class PlaybackWatch: Sendable {
  private static let interval = 1.0 / 30

  private struct State {
    var isRunning = false
    var timer: ClockTimer?
  }
  private let clock: any PacingClock
  private let look: @Sendable () -> Void
  private let state = Guarded(State())

  init(clock: any PacingClock, look: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.look = look
  }

  deinit { run(false) }

  /// Begins to look, or ends it. Idempotent.
  func run(_ isOn: Bool) {
    let (starts, timer) = state.withLock { state -> (Bool, ClockTimer?) in
      guard state.isRunning != isOn else { return (false, nil) }
      state.isRunning = isOn
      defer { if !isOn { state.timer = nil } }
      return (isOn, state.timer)
    }
    if starts { schedule() } else if !isOn { timer?.cancel() }
  }

  private func schedule() {
    let timer = clock.schedule(at: clock.now + Self.interval) { [weak self] in
      guard let self, state.withLock({ $0.isRunning }) else { return }
      look()
      schedule()
    }
    state.withLock { state in
      if state.isRunning { state.timer = timer } else { timer.cancel() }
    }
  }
}
