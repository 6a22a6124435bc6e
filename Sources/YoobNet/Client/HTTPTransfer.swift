/// One exchange on its way from the network to the task that reads it, with a bound between them.
final class HTTPTransfer: Sendable {
  enum Event: Sendable, Equatable {
    case head(Int, HTTPHeaders)
    case bytes([UInt8])
    /// The end; nil when the answer came whole.
    case end(NetError?)
  }

  /// What the network does with a piece.
  enum Verdict: Equatable { case taken, pause, stop }

  /// What the reader wants of the network.
  enum Signal: Sendable { case resume, cancel }

  /// Bytes that may wait for the reader.
  static let window = 256 << 10

  private struct State {
    var head: (Int, HTTPHeaders)?
    var bytes: [UInt8] = []
    var total = 0
    var isPaused = false
    var end: NetError??
    var reader: CheckedContinuation<Event, Never>?
    var signal: (@Sendable (Signal) -> Void)?

    /// The next event, if there is one.
    mutating func next() -> Event? {
      if let (status, headers) = head {
        head = nil
        return .head(status, headers)
      }
      if !bytes.isEmpty {
        defer { bytes = [] }
        return .bytes(bytes)
      }
      return end.map { .end($0) }
    }
  }

  private let state = Locked(State())
  private let maxBodyBytes: Int

  init(maxBodyBytes: Int) { self.maxBodyBytes = maxBodyBytes }

  // MARK: The network's side

  /// Where signals go, until the reader cancels; a transfer that was cancelled before is cancelled there.
  func onSignal(_ signal: @escaping @Sendable (Signal) -> Void) {
    let isOver = state.withLock { state in
      let isOver = state.end != nil
      if !isOver { state.signal = signal }
      return isOver
    }
    if isOver { signal(.cancel) }
  }

  /// False when the body is known to be too large.
  func put(status: Int, headers: HTTPHeaders, bodyLength: Int?) -> Bool {
    if let bodyLength, bodyLength > maxBodyBytes {
      finish(.tooLarge(.body, limit: maxBodyBytes))
      return false
    }
    deliver { state in
      if state.end == nil { state.head = (status, headers) }
    }
    return true
  }

  func put(_ bytes: UnsafeBufferPointer<UInt8>) -> Verdict {
    var verdict = Verdict.taken
    deliver { state in
      guard state.end == nil else { return verdict = .stop }
      guard state.total + bytes.count <= maxBodyBytes else {
        state.end = .some(.tooLarge(.body, limit: maxBodyBytes))
        return verdict = .stop
      }
      guard state.bytes.isEmpty || state.bytes.count + bytes.count <= Self.window else {
        state.isPaused = true
        return verdict = .pause
      }
      state.total += bytes.count
      state.bytes += bytes
    }
    return verdict
  }

  /// The first end counts.
  func finish(_ error: NetError?) {
    deliver { state in
      if state.end == nil { state.end = .some(error) }
    }
  }

  // MARK: The reader's side

  /// What comes next; the end again after the end. One reader. Cancelling its task cancels the
  /// transfer.
  func next() async -> Event {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var signal: (@Sendable (Signal) -> Void)?
        let event: Event? = state.withLock { state in
          guard let event = state.next() else {
            state.reader = continuation
            return nil
          }
          if state.isPaused {
            state.isPaused = false
            signal = state.signal
          }
          return event
        }
        signal?(.resume)
        if let event { continuation.resume(returning: event) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Ends the transfer at once; what waits is dropped, and the network is let go.
  func cancel() {
    var signal: (@Sendable (Signal) -> Void)?
    deliver { state in
      state.head = nil
      state.bytes = []
      state.isPaused = false
      defer { state.signal = nil }
      guard state.end == nil else { return }
      state.end = .some(.cancelled)
      signal = state.signal
    }
    signal?(.cancel)
  }

  private func deliver(_ change: (inout State) -> Void) {
    let (reader, event): (CheckedContinuation<Event, Never>?, Event?) = state.withLock { state in
      change(&state)
      guard let reader = state.reader, let event = state.next() else { return (nil, nil) }
      state.reader = nil
      return (reader, event)
    }
    if let reader, let event { reader.resume(returning: event) }
  }
}
