import Foundation
import VoiceIO

/// Runs tasks one job after the other, and only when it is told to: nothing happens behind a test's
/// back, and `drain()` returns when nothing can happen any more until time moves.
@available(macOS 15, iOS 18, *)
public final class ManualExecutor: TaskExecutor {
  private let jobs = Guarded<[UnownedJob]>([])

  /// An executor without jobs.
  public init() {}

  /// Takes a job in, for the next `drain()`.
  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    jobs.withLock { $0.append(unowned) }
  }

  /// Runs all jobs, and those that they bring about. Call it from one thread.
  public func drain() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Runs all jobs, and waits for those that work elsewhere will bring, such as that of real engines, as long
  /// as `isBusy` says that there is some.
  package func drain(while isBusy: () -> Bool) {
    drain()
    while isBusy() {
      usleep(200)
      drain()
    }
  }

  /// A task that runs within `drain()`.
  @discardableResult
  public func task<Success: Sendable>(
    _ body: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(executorPreference: self) { try await body() }
  }
}
