import Foundation

extension LoadOptions {
  /// Threads to use: as asked for, else half of the cores, at least 1 and at most 4.
  ///
  /// The threads of one engine wait for each other without sleeping. Where other work holds a core,
  /// two threads on two cores are up to forty times slower than one.
  package var chosenThreads: Int {
    threads > 0 ? threads : min(max(ProcessInfo.processInfo.activeProcessorCount / 2, 1), 4)
  }
}
