import Foundation
import VoiceAudio

/// A sink that hands speech on at once, such as to a socket, and keeps a loudspeaker's pace.
public final class CallbackSink: PausableSpeechSink {
  /// What happens to an utterance; utterances are numbered from 1.
  public enum Event: Sendable, Equatable {
    /// An utterance begins, at this rate in samples per second.
    case began(utterance: Int, sampleRate: Int)
    /// Its next piece.
    case chunk(utterance: Int, SpeechChunk)
    /// The sound is held after `played` samples; chunks go on coming.
    case paused(utterance: Int, played: Int)
    /// The sound goes on.
    case resumed(utterance: Int)
    /// The last sample was heard; samples in all.
    case finished(utterance: Int, played: Int)
    /// The sound was stopped after `played` samples.
    case interrupted(utterance: Int, played: Int)
  }

  private let utterance: PacedUtterance
  private let onEvent: @Sendable (Event) -> Void
  private let order = EventOrder()
  private let holds: @Sendable () -> Bool

  /// `onEvent` is called in order, one call at a time, and must not block. It may call `interrupt`,
  /// whose event then comes inside that call. `canPause` tells whether whoever gets the events holds the
  /// sound when it is told so.
  public init(
    clock: any PacingClock = MonotonicClock(), canPause: @escaping @Sendable () -> Bool = { false },
    _ onEvent: @escaping @Sendable (Event) -> Void
  ) {
    utterance = PacedUtterance(clock: clock)
    holds = canPause
    self.onEvent = onEvent
  }

  public var canPause: Bool { holds() }

  public func begin(sampleRate: Int) async {
    inOrder {
      interrupt()
      onEvent(.began(utterance: utterance.begin(sampleRate: sampleRate), sampleRate: sampleRate))
    }
  }

  public func write(_ chunk: SpeechChunk) async {
    await utterance.waitForSpace()
    inOrder {
      if let queued = utterance.append(chunk.samples.count) {
        onEvent(.chunk(utterance: queued.number, chunk))
      }
    }
    await utterance.waitForSpace()
  }

  public func finish() async {
    await utterance.waitUntilHeard()
    inOrder {
      guard let ended = utterance.close() else { return }
      onEvent(.finished(utterance: ended.number, played: ended.played))
    }
  }

  @discardableResult public func interrupt() -> Int {
    inOrder {
      if let ended = utterance.interrupt() {
        onEvent(.interrupted(utterance: ended.number, played: ended.played))
      }
      return utterance.playedSamples
    }
  }

  @discardableResult public func pause() -> Int {
    inOrder {
      if let held = utterance.pause() { onEvent(.paused(utterance: held.number, played: held.played)) }
      return utterance.playedSamples
    }
  }

  public func resume() {
    inOrder {
      if let number = utterance.resume() { onEvent(.resumed(utterance: number)) }
    }
  }

  public var playedSamples: Int { utterance.playedSamples }

  /// Runs `body` between two events.
  package func inOrder<Result>(_ body: () -> Result) -> Result { order.run(body) }
}

/// Lets one thread at a time change an utterance and tell of it; that thread may enter again.
private final class EventOrder: @unchecked Sendable {  // holds nothing but the lock
  private let lock = NSRecursiveLock()

  func run<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}
