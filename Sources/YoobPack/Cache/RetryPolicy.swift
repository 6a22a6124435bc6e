/// How often a fetch is tried again, and after which pause.
public struct RetryPolicy: Sendable {
  /// Attempts in all, 1 or more.
  public var attempts: Int
  /// Whether another attempt may help; cancellation never asks. Wrong bytes for a chunk may be a fault of
  /// the way and are fetched again once; other errors of packs, such as a full disk, are final before this is
  /// asked.
  public var isWorthRetrying: @Sendable (any Error) -> Bool
  /// Waits before the attempt after number `attempt` (1 for the first); throws when cancelled.
  public var pause: @Sendable (_ attempt: Int) async throws -> Void

  /// So many attempts, 1 at least, with `pause` between them.
  public init(
    attempts: Int, isWorthRetrying: @escaping @Sendable (any Error) -> Bool = { _ in true },
    pause: @escaping @Sendable (_ attempt: Int) async throws -> Void
  ) {
    self.attempts = max(1, attempts)
    self.isWorthRetrying = isWorthRetrying
    self.pause = pause
  }

  /// Four attempts, with pauses of 0.8, 1.6 and 3.2 s.
  public static let standard = RetryPolicy(attempts: 4) { attempt in
    try await Task.sleep(for: .milliseconds(800 << min(attempt - 1, 10)))
  }

  /// One attempt.
  public static let none = RetryPolicy(attempts: 1) { _ in }

  /// Runs `work` until it succeeds, its error is final or the attempts are used up.
  func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    var attempt = 1
    var hasBeenWrong = false
    while true {
      do {
        try Task.checkCancellation()
        return try await work()
      } catch {
        if Task.isCancelled || error is CancellationError { throw CancellationError() }
        guard attempt < attempts, isTransient(error, hasBeenWrong) else { throw error }
        hasBeenWrong = hasBeenWrong || error is PackError
        try await pause(attempt)
        attempt += 1
      }
    }
  }

  private func isTransient(_ error: any Error, _ hasBeenWrong: Bool) -> Bool {
    guard let error = error as? PackError else { return isWorthRetrying(error) }
    guard case .wrongChunk = error else { return false }
    return !hasBeenWrong && isWorthRetrying(error)
  }
}
