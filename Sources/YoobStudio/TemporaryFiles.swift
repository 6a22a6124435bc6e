import Foundation

/// Files that must not outlive the work they belong to, also when a signal ends the program.
public enum TemporaryFiles {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var paths: Set<String> = []  // guarded by `lock`

  /// Remembers a file or folder until `remove` or `removeAll`.
  package static func add(_ url: URL) {
    lock.withLock { _ = paths.insert(url.path) }
  }

  /// Removes one and forgets it.
  package static func remove(_ url: URL) {
    lock.withLock { _ = paths.remove(url.path) }
    try? FileManager.default.removeItem(at: url)
  }

  /// Forgets one that has become a result.
  package static func keep(_ url: URL) {
    lock.withLock { _ = paths.remove(url.path) }
  }

  /// Removes all of them; for a program that is about to end.
  public static func removeAll() {
    let all = lock.withLock {
      defer { paths = [] }
      return paths
    }
    for path in all { try? FileManager.default.removeItem(atPath: path) }
  }
}
