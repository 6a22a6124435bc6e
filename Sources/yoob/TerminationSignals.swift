import Dispatch
import Foundation
import YoobStudio

#if canImport(Glibc)
  import Glibc
#endif

/// Ends the program at SIGINT or SIGTERM without leaving temporary files behind.
final class TerminationSignals {
  private let sources: [any DispatchSourceSignal]

  init() {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        TemporaryFiles.removeAll()
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  func disarm() {
    for source in sources { source.cancel() }
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }
}
