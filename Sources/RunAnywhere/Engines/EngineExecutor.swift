import Dispatch
import VoiceIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs an engine's actor on a serial queue of its own, so that long C calls never hold a thread
/// of Swift's cooperative pool.
package final class EngineExecutor: SerialExecutor {
  private static let used = Guarded<[String: Double]>([:])
  private let queue: DispatchQueue
  private let label: String

  package init(label: String) {
    self.label = label
    queue = DispatchQueue(label: label, qos: .userInitiated)
  }

  /// Processor seconds of each engine's calling thread since the program began, by label.
  package static var processorSeconds: [String: Double] { used.withLock { $0 } }

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.async {
      let start = Self.threadSeconds
      unowned.runSynchronously(on: self.asUnownedSerialExecutor())
      let seconds = Self.threadSeconds - start
      Self.used.withLock { $0[self.label, default: 0] += seconds }
    }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  private static var threadSeconds: Double {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
