/// The conversations that go on.
actor Conversations {
  private var running: [ObjectIdentifier: RealtimeConversation] = [:]
  private var isStopping = false
  private var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
  private var lastWaiter = 0

  /// False when none may begin any more.
  func begin(_ conversation: RealtimeConversation) -> Bool {
    guard !isStopping else { return false }
    running[ObjectIdentifier(conversation)] = conversation
    return true
  }

  func end(_ conversation: RealtimeConversation) {
    running[ObjectIdentifier(conversation)] = nil
    guard running.isEmpty else { return }
    for waiter in waiters.values { waiter.resume(returning: true) }
    waiters = [:]
  }

  /// Ends all; true when they have ended within `time`. An engine that is at work ends in its own time.
  func stop(within time: Duration) async -> Bool {
    isStopping = true
    let stopping = Array(running.values)
    guard !stopping.isEmpty else { return true }
    lastWaiter += 1
    let id = lastWaiter
    let tasks = stopping.map { conversation in Task { await conversation.stop() } }
    let timer = Task {
      try? await Task.sleep(for: time)
      giveUp(id)
    }
    defer {
      timer.cancel()
      for task in tasks { task.cancel() }
    }
    return await withCheckedContinuation { waiters[id] = $0 }
  }

  private func giveUp(_ id: Int) { waiters.removeValue(forKey: id)?.resume(returning: false) }
}
