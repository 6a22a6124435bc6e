/// How many conversations may begin.
actor ConversationSlots {
  private var free: Int
  private var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var lastID = 0

  init(limit: Int) { free = limit }

  /// Takes a place; false when none becomes free in `time`: a page that is loaded again connects
  /// before its last connection is known to be gone.
  func take(within time: Duration) async -> Bool {
    if free > 0 {
      free -= 1
      return true
    }
    lastID += 1
    let id = lastID
    let timer = Task {
      try? await Task.sleep(for: time)
      giveUp(id)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { waiters.append((id, $0)) }
  }

  /// Gives the place to whoever has waited longest.
  func release() {
    guard waiters.isEmpty else { return waiters.removeFirst().continuation.resume(returning: true) }
    free += 1
  }

  private func giveUp(_ id: Int) {
    guard let place = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: place).continuation.resume(returning: false)
  }
}
