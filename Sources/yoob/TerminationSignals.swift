import Dispatch
import Foundation
import VoiceIO
import YoobServer
import YoobStudio

#if canImport(Glibc)
  import Glibc
#endif

/// Ends the program at SIGINT, SIGTERM or SIGHUP without leaving temporary files behind.
final class TerminationSignals {
  private let numbers = StopSignal.numbers
  private let sources: [any DispatchSourceSignal]
  /// What the first signal does instead of ending the program; the second ends it.
  static let onFirst = Guarded(First())

  struct First {
    var action: (@Sendable () -> Void)?
  }

  init() {
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let action = Self.onFirst.withLock { first in
          defer { first.action = nil }
          return first.action
        }
        if let action { return action() }
        TemporaryFiles.removeAll()
        TerminalMode.restore()
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  func disarm() {
    for source in sources { source.cancel() }
    for number in numbers { signal(number, SIG_DFL) }
  }
}
