import VoiceIO

/// Values for any number of readers; one that is late loses the oldest.
final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var readers: [Int: AsyncStream<Value>.Continuation] = [:]
    var next = 0
    var isFinished = false
  }
  private static var mostWaiting: Int { 256 }
  private let state = Guarded(State())

  deinit { finish() }

  /// A new reader's values, from now on.
  var values: AsyncStream<Value> {
    let (stream, send) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    let number: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.next += 1
      state.readers[state.next] = send
      return state.next
    }
    guard let number else {
      send.finish()
      return stream
    }
    send.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Whether anybody reads.
  var hasReaders: Bool { state.withLock { !$0.readers.isEmpty } }

  /// Gives every reader a value.
  func send(_ value: Value) {
    for reader in state.withLock({ Array($0.readers.values) }) { reader.yield(value) }
  }

  /// Ends every reader's stream.
  func finish() {
    let readers = state.withLock { state in
      state.isFinished = true
      defer { state.readers = [:] }
      return Array(state.readers.values)
    }
    for reader in readers { reader.finish() }
  }
}
