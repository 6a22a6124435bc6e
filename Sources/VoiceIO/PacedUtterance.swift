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
    var ended = OneShot()
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
      state.ended = OneShot()
      return state.number
    }
  }

  /// What became of queued samples: the utterance, when they start, whether after a silence.
  struct Queued {
    var number: Int
    var time: Double
    var isNewRun: Bool
  }

  /// Queues samples; nil when no utterance is open. `record` runs under the same lock.
  func append(_ count: Int, record: (Queued) -> Void = { _ in }) -> Queued? {
    state.withLock { state in
      guard state.isOpen, count > 0 else { return nil }
      let now = clock.now
      let isNewRun = state.pacer.append(count, now: now)
      let queued = Queued(number: state.number, time: now, isNewRun: isNewRun)
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
      state.ended.fire()
      return (state.number, state.lastPlayed)
    }
  }

  /// Ends the open utterance now. Returns nil when none is open.
  func interrupt(record: (Int) -> Void = { _ in }) -> (number: Int, played: Int)? {
    state.withLock { state in
      guard state.isOpen else { return nil }
      state.isOpen = false
      state.lastPlayed = state.pacer.played(clock.now)
      record(state.lastPlayed)
      state.ended.fire()
      return (state.number, state.lastPlayed)
    }
  }

  var playedSamples: Int {
    state.withLock { $0.isOpen ? $0.pacer.played(clock.now) : $0.lastPlayed }
  }

  private func wait(untilQueued seconds: Double) async {
    while !Task.isCancelled {
      let next: (time: Double, ended: OneShot)? = state.withLock { state in
        let now = clock.now
        guard state.isOpen, state.pacer.queued(now) > seconds + 1e-9 else { return nil }
        return (state.pacer.time(whenQueuedIs: seconds, now: now), state.ended)
      }
      guard let next else { return }
      // Woken by the clock, an interruption or the task's cancellation, whichever is first.
      let wake = next.ended
      let due = OneShot()
      let timer = clock.schedule(at: next.time) { due.fire() }
      wake.onFire { due.fire() }
      await withTaskCancellationHandler {
        await due.value()
      } onCancel: {
        due.fire()
      }
      timer.cancel()
    }
  }
}
