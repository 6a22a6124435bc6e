import VoiceIO

/// Lets one reply at a time use the sink, in whole calls: a stopped reply can never write into the
/// utterance of the next.
final class SinkPort: Sendable {
  private struct State {
    var isBusy = false
    var owner = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  let sink: any SpeechSink
  private let state = Guarded(State())

  init(_ sink: any SpeechSink) { self.sink = sink }

  /// The sink, when it can hold its sound.
  var pausable: (any PausableSpeechSink)? { sink as? any PausableSpeechSink }

  /// Makes `reply` the only one that may use the sink; 0 bars all.
  func grant(_ reply: Int) { state.withLock { $0.owner = reply } }

  /// Runs `body` with the sink when `reply` holds it by then. Returns whether it ran and the reply
  /// still holds the sink.
  func use(_ reply: Int, _ body: (any SpeechSink) async -> Void) async -> Bool {
    await enter()
    defer { leave() }
    guard isOwner(reply) else { return false }
    await body(sink)
    return isOwner(reply)
  }

  /// Whether `reply` may use the sink.
  func isOwner(_ reply: Int) -> Bool { state.withLock { $0.owner == reply } }

  private func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isBusy {
          state.waiters.append(continuation)
          return false
        }
        state.isBusy = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  private func leave() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.isBusy = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume()
  }
}
