#if os(Linux)
  import CLWS
  import Dispatch
  import Foundation

  /// The network loop: made, run and dropped on one thread.
  ///
  /// libwebsockets carries bytes, with TLS, and keeps the timers. Requests and frames are read here: the library's own
  /// readers let pass what two servers may understand differently, and answer in HTML.
  final class ServerLoop {
    /// Space that libwebsockets needs before everything that it writes: its macro LWS_PRE.
    static let pre = 16
    /// Bytes that are written at once.
    static let chunk = 64 << 10
    /// Bytes that are read at once.
    static let readSize = 16 << 10
    /// Time for the farewells at the end; a peer that says none by then is cut off.
    private static let farewellSeconds = 0.5
    /// Connections above the limit for the moment in which others give way to them.
    static let spareConnections = 64

    let configuration: HTTPServerConfiguration
    let handlers: HTTPServerHandlers
    let mailbox: Mailbox
    private var links: [Int: ServerLink] = [:]
    private var lastID = 0
    private(set) var isStopping = false
    /// When requests at work are given up; then when the loop ends, in seconds of the system's clock.
    private var deadline: Double?
    private var hasGivenUp = false
    private var buffer: [UInt8]

    init(_ configuration: HTTPServerConfiguration, handlers: HTTPServerHandlers, mailbox: Mailbox) {
      self.configuration = configuration
      self.handlers = handlers
      self.mailbox = mailbox
      buffer = [UInt8](repeating: 0, count: Self.pre + Self.chunk)
    }

    /// Serves until the mailbox says stop. `started` gets the port, or why there is none.
    func run(_ started: (Result<Int, any Error>) -> Void) {
      signal(SIGPIPE, SIG_IGN)
      let settings = ContextSettings(configuration, user: Unmanaged.passUnretained(self).toOpaque())
      let context: OpaquePointer
      let port: Int
      do {
        (context, port) = try settings.makeContext()
      } catch {
        mailbox.ended()
        return started(.failure(error))
      }
      mailbox.opened(context)
      started(.success(port))
      while lws_service(context, 0) >= 0, !isStopping || !isOver() {}
      mailbox.closing()
      lws_context_destroy(context)
      mailbox.ended()
    }

    /// One callback of libwebsockets; what it returns follows that library's rules.
    func handle(
      _ reason: lws_callback_reasons, _ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?,
      _ length: Int
    ) -> Int32 {
      switch reason {
      case LWS_CALLBACK_FILTER_NETWORK_CONNECTION: return isStopping || !makeRoom() ? 1 : 0
      case LWS_CALLBACK_RAW_ADOPT: open(wsi)
      case LWS_CALLBACK_EVENT_WAIT_CANCELLED: takeCommands()
      case LWS_CALLBACK_RAW_RX:
        guard let link = link(wsi), let input else { return -1 }
        endHandshake(link)
        return result(receive(UnsafeRawBufferPointer(start: input, count: length), link), link)
      case LWS_CALLBACK_RAW_WRITEABLE:
        guard let link = link(wsi) else { return -1 }
        return result(write(link), link)
      case LWS_CALLBACK_TIMER:
        guard let link = link(wsi) else { return 0 }
        link.timedPhase = nil
        return result(timeOut(link), link)
      case LWS_CALLBACK_RAW_CLOSE, LWS_CALLBACK_WSI_DESTROY: drop(wsi)
      default: break
      }
      return 0
    }

    /// -1 where the connection ends; else its timer and its reading are set.
    private func result(_ isKept: Bool, _ link: ServerLink) -> Int32 {
      guard isKept else { return -1 }
      settle(link)
      return 0
    }

    // MARK: Connections

    /// The state of a connection; its number is what libwebsockets keeps for us.
    private func link(_ wsi: OpaquePointer) -> ServerLink? {
      links[Int(bitPattern: lws_get_opaque_user_data(wsi))]
    }

    private func open(_ wsi: OpaquePointer) {
      lastID += 1
      let link = ServerLink(id: lastID, wsi: wsi)
      links[link.id] = link
      lws_set_opaque_user_data(wsi, UnsafeMutableRawPointer(bitPattern: link.id))
      settle(link)
    }

    private func drop(_ wsi: OpaquePointer) {
      guard let link = link(wsi) else { return }
      links[link.id] = nil
      lws_set_opaque_user_data(wsi, nil)
      link.task?.cancel()
      link.socket?.finish()
      // After a timer the library waits for the next event before it lets the loop look.
      if isStopping { mailbox.wake() }
    }

    /// A connection begins to wait for a request, or for its client to take the answer.
    func waits(_ link: ServerLink) {
      lastID += 1
      link.waitingSince = lastID
    }

    /// Whether another connection may come; at the limit the one that has waited longest for its
    /// request gives way, those first that need no answer any more. Where all have asked, the one whose
    /// answer began first does: clients that take theirs drop by drop shut nobody out.
    private func makeRoom() -> Bool {
      let staying = links.values.filter { !$0.isLeaving }
      guard staying.count >= configuration.maximumConnections else { return true }
      let waiting = staying.filter { $0.phase.isIdle || $0.phase.isReading }.min { left, right in
        (left.phase == .lingering ? 0 : 1, left.waitingSince)
          < (right.phase == .lingering ? 0 : 1, right.waitingSince)
      }
      let writing = staying.filter { $0.phase == .writing }
      let oldest = waiting ?? writing.min { $0.waitingSince < $1.waitingSince }
      guard links.count < configuration.maximumConnections + Self.spareConnections, let oldest else {
        return false
      }
      oldest.isLeaving = true
      if oldest.phase.isReading {
        refuse(.crowded, oldest)
        settle(oldest)
      } else {
        cut(oldest)
      }
      return true
    }

    /// The library never ends the time for a handshake itself. Once only: later, the time is that of a `cut`.
    private func endHandshake(_ link: ServerLink) {
      guard !link.ownsTimeout else { return }
      link.ownsTimeout = true
      lws_set_timeout(link.wsi, NO_PENDING_TIMEOUT, 0)
    }

    private func cut(_ link: ServerLink) {
      link.ownsTimeout = true
      lws_set_timeout(link.wsi, PENDING_TIMEOUT_CLOSE_SEND, Int32(LWS_TO_KILL_ASYNC))
    }

    /// Sets what follows from the phase: whether the network is read, and when the patience ends.
    func settle(_ link: ServerLink) {
      let reads =
        switch link.phase {
        case .working, .writing: false
        case .socket: (!link.isPaused || link.hasSentClose) && lws_partial_buffered(link.wsi) == 0
        case .idle, .head, .body, .lingering: true
        }
      if reads != link.reads {
        link.reads = reads
        lws_rx_flow_control(link.wsi, reads ? 1 : 0)
      }
      guard link.timedPhase != link.phase else { return }
      link.timedPhase = link.phase
      let seconds =
        switch link.phase {
        case .idle: configuration.idleSeconds
        case .head: configuration.headerSeconds
        case .body: configuration.bodySeconds
        case .writing: configuration.writeSeconds
        case .lingering: 2.0
        // The clock's beat: of a request's handler it is no limit.
        case .working, .socket: 1.0
        }
      lws_set_timer_usecs(link.wsi, lws_usec_t(seconds * 1e6))
    }

    /// False where the connection ends.
    private func timeOut(_ link: ServerLink) -> Bool {
      switch link.phase {
      case .idle, .lingering, .writing: return false
      case .head: refuse(.slow("header", seconds: configuration.headerSeconds), link)
      case .body: refuse(.slow("body", seconds: configuration.bodySeconds), link)
      case .working: watch(link)
      case .socket: return tickSocket(link)
      }
      return true
    }

    // MARK: Commands

    private func takeCommands() {
      let (commands, stop) = mailbox.take()
      for (id, command) in commands {
        guard let link = links[id] else { continue }
        switch command {
        case .respond(let response, let request):
          guard request == link.requestNumber, link.phase == .working else { continue }
          answer(response, link)
        case .socket(.flush): lws_callback_on_writable(link.wsi)
        case .socket(.overflow):
          // The peer may never read again: do not wait for it.
          lws_set_timeout(link.wsi, PENDING_TIMEOUT_CLOSE_SEND, 3)
          lws_callback_on_writable(link.wsi)
        case .socket(.resume): pause(link, false)
        }
        settle(link)
      }
      if let stop, !isStopping { beginStop(stop) }
    }

    // MARK: The end

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    private func beginStop(_ patience: Double) {
      isStopping = true
      wait(patience)
      for link in links.values {
        switch link.phase {
        case .idle: cut(link)
        case .head, .body: refuse(.stopping, link)
        case .working, .writing: link.closesAfterResponse = true
        case .lingering: break
        case .socket:
          link.socket?.close(code: 1001, reason: "The server is stopping.")
          lws_callback_on_writable(link.wsi)
        }
        settle(link)
      }
    }

    private func wait(_ seconds: Double) {
      deadline = Self.now + seconds
      // Without an event the library waits for longer than that.
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [mailbox] in mailbox.wake() }
    }

    /// Whether the loop may end; gives up the requests at work when their time is over.
    private func isOver() -> Bool {
      if links.values.allSatisfy({ $0.phase == .idle }) { return true }
      guard let deadline, Self.now >= deadline else { return false }
      let late = links.values.filter { $0.phase == .working }
      guard !hasGivenUp, !late.isEmpty else { return true }
      hasGivenUp = true
      for link in late {
        link.task?.cancel()
        refuse(.stopping, link)
        settle(link)
      }
      wait(Self.farewellSeconds)
      return false
    }

    // MARK: Writing

    /// Writes bytes to a peer; false when the connection is lost.
    func write(_ bytes: some Collection<UInt8>, to link: ServerLink) -> Bool {
      let count = bytes.count
      guard count > 0 else { return true }
      // Space for a large message does not stay.
      guard count > Self.chunk else { return Self.write(bytes, through: &buffer, to: link) }
      var large = [UInt8](repeating: 0, count: Self.pre + count)
      return Self.write(bytes, through: &large, to: link)
    }

    private static func write(
      _ bytes: some Collection<UInt8>, through buffer: inout [UInt8], to link: ServerLink
    ) -> Bool {
      let count = bytes.count
      return buffer.withUnsafeMutableBufferPointer { buffer in
        let place = UnsafeMutableBufferPointer(rebasing: buffer[pre..<pre + count])
        _ = place.update(fromContentsOf: bytes)
        guard let start = place.baseAddress else { return false }
        return lws_write(link.wsi, start, count, LWS_WRITE_HTTP) >= count
      }
    }

    /// Writes a part of a file; false when the connection or the file is lost.
    func write(_ file: OpenFile, offset: Int, count: Int, to link: ServerLink) -> Bool {
      buffer.withUnsafeMutableBytes { buffer in
        let place = UnsafeMutableRawBufferPointer(rebasing: buffer[Self.pre..<Self.pre + count])
        guard file.read(into: place, offset: offset) == count,
          let start = place.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        return lws_write(link.wsi, start, count, LWS_WRITE_HTTP) >= count
      }
    }
  }
#endif
