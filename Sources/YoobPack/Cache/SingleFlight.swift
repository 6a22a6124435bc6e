import Foundation

/// Runs one piece of work for all who ask for the same at the same time.
///
/// Who cancels leaves at once; the work is cancelled when the last one has left.
actor SingleFlight<Key: Hashable & Sendable, Value: Sendable> {
  private struct Flight {
    let id: UUID
    let task: Task<Void, Never>
    var waiters: [UUID: CheckedContinuation<Value, any Error>]
  }

  private var flights: [Key: Flight] = [:]

  /// The result of `work`, or of the work that is under way for the same key.
  func value(
    for key: Key, work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let waiter = UUID()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard !Task.isCancelled else {
          continuation.resume(throwing: CancellationError())
          return
        }
        join(key, as: waiter, continuation, work)
      }
    } onCancel: {
      Task { await self.leave(key, waiter) }
    }
  }

  private func join(
    _ key: Key, as waiter: UUID, _ continuation: CheckedContinuation<Value, any Error>,
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    guard flights[key] == nil else {
      flights[key]?.waiters[waiter] = continuation
      return
    }
    let id = UUID()
    let task = Task {
      do {
        let value = try await work()
        self.land(key, id, .success(value))
      } catch {
        self.land(key, id, .failure(error))
      }
    }
    flights[key] = Flight(id: id, task: task, waiters: [waiter: continuation])
  }

  private func land(_ key: Key, _ id: UUID, _ result: Result<Value, any Error>) {
    guard let flight = flights[key], flight.id == id else { return }
    flights[key] = nil
    for waiter in flight.waiters.values { waiter.resume(with: result) }
  }

  private func leave(_ key: Key, _ waiter: UUID) {
    guard let continuation = flights[key]?.waiters.removeValue(forKey: waiter) else { return }
    continuation.resume(throwing: CancellationError())
    guard let flight = flights[key], flight.waiters.isEmpty else { return }
    flights[key] = nil
    flight.task.cancel()
  }
}
