#if canImport(CCurl)
  import CCurl
  import Foundation

  /// The thread that runs every transfer of the process, and the way to it.
  final class HTTPLoop: Sendable {
    /// Idle connections that are kept, and connections to one host.
    static let keptConnections = 128
    static let connectionsPerHost = 64

    static let shared = HTTPLoop()

    enum Command: Sendable {
      case start(HTTPTransfer, HTTPExchangePlan)
      case signal(HTTPTransfer, HTTPTransfer.Signal)
    }

    private struct State {
      var isStarted = false
      var commands: [Command] = []
      /// The multi handle while the thread runs; the address of a C object.
      var multi: UInt?
    }

    private let state = Locked(State())

    /// Begins an exchange; the transfer tells how it goes.
    func start(_ plan: HTTPExchangePlan) -> HTTPTransfer {
      let transfer = HTTPTransfer(maxBodyBytes: plan.maxBodyBytes)
      post(.start(transfer, plan))
      transfer.onSignal { [weak transfer, self] signal in
        if let transfer { post(.signal(transfer, signal)) }
      }
      return transfer
    }

    private func post(_ command: Command) {
      let starts = state.withLock { state in
        state.commands.append(command)
        // Under the lock: the handle does not go away in between.
        if state.commands.count == 1, let multi = state.multi {
          curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi))
        }
        defer { state.isStarted = true }
        return !state.isStarted
      }
      guard starts else { return }
      let thread = Thread { self.run() }
      thread.name = "yoob.http"
      thread.stackSize = 1 << 20
      thread.start()
    }

    private func run() {
      signal(SIGPIPE, SIG_IGN)
      guard let multi = yoob_http_multi(Self.keptConnections, Self.connectionsPerHost) else {
        return refuseEverything()
      }
      state.withLock { $0.multi = UInt(bitPattern: multi) }
      let runner = HTTPRunner(multi)
      while true {
        for command in takeCommands() { runner.take(command) }
        runner.turn()
      }
    }

    private func takeCommands() -> [Command] {
      state.withLock { state in
        defer { state.commands = [] }
        return state.commands
      }
    }

    /// Without libcurl: answers what waits, and lets the next request try again.
    private func refuseEverything() {
      let commands = state.withLock { state in
        defer { state.commands = [] }
        state.isStarted = false
        return state.commands
      }
      for case .start(let transfer, let plan) in commands {
        transfer.finish(.failed(host: plan.place, reason: "libcurl does not start"))
      }
    }
  }
#endif
