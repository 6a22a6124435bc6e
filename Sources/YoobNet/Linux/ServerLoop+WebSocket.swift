#if os(Linux)
  import CLWS
  import Glibc

  /// WebSockets. What returns a `Bool` says whether the connection goes on.
  extension ServerLoop {
    /// Bytes of answers to pings that may wait; of a peer that pings and does not read, most stay without one.
    private static let answersLimit = 4096

    /// Opens the WebSocket that a request asks for, or refuses it.
    func openSocket(_ head: RequestHead, _ link: ServerLink) {
      guard let request = link.request else { return }
      let handshake: ServerHandshake
      do {
        handshake = try ServerHandshake(head, subprotocols: configuration.subprotocols)
      } catch {
        return refuse(error, link)
      }
      if let refusal = handlers.refuseWebSocket(request) {
        link.closesAfterResponse = true
        return answer(refusal, link)
      }
      let (id, mailbox, serve) = (link.id, mailbox, handlers.serveWebSocket)
      let socket = WebSocketConnection(
        request: request, subprotocol: handshake.subprotocol, outboxLimit: configuration.outboxLimit
      ) { signal in
        mailbox.post(.socket(signal), to: id)
      }
      link.phase = .socket
      link.request = nil
      link.socket = socket
      link.frames = FrameReader(limit: configuration.maximumMessage, isMasked: true)
      link.output = handshake.response
      lws_callback_on_writable(link.wsi)
      Task {
        await serve(socket)
        socket.close(code: 1000)
      }
    }

    func receiveFrames(_ bytes: UnsafeRawBufferPointer, _ link: ServerLink) -> Bool {
      // After this side's farewell only the peer's own counts.
      if !link.hasSentClose { link.silence = 0 }
      for event in link.frames?.take(bytes) ?? [] { obey(event, link) }
      return true
    }

    private func obey(_ event: FrameReader.Event, _ link: ServerLink) {
      switch event {
      case .text(let text): deliver(.text(text), link)
      case .binary(let bytes): deliver(.binary(bytes), link)
      case .pong: break
      case .ping(let payload):
        if link.output.count < Self.answersLimit, !link.hasSentClose {
          send(FrameWriter.pong(payload, isMasked: false), link)
        }
      case .close(let code, _): end(link, code: code, reason: "")
      case .violation(let code, let reason): end(link, code: code, reason: reason)
      }
    }

    private func deliver(_ message: WebSocketMessage, _ link: ServerLink) {
      // What comes after this side's farewell is not read.
      guard !link.hasSentClose, let socket = link.socket else { return }
      if socket.messages.deliver(message) { pause(link, true) }
    }

    /// While its bytes are not read, only TCP can tell that a peer has gone: it must take what is sent.
    func pause(_ link: ServerLink, _ isPaused: Bool) {
      guard link.isPaused != isPaused else { return }
      link.isPaused = isPaused
      link.silence = 0
      var patience = isPaused ? UInt32(clamping: configuration.hangUpAfter * 1000) : 0
      setsockopt(
        lws_get_socket_fd(link.wsi), Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &patience,
        socklen_t(MemoryLayout<UInt32>.size))
    }

    private func send(_ frame: [UInt8], _ link: ServerLink) {
      link.output += frame
      lws_callback_on_writable(link.wsi)
    }

    /// Ends the connection once a close is out, unless one was sent before.
    private func end(_ link: ServerLink, code: Int, reason: String) {
      if !link.hasSentClose { send(FrameWriter.close(code: code, reason: reason, isMasked: false), link) }
      link.hasSentClose = true
      link.endsAfterOutput = true
      link.socket?.finish()
      lws_callback_on_writable(link.wsi)
    }

    func writeSocket(_ link: ServerLink) -> Bool {
      guard !link.endsAfterOutput else { return linger(link) }
      guard !link.hasSentClose, let socket = link.socket else { return true }
      switch socket.nextStep() {
      case .nothing: return true
      case .close(let code, let reason):
        link.hasSentClose = true
        link.silence = 0
        guard write(FrameWriter.close(code: code, reason: reason, isMasked: false), to: link) else {
          return false
        }
      case .send(let message):
        guard write(FrameWriter.frame(message, isMasked: false), to: link) else { return false }
      }
      lws_callback_on_writable(link.wsi)
      return true
    }

    /// Seconds that a peer has to say its farewell.
    private static let farewellSeconds = 5

    /// Counts a second of silence: a peer is pinged, and given up in the end.
    func tickSocket(_ link: ServerLink) -> Bool {
      link.silence += 1
      // A peer whose bytes are not read cannot be heard, but hears.
      if link.isPaused, !link.hasSentClose {
        guard link.silence >= configuration.pingAfter else { return true }
        link.silence = 0
        if link.output.isEmpty { send(FrameWriter.ping(isMasked: false), link) }
        return true
      }
      if link.hasSentClose { return link.silence <= Self.farewellSeconds }
      guard link.silence < configuration.hangUpAfter else { return false }
      if link.silence == configuration.pingAfter { send(FrameWriter.ping(isMasked: false), link) }
      return true
    }
  }
#endif
