import Foundation
import YoobNet

/// The signals that ask a process to end: SIGTERM, SIGINT from the keyboard, and SIGHUP when its terminal closes.
///
/// Make it before anything can be asked to stop, then wait. A second signal, of either kind, ends the process at
/// once, should stopping hang.
public struct StopSignal: Sendable {
  // Written once, before the handlers that read it are installed.
  nonisolated(unsafe) private static var writeEnd: Int32 = -1
  private static let readEnd = Locked<Int32>(-1)

  /// The signals; SIGHUP is not among them where it is ignored, as `nohup` asks for.
  package static var numbers: [Int32] {
    var action = sigaction()
    guard sigaction(SIGHUP, nil, &action) == 0, action.isIgnored else { return [SIGTERM, SIGINT, SIGHUP] }
    return [SIGTERM, SIGINT]
  }

  /// From here on the signals no longer end the process.
  public init() {
    Self.readEnd.withLock { readEnd in
      guard readEnd < 0 else { return }
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return }
      readEnd = ends[0]
      Self.writeEnd = ends[1]
      for number in Self.numbers {
        // Only calls that are safe in a signal handler.
        signal(number) { number in
          var byte: UInt8 = 1
          _ = write(StopSignal.writeEnd, &byte, 1)
          signal(SIGTERM, SIG_DFL)
          signal(SIGINT, SIG_DFL)
          signal(number, SIG_DFL)
        }
      }
    }
  }

  /// Returns at the first signal, also one that came before the call.
  public func wait() async {
    let descriptor = Self.readEnd.withLock { $0 }
    await withCheckedContinuation { continuation in
      let thread = Thread {
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) < 0, errno == EINTR {}
        continuation.resume()
      }
      thread.name = "yoob.signal"
      thread.start()
    }
  }
}

extension sigaction {
  /// Whether the signal does nothing.
  fileprivate var isIgnored: Bool {
    #if canImport(Glibc)
      let handler = __sigaction_handler.sa_handler
    #else
      let handler = __sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
