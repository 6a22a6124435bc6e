import Foundation
import VoiceAudio
import VoiceIO

/// A loudspeaker at the other end of a pipe, as a sound card is one: it takes blocks of 40 ms, each
/// when the one before begins to sound, and gives none back.
final class PipeSpeaker: PausableSpeechSink {
  /// Seconds that may wait here before `write` suspends.
  private static let maxQueued = 2.0
  private static let block = 0.04

  private struct State {
    var sampleRate = 24_000
    var queue: [Float] = []
    /// Samples of the open utterance that were given to the card.
    var given = 0
    /// When the card has played all that it was given.
    var cardEnd = 0.0
    var isOpen = false
    var isHeld = false
    var isClosed = false
    var ended = OneShot()
  }

  private let clock: any PacingClock
  private let play: @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
  private let state = Guarded(State())
  private let work = DispatchSemaphore(value: 0)

  /// `play` hands a block to the card; it is called from one thread.
  init(clock: any PacingClock, play: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void) {
    self.clock = clock
    self.play = play
    Thread.detachNewThread { [self] in feed() }
  }

  func begin(sampleRate: Int) async {
    interrupt()
    state.withLock { state in
      state.sampleRate = sampleRate
      state.given = 0
      state.isOpen = true
      state.isHeld = false
      state.ended = OneShot()
    }
  }

  func write(_ chunk: SpeechChunk) async {
    await wait(untilWaiting: Self.maxQueued)
    state.withLock { state in
      if state.isOpen { state.queue += chunk.samples }
    }
    work.signal()
    await wait(untilWaiting: Self.maxQueued)
  }

  func finish() async {
    await wait(untilWaiting: 0)
    end()
  }

  @discardableResult func interrupt() -> Int {
    end()
    return playedSamples
  }

  @discardableResult func pause() -> Int {
    state.withLock { state in
      if state.isOpen { state.isHeld = true }
    }
    return playedSamples
  }

  func resume() {
    state.withLock { $0.isHeld = false }
    work.signal()
  }

  var playedSamples: Int {
    state.withLock { state in
      let left = max(0, state.cardEnd - clock.now) * Double(state.sampleRate)
      return max(0, state.given - Int(left.rounded()))
    }
  }

  /// Ends the thread that feeds the card.
  func close() {
    end()
    state.withLock { $0.isClosed = true }
    work.signal()
  }

  private func end() {
    state.withLock { state in
      state.queue = []
      state.isOpen = false
      state.isHeld = false
      state.ended.fire()
    }
  }

  private func feed() {
    while !state.withLock({ $0.isClosed }) {
      guard let next = takeBlock() else {
        work.wait()
        continue
      }
      play(next.samples, next.sampleRate)
      let wait = next.start - clock.now
      if wait > 0 { Thread.sleep(forTimeInterval: wait) }
    }
  }

  private func takeBlock() -> (samples: [Float], sampleRate: Int, start: Double)? {
    state.withLock { state in
      guard state.isOpen, !state.isHeld, !state.queue.isEmpty else { return nil }
      let samples = Array(state.queue.prefix(Int(Self.block * Double(state.sampleRate))))
      state.queue.removeFirst(samples.count)
      state.given += samples.count
      let start = max(clock.now, state.cardEnd)
      state.cardEnd = start + Double(samples.count) / Double(state.sampleRate)
      return (samples, state.sampleRate, start)
    }
  }

  /// Suspends while more than `seconds` wait to be heard; returns at once when the utterance ends.
  private func wait(untilWaiting seconds: Double) async {
    while !Task.isCancelled {
      let next: (time: Double, ended: OneShot)? = state.withLock { state in
        let now = clock.now
        let waiting =
          Double(state.queue.count) / Double(state.sampleRate) + max(0, state.cardEnd - now)
        guard state.isOpen, waiting > seconds + 1e-9 else { return nil }
        return (now + max(0.005, waiting - seconds), state.ended)
      }
      guard let next else { return }
      await clock.sleep(until: next.time, orOneOf: [next.ended])
    }
  }
}
