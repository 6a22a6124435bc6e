import VoiceIO

/// What happens in the product as a whole.
public enum SdkEvent: Sendable, Equatable {
  /// `initialize` was called.
  case initialized(RunAnywhere.Environment)
  /// A model that cannot be fetched on this machine was replaced by the default of its kind.
  case modelSubstituted(asked: String, used: String)
  /// A session was created by model ids.
  case sessionCreated
  /// Such a session was closed.
  case sessionClosed
  /// Everything was released.
  case reset
}

/// Hands events to any number of readers.
final class SdkEventHub: Sendable {
  static let shared = SdkEventHub()
  private struct State {
    var nextID = 0
    var readers: [Int: AsyncStream<SdkEvent>.Continuation] = [:]
  }
  private let state = Guarded(State())

  /// A new subscription; it keeps the newest 256 events that its reader has not taken.
  func subscribe() -> AsyncStream<SdkEvent> {
    let (stream, continuation) = AsyncStream<SdkEvent>.makeStream(
      bufferingPolicy: .bufferingNewest(256))
    let id = state.withLock { state in
      state.nextID += 1
      state.readers[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [state] _ in state.withLock { _ = $0.readers.removeValue(forKey: id) } }
    return stream
  }

  func send(_ event: SdkEvent) {
    for reader in state.withLock({ Array($0.readers.values) }) { reader.yield(event) }
  }
}
