/// How many requests are at work, and who waits for the last of them.
actor Turnstile {
  private let limit: Int
  private var count = 0
  private var isClosed = false
  private var waiter: (id: Int, continuation: CheckedContinuation<Void, Never>)?
  private var lastID = 0

  init(limit: Int) { self.limit = limit }

  /// False when too many are at work, or none is taken any more.
  func enter() -> Bool {
    guard !isClosed, count < limit else { return false }
    count += 1
    return true
  }

  func leave() {
    count -= 1
    if count == 0 { release() }
  }

  /// Takes nobody any more, and returns when all are done, or after `patience`.
  func close(patience: Duration) async {
    isClosed = true
    guard count > 0, waiter == nil else { return }
    lastID += 1
    let id = lastID
    let timer = Task {
      try? await Task.sleep(for: patience)
      giveUp(id)
    }
    defer { timer.cancel() }
    await withCheckedContinuation { waiter = (id, $0) }
  }

  private func giveUp(_ id: Int) { if waiter?.id == id { release() } }

  private func release() {
    waiter?.continuation.resume()
    waiter = nil
  }
}
