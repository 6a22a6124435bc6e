#if os(Linux)
  import CLWS
  import Glibc

  /// Requests and their answers. What returns a `Bool` says whether the connection goes on.
  extension ServerLoop {
    /// Bytes of a refused request that are read and dropped, so that its client gets to read the answer.
    private static let lingeringLimit = 4 << 20

    func receive(_ bytes: UnsafeRawBufferPointer, _ link: ServerLink) -> Bool {
      switch link.phase {
      case .idle, .head, .body: return advance(link, bytes)
      case .socket: return receiveFrames(bytes, link)
      case .working, .writing:
        // What came before reading was paused.
        link.input += bytes
        return link.input.count <= Self.readSize * 4
      case .lingering:
        link.dropped += bytes.count
        return link.dropped <= Self.lingeringLimit
      }
    }

    /// Reads as much as belongs to one request, and keeps the rest for later.
    private func advance(_ link: ServerLink, _ bytes: UnsafeRawBufferPointer) -> Bool {
      var rest = bytes[...]
      if link.phase == .idle || link.phase == .head {
        do {
          let head = try link.reader.take(&rest)
          // An empty line begins no request.
          if link.reader.hasBegun { link.phase = .head }
          guard let head else { return true }
          begin(head, link, isBodyThere: !rest.isEmpty)
        } catch {
          refuse(error, link)
        }
      }
      if link.phase == .body {
        let piece = rest.prefix(link.bodyLeft)
        link.request?.body += piece
        link.bodyLeft -= piece.count
        rest = rest.dropFirst(piece.count)
        if link.bodyLeft == 0 { dispatch(link) }
      }
      if link.phase == .socket { return receiveFrames(UnsafeRawBufferPointer(rebasing: rest), link) }
      if !link.closesAfterResponse { link.input += rest }
      return true
    }

    private func begin(_ head: RequestHead, _ link: ServerLink, isBodyThere: Bool) {
      link.request = head.request
      link.request?.isSecure = configuration.tls != nil
      link.closesAfterResponse = head.closes
      if isStopping { return refuse(.stopping, link) }
      if head.wantsWebSocket { return openSocket(head, link) }
      guard head.bodyLength <= configuration.maximumBody else {
        return refuse(.largeBody(limit: configuration.maximumBody), link)
      }
      guard head.bodyLength > 0 else { return dispatch(link) }
      link.phase = .body
      link.bodyLeft = head.bodyLength
      if head.expectsContinue, !isBodyThere {
        link.output = ResponseHead.goOn
        lws_callback_on_writable(link.wsi)
      }
    }

    /// Hands the request on.
    private func dispatch(_ link: ServerLink) {
      guard let request = link.request else { return }
      let respond = handlers.respond
      work(link) { await respond(request) }
    }

    /// Answers a request with the reason why it is not served; the connection ends then.
    func refuse(_ refusal: HTTPRefusal, _ link: ServerLink) {
      let (request, refuse) = (link.request ?? link.reader.request, handlers.refuse)
      link.closesAfterResponse = true
      link.isCutShort = true
      link.input = []
      work(link) { await refuse(refusal, request) }
    }

    private func work(_ link: ServerLink, _ body: @escaping @Sendable () async -> HTTPResponse) {
      link.phase = .working
      link.silentSeconds = 0
      link.requestNumber += 1
      let (id, number, mailbox) = (link.id, link.requestNumber, mailbox)
      link.task = Task {
        let response = await body()
        mailbox.post(.respond(response, request: number), to: id)
      }
    }

    /// The system's POLLRDHUP, which Swift does not see.
    private static let readHangUp: Int16 = 0x2000

    /// A client that has closed its side may have left, or only say that it asks no more: its request goes on for as
    /// long as a connection may wait, and is then cancelled. What it answers is sent all the same.
    func watch(_ link: ServerLink) {
      var entry = pollfd(fd: lws_get_socket_fd(link.wsi), events: Self.readHangUp, revents: 0)
      guard poll(&entry, 1, 0) > 0, entry.revents & Self.readHangUp != 0 else { return }
      link.silentSeconds += 1
      if Double(link.silentSeconds) >= configuration.idleSeconds { link.task?.cancel() }
    }

    /// The answer goes out as soon as the network takes it.
    func answer(_ response: HTTPResponse, _ link: ServerLink) {
      link.phase = .writing
      link.task = nil
      waits(link)
      link.response = response
      link.written = nil
      lws_callback_on_writable(link.wsi)
    }

    /// The network takes bytes: everything that was written before is out.
    func write(_ link: ServerLink) -> Bool {
      if !link.output.isEmpty {
        let output = link.output
        link.output = []
        guard write(output, to: link) else { return false }
        if link.phase != .body { lws_callback_on_writable(link.wsi) }
        return true
      }
      switch link.phase {
      case .writing: return writeResponse(link)
      case .socket: return writeSocket(link)
      case .idle, .head, .body, .working, .lingering: return true
      }
    }

    private func writeResponse(_ link: ServerLink) -> Bool {
      guard let response = link.response else { return false }
      let total =
        link.request?.method == "HEAD" || [204, 304].contains(response.status) ? 0 : response.body.count
      // Each step has its own time.
      link.timedPhase = nil
      if link.written == total { return endResponse(link) }
      var head: [UInt8] = []
      if link.written == nil { head = ResponseHead.bytes(of: response, closes: link.closesAfterResponse) }
      let written = link.written ?? 0
      let count = min(Self.chunk, total - written)
      let isWritten =
        switch response.body {
        case .bytes(let bytes) where head.isEmpty: write(bytes[written..<written + count], to: link)
        case .bytes(let bytes): write(head + bytes[..<count], to: link)
        case .file(let file, let offset, _):
          write(head, to: link)
            && (count == 0 || write(file, offset: offset + written, count: count, to: link))
        }
      guard isWritten else { return false }
      link.written = written + count
      if link.written == total, lws_partial_buffered(link.wsi) == 0 { return endResponse(link) }
      lws_callback_on_writable(link.wsi)
      return true
    }

    private func endResponse(_ link: ServerLink) -> Bool {
      link.response = nil
      link.request = nil
      link.written = nil
      guard !link.closesAfterResponse else { return linger(link) }
      link.phase = .idle
      link.reader = RequestReader()
      link.timedPhase = nil
      waits(link)
      guard !link.input.isEmpty else { return true }
      let input = link.input
      link.input = []
      return input.withUnsafeBytes { advance(link, $0) }
    }

    /// Says that nothing follows, and waits for the peer to close: a close that meets bytes on their way would take
    /// the answer from it (RFC 9112, section 9.6).
    func linger(_ link: ServerLink) -> Bool {
      // TLS has no half of a connection to close.
      if configuration.tls == nil {
        shutdown(lws_get_socket_fd(link.wsi), Int32(SHUT_WR))
      } else if !link.isCutShort {
        return false
      }
      link.phase = .lingering
      waits(link)
      return true
    }
  }
#endif
