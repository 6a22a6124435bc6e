import VoiceAudio

/// What `RecordingSink` and `CallbackSink` share: one open utterance that is played by a clock.
final class PacedUtterance: Sendable {
  /// Seconds that may wait to be heard before `write` suspends.
  static let maxQueued = 2.0

  private struct State {
    var number = 0
    var pacer = PlaybackPacer(sampleRate: 16_000)
    var isOpen = false
    var lastPlayed = 0
    /// Fires when the utterance ends, is held or goes on.
    var changed = OneShot()

    /// Wakes those who wait.
    mutating func change() {
      changed.fire()
      changed = OneShot()
    }
  }
  private let clock: any PacingClock
  private let state = Guarded(State())

  init(clock: any PacingClock) { self.clock = clock }

  /// Opens the next utterance; returns its number.
  func begin(sampleRate: Int) -> Int {
    state.withLock { state in
      state.number += 1
      state.pacer = PlaybackPacer(sampleRate: sampleRate)
      state.isOpen = true
      state.lastPlayed = 0
      state.changed = OneShot()
      return state.number
    }
  }

  /// What became of queued samples: the utterance, when they start, whether after a silence.
  struct Queued {
    var number: Int
    var time: Double
    var isNewRun: Bool
    /// Whether the sound is held back.
    var isHeld: Bool
  }

  /// Queues samples; nil when no utterance is open. `record` runs under the same lock.
  func append(_ count: Int, record: (Queued) -> Void = { _ in }) -> Queued? {
    state.withLock { state in
      guard state.isOpen, count > 0 else { return nil }
      let now = clock.now
      let isNewRun = state.pacer.append(count, now: now)
      let queued = Queued(
        number: state.number, time: now, isNewRun: isNewRun, isHeld: state.pacer.isHeld)
      record(queued)
      return queued
    }
  }

  /// Suspends while more than `maxQueued` seconds wait; returns at once after an interruption.
  func waitForSpace() async { await wait(untilQueued: Self.maxQueued) }

  /// Suspends until the last sample was heard; returns at once after an interruption.
  func waitUntilHeard() async { await wait(untilQueued: 0) }

  /// Closes the utterance behind its last sample. Returns its number and length, or nil when it was
  /// interrupted.
  func close() -> (number: Int, played: Int)? {
    state.withLock { state in
      guard state.isOpen, !Task.isCancelled else { return nil }
      state.isOpen = false
      state.lastPlayed = state.pacer.written
      state.changed.fire()
      return (state.number, state.lastPlayed)
    }
  }

  /// Ends the open utterance now, or at sample `limit` where that was heard before. Returns nil when none is
  /// open.
  func interrupt(limit: Int = .max, record: (Int) -> Void = { _ in }) -> (number: Int, played: Int)? {
    state.withLock { state in
      guard state.isOpen else { return nil }
      state.isOpen = false
      state.lastPlayed = max(0, min(limit, state.pacer.played(clock.now)))
      record(state.lastPlayed)
      state.changed.fire()
      return (state.number, state.lastPlayed)
    }
  }

  /// Holds the open utterance, at sample `limit` where that was heard before; nil when none is open or it is
  /// held already. `record` runs under the same lock.
  func pause(
    limit: Int = .max, record: (_ number: Int, _ played: Int) -> Void = { _, _ in }
  ) -> (number: Int, played: Int)? {
    state.withLock { state in
      guard state.isOpen, !state.pacer.isHeld else { return nil }
      let played = state.pacer.hold(clock.now, limit: limit)
      record(state.number, played)
      state.change()
      return (state.number, played)
    }
  }

  /// Goes on with a held utterance; returns its number, or nil when there is none. `record` runs under
  /// the same lock with the time.
  func resume(record: (Double) -> Void = { _ in }) -> Int? {
    state.withLock { state in
      guard state.isOpen, state.pacer.isHeld else { return nil }
      let now = clock.now
      state.pacer.resume(now)
      record(now)
      state.change()
      return state.number
    }
  }

  var playedSamples: Int {
    state.withLock { $0.isOpen ? $0.pacer.played(clock.now) : $0.lastPlayed }
  }

  private func wait(untilQueued seconds: Double) async {
    while !Task.isCancelled {
      let next: (time: Double?, changed: OneShot)? = state.withLock { state in
        let now = clock.now
        guard state.isOpen, state.pacer.queued(now) > seconds + 1e-9 else { return nil }
        let time = state.pacer.isHeld ? nil : state.pacer.time(whenQueuedIs: seconds, now: now)
        return (time, state.changed)
      }
      guard let next else { return }
      await clock.sleep(until: next.time, orOneOf: [next.changed])
    }
  }
}
