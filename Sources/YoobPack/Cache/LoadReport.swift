import Foundation

/// Tells all who wait for one load how far it is; who joins late first gets what was told last.
final class LoadReport: Sendable {
  struct Observer: Sendable {
    let progress: @Sendable (_ completedBytes: Int, _ totalBytes: Int) -> Void
    let tierReady: @Sendable (_ tier: Int, _ pack: LoadedPack) -> Void
  }

  private struct State {
    var observers: [UUID: Observer] = [:]
    var total: Int?
    var completed = 0
    /// The most that was told: bytes that prove useless never turn progress back.
    var told = 0
    var tier: (Int, LoadedPack)?
  }

  private let state = LockedBox(State())

  /// Observers are called under one lock, so that each sees progress grow; they return quickly.
  func add(_ observer: Observer, as id: UUID) {
    state.withLock { state in
      state.observers[id] = observer
      if let total = state.total { observer.progress(state.told, total) }
      if let (tier, pack) = state.tier { observer.tierReady(tier, pack) }
    }
  }

  /// Forgets an observer; returns whether it was the last one.
  func remove(_ id: UUID) -> Bool {
    state.withLock { state in
      state.observers[id] = nil
      return state.observers.isEmpty
    }
  }

  /// A load that begins anew tells what was told, until it has more.
  func begin(total: Int) {
    state.withLock { state in
      (state.total, state.completed, state.told, state.tier) = (total, 0, min(state.told, total), nil)
      for observer in state.observers.values { observer.progress(state.told, total) }
    }
  }

  func add(_ bytes: Int) {
    state.withLock { state in
      state.completed += bytes
      guard let total = state.total, state.completed > state.told else { return }
      state.told = min(state.completed, total)
      for observer in state.observers.values { observer.progress(state.told, total) }
    }
  }

  func tierReady(_ tier: Int, _ pack: LoadedPack) {
    state.withLock { state in
      state.tier = (tier, pack)
      for observer in state.observers.values { observer.tierReady(tier, pack) }
    }
  }
}
