#if canImport(CCurl)
  /// The thread that runs every HTTP request of the process.
  final class HTTPLoop: Sendable {
    static let shared = HTTPLoop()

    enum Command: Sendable {
      case start(HTTPTransfer, HTTPExchangePlan)
      case signal(HTTPTransfer, HTTPTransfer.Signal)
    }

    private let thread = CurlThread<Command>(
      name: "yoob.http", kept: 128, perHost: 64,
      refuse: { command in
        guard case .start(let transfer, let plan) = command else { return }
        transfer.finish(.failed(host: plan.place, reason: "libcurl does not start"))
      },
      run: { thread, multi in
        let runner = HTTPRunner(multi)
        while true {
          for command in thread.take() { runner.take(command) }
          runner.turn()
        }
      })

    /// Begins an exchange; the transfer tells how it goes.
    func start(_ plan: HTTPExchangePlan) -> HTTPTransfer {
      let transfer = HTTPTransfer(maxBodyBytes: plan.maxBodyBytes)
      thread.post(.start(transfer, plan))
      transfer.onSignal { [weak transfer, thread] signal in
        if let transfer { thread.post(.signal(transfer, signal)) }
      }
      return transfer
    }
  }
#endif
