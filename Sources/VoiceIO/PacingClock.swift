import Dispatch

/// The time that paces devices: real, or moved by a test.
public protocol PacingClock: Sendable {
  /// Seconds since an arbitrary start; never goes back.
  var now: Double { get }
  /// Calls `action` once at `time` (at once when that has passed), from a thread of the clock.
  @discardableResult
  func schedule(at time: Double, _ action: @escaping @Sendable () -> Void) -> ClockTimer
}

/// A call that a clock will make.
public struct ClockTimer: Sendable {
  private let onCancel: @Sendable () -> Void

  /// A timer whose `cancel()` calls `onCancel`.
  public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  /// Takes the call back; without effect once it was made.
  public func cancel() { onCancel() }
}

extension PacingClock {
  /// Returns at `time`, in seconds of this clock, or at once when the task is cancelled.
  public func sleep(until time: Double) async { await sleep(until: time, orOneOf: []) }

  /// Returns at `time` (nil: never), when one of `signals` fires or when the task is cancelled, whichever
  /// is first.
  package func sleep(until time: Double?, orOneOf signals: [OneShot]) async {
    let due = OneShot()
    let timer = time.map { schedule(at: $0) { due.fire() } }
    for signal in signals { signal.onFire { due.fire() } }
    await withTaskCancellationHandler {
      await due.value()
    } onCancel: {
      due.fire()
    }
    timer?.cancel()
  }

  /// Returns after `seconds`, or at once when the task is cancelled.
  public func sleep(for seconds: Double) async { await sleep(until: now + seconds) }
}

/// The machine's monotonic clock. Calls that are due are made one after another, so they must return at once.
public struct MonotonicClock: PacingClock {
  #if !canImport(Glibc)
    private static let queue = DispatchQueue(label: "yoob.clock", qos: .userInteractive)
  #endif

  /// The machine's clock.
  public init() {}

  public var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  @discardableResult
  public func schedule(
    at time: Double, _ action: @escaping @Sendable () -> Void
  ) -> ClockTimer {
    let time = time.isNaN ? 0 : min(max(0, time), now + 1e9)
    #if canImport(Glibc)
      let number = ClockThread.shared.schedule(at: time, action)
      return ClockTimer { ClockThread.shared.cancel(number) }
    #else
      let pending = Guarded(true)
      let deadline = DispatchTime(uptimeNanoseconds: UInt64(time * 1e9))
      Self.queue.asyncAfter(deadline: deadline) {
        let isDue = pending.withLock { value in
          defer { value = false }
          return value
        }
        if isDue { action() }
      }
      return ClockTimer { pending.withLock { $0 = false } }
    #endif
  }
}

/// A clock that stands still until it is moved.
public final class ManualClock: PacingClock {
  private struct Timer {
    var id: Int
    var time: Double
    var action: @Sendable () -> Void
  }
  private struct State {
    var now = 0.0
    var nextID = 0
    var timers: [Timer] = []
  }
  private let state = Guarded(State())

  /// A clock that stands at 0 seconds.
  public init() {}

  public var now: Double { state.withLock { $0.now } }

  /// Calls that are waiting.
  public var pendingCount: Int { state.withLock { $0.timers.count } }

  @discardableResult
  public func schedule(
    at time: Double, _ action: @escaping @Sendable () -> Void
  ) -> ClockTimer {
    let id: Int? = state.withLock { state in
      guard time > state.now else { return nil }
      state.nextID += 1
      state.timers.append(Timer(id: state.nextID, time: time, action: action))
      return state.nextID
    }
    guard let id else {
      action()
      return ClockTimer {}
    }
    return ClockTimer { [state] in
      state.withLock { state in state.timers.removeAll { $0.id == id } }
    }
  }

  /// Moves time on by `seconds` and makes the calls that fall due, in order of their times.
  public func advance(by seconds: Double) {
    let target = now + max(0, seconds)
    while let action = nextAction(until: target) { action() }
    state.withLock { $0.now = max($0.now, target) }
  }

  private func nextAction(until target: Double) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let due = state.timers.indices
        .filter { state.timers[$0].time <= target + 1e-9 }
        .min { (state.timers[$0].time, state.timers[$0].id) < (state.timers[$1].time, state.timers[$1].id) }
      guard let due else { return nil }
      let timer = state.timers.remove(at: due)
      state.now = max(state.now, timer.time)
      return timer.action
    }
  }
}
