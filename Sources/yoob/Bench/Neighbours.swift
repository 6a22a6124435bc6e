import Foundation

/// Programs that keep the cores busy beside a benchmark.
///
/// Each one looks whether this program still lives and ends with it, however it ends.
final class Neighbours {
  private static let script = """
    while kill -0 "$1" 2>/dev/null; do
      i=0
      while [ $i -lt 10000 ]; do i=$((i + 1)); done
    done
    """
  private var processes: [Process] = []

  init(_ count: Int) throws {
    for _ in 0..<count {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", Self.script, "neighbour", "\(ProcessInfo.processInfo.processIdentifier)"]
      process.standardInput = FileHandle.nullDevice
      do {
        try process.run()
      } catch {
        stop()
        throw FileFault("A busy neighbour did not start: \(error.localizedDescription)")
      }
      processes.append(process)
    }
  }

  deinit { stop() }

  /// Ends them all and waits for their ends.
  func stop() {
    // They may have been told to ignore a milder signal: children inherit that.
    for process in processes where process.isRunning { kill(process.processIdentifier, SIGKILL) }
    for process in processes { process.waitUntilExit() }
    processes = []
  }
}
