#if canImport(CCurl)
  import CCurl
  import Foundation

  /// A thread with a multi handle of libcurl, and commands on their way to it. It begins with the
  /// first command and stays.
  final class CurlThread<Command: Sendable>: Sendable {
    private struct State {
      var isStarted = false
      var commands: [Command] = []
      /// The multi handle while the thread runs; the address of a C object.
      var multi: UInt?
    }

    private let state = Locked(State())
    private let name: String
    private let run: @Sendable (CurlThread, UnsafeMutableRawPointer) -> Void
    private let refuse: @Sendable (Command) -> Void

    private let kept: Int
    private let perHost: Int

    /// `run` serves the handle for ever; `refuse` is given what waits where libcurl does not start.
    /// The handle keeps at most `kept` connections and opens `perHost` to one host, 0 for any number.
    init(
      name: String, kept: Int, perHost: Int, refuse: @escaping @Sendable (Command) -> Void,
      run: @escaping @Sendable (CurlThread, UnsafeMutableRawPointer) -> Void
    ) {
      self.name = name
      self.kept = kept
      self.perHost = perHost
      self.run = run
      self.refuse = refuse
    }

    func post(_ command: Command) {
      let starts = state.withLock { state in
        state.commands.append(command)
        if state.commands.count == 1, let multi = state.multi {
          curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi))
        }
        defer { state.isStarted = true }
        return !state.isStarted
      }
      guard starts else { return }
      let thread = Thread { self.begin() }
      thread.name = name
      thread.stackSize = 1 << 20
      thread.start()
    }

    func take() -> [Command] {
      state.withLock { state in
        defer { state.commands = [] }
        return state.commands
      }
    }

    private func begin() {
      signal(SIGPIPE, SIG_IGN)
      guard let multi = yoob_http_multi(kept, perHost) else {
        // The next command tries again.
        state.withLock { $0.isStarted = false }
        return take().forEach(refuse)
      }
      state.withLock { $0.multi = UInt(bitPattern: multi) }
      run(self, multi)
    }
  }
#endif
