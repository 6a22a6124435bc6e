import Dispatch
import Foundation
import YoobServer
import YoobStudio

#if canImport(Glibc)
  import Glibc
#endif

/// Ends the program at SIGINT, SIGTERM or SIGHUP without leaving temporary files behind.
final class TerminationSignals {
  private let numbers = StopSignal.numbers
  private let sources: [any DispatchSourceSignal]

  init() {
    sources = numbers.map { number in
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
    for number in numbers { signal(number, SIG_DFL) }
  }
}
