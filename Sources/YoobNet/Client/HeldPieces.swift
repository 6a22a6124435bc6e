/// Hands what the network delivers to a transfer, in its order, for a network that cannot take a piece back: what
/// the reader has no room for is held here, and the network is suspended until it was taken.
final class HeldPieces: Sendable {
  /// What the network has to do.
  enum Order: Sendable, Equatable { case suspend, resume, cancel }

  private struct State {
    /// Grows while the network is suspended by what it had under way.
    var held: [UInt8] = []
    var isSuspended = false
    /// How the network ended; nil while it has not.
    var end: NetError??
  }

  private let state = Locked(State())
  private let transfer: HTTPTransfer
  private let tell: @Sendable (Order) -> Void

  /// `tell` is called under a lock, so that orders are carried out as they were decided; it must not call back.
  init(_ transfer: HTTPTransfer, tell: @escaping @Sendable (Order) -> Void) {
    self.transfer = transfer
    self.tell = tell
  }

  /// A piece of the body.
  func take(_ bytes: [UInt8]) {
    state.withLock { state in
      state.held += bytes
      if !state.isSuspended { handOver(&state) }
    }
  }

  /// The reader has room again.
  func goOn() { state.withLock { handOver(&$0) } }

  /// The network delivers no more; nil when the body is whole. The reader learns it after the last piece.
  func complete(_ error: NetError?) {
    state.withLock { state in
      state.end = .some(error)
      if !state.isSuspended { handOver(&state) }
    }
  }

  private func handOver(_ state: inout State) {
    if !state.held.isEmpty {
      switch state.held.withUnsafeBufferPointer({ transfer.put($0) }) {
      case .taken: state.held = []
      case .pause:
        if !state.isSuspended { tell(.suspend) }
        state.isSuspended = true
        return
      case .stop:
        state.held = []
        state.isSuspended = false
        tell(.cancel)
      }
    }
    if state.isSuspended { tell(.resume) }
    state.isSuspended = false
    if let end = state.end { transfer.finish(end) }
  }
}
