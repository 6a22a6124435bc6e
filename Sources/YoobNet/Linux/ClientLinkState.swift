#if canImport(CCurl)
  import CCurl
  import Glibc

  /// A WebSocket as the client's loop knows it: libcurl carries its bytes, with TLS. Frames are read
  /// here: libwebsockets as a client turns the codes 1012 to 1014 of a close into 1002.
  final class ClientLinkState {
    /// What is left to do for a connection.
    enum Progress { case waits, hasMore, ended }

    let socket: ClientSocket
    private(set) var isConnected = false
    /// Whether the network waits for the reader.
    var isPaused = false
    private(set) var nextTick = Double.infinity
    private var isOpen = false
    private var peerClose: (code: Int, reason: String)?
    private var lossReason = ""
    private var handshake: ClientHandshake
    private var frames: FrameReader
    /// Bytes that go out next, from `sent` on.
    private var output: [UInt8] = []
    private var sent = 0
    /// Bytes of the output that answer the peer, about.
    private var waitingAnswers = 0
    /// Whether the connection ends when the output is out.
    private var endsAfterOutput = false
    private var hasSentClose = false
    /// Whether a byte came since the last tick.
    private var hasHeard = true
    /// When the ping was sent that has no answer yet.
    private var pingedAt: Double?
    private let handle: OpaquePointer

    /// Nil without memory.
    init?(_ socket: ClientSocket) {
      guard let handle = Self.open(socket.plan) else { return nil }
      self.socket = socket
      self.handle = handle
      handshake = ClientHandshake(socket.plan)
      frames = FrameReader(limit: socket.plan.maxMessageBytes)
    }

    deinit { yoob_http_close(handle) }

    var easy: UnsafeMutableRawPointer? { yoob_http_easy(handle) }

    private static func open(_ plan: LinkPlan) -> OpaquePointer? {
      let url = (plan.url.isEncrypted ? "https://" : "http://") + plan.url.place + "/"
      return url.withCString { url in
        (plan.authorities?.pem ?? []).withUnsafeBytes { authorities in
          var request = yoob_http_request()
          request.url = url
          // The socket's own timer comes first.
          request.connect_timeout_milliseconds = 86_400_000
          if plan.authorities != nil {
            request.authorities = authorities.bindMemory(to: CChar.self).baseAddress
            request.authorities_length = authorities.count
          }
          request.is_direct = plan.url.isLoopback ? 1 : 0
          return yoob_http_connect(&request)
        }
      }
    }

    /// The connection stands, or has failed; false when it ends here.
    func connected(_ code: CURLcode) -> Bool {
      guard code == CURLE_OK else {
        socket.fail(
          CurlFailure.error(
            code, of: handle, place: socket.plan.url.place, connectTimeout: socket.plan.connectTimeout))
        return false
      }
      isConnected = true
      output = handshake.request
      return true
    }

    /// What the loop waits for.
    var waiting: curl_waitfd {
      let events = (isPaused ? 0 : CURL_WAIT_POLLIN) | (output.isEmpty ? 0 : CURL_WAIT_POLLOUT)
      return curl_waitfd(fd: yoob_http_socket(handle), events: Int16(events), revents: 0)
    }

    /// Reads and writes what can be read and written now.
    func move(through buffer: inout [UInt8]) -> Progress {
      var hasMore = false
      // A bound, so that no connection keeps the others waiting.
      for turn in 0..<16 {
        guard !isPaused, !endsAfterOutput else { break }
        var count = 0
        let code = curl_easy_recv(easy, &buffer, buffer.count, &count)
        if code == CURLE_AGAIN { break }
        guard code == CURLE_OK, count > 0 else { return .ended }
        let isRead = buffer.withUnsafeBytes { receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        guard isRead else { return .ended }
        hasMore = turn == 15
      }
      for turn in 0..<16 {
        if output.isEmpty {
          if endsAfterOutput { return .ended }
          takeNext()
          if output.isEmpty { break }
        }
        var count = 0
        let code = output.withUnsafeBytes { bytes in
          curl_easy_send(easy, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, &count)
        }
        if code == CURLE_AGAIN { break }
        guard code == CURLE_OK else { return .ended }
        sent += count
        if sent == output.count {
          output = []
          sent = 0
          waitingAnswers = 0
        }
        if turn == 15 { hasMore = true }
      }
      return hasMore ? .hasMore : .waits
    }

    /// The connection is gone.
    func ended() {
      if isOpen {
        socket.ended(code: peerClose?.code, reason: peerClose?.reason ?? lossReason)
      } else {
        socket.fail(.closedEarly(host: socket.plan.url.place))
      }
    }

    // MARK: Receiving

    /// False when the connection ends here.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
      hasHeard = true
      var rest = bytes[...]
      if !isOpen {
        do {
          guard let agreement = try handshake.take(&rest) else { return true }
          guard socket.opened(subprotocol: agreement.subprotocol) else { return false }
        } catch {
          socket.fail(error)
          return false
        }
        isOpen = true
        nextTick = HTTPRunner.now + interval
      }
      for event in frames.take(UnsafeRawBufferPointer(rebasing: rest)) { obey(event) }
      return true
    }

    private func obey(_ event: FrameReader.Event) {
      switch event {
      case .text(let text): deliver(.text(text))
      case .binary(let bytes): deliver(.binary(bytes))
      case .pong: break
      case .ping(let payload):
        // Of a peer that pings and does not read, most pings stay without an answer.
        if waitingAnswers < 4096, !hasSentClose { answer(FrameWriter.pong(payload)) }
      case .close(let code, let reason):
        if !socket.isClosing { peerClose = (code, reason) }
        if !hasSentClose { answer(FrameWriter.close(code: code, reason: "")) }
        hasSentClose = true
        endsAfterOutput = true
        socket.peerClosed()
      case .violation(let code, let reason):
        socket.close(code: code, reason: reason)
        if !hasSentClose { answer(FrameWriter.close(code: code, reason: reason)) }
        hasSentClose = true
        endsAfterOutput = true
      }
    }

    /// What comes after this side's farewell is not read.
    private func deliver(_ event: WebSocketLinkEvent) {
      guard !socket.isClosing, socket.inbox.put(event) else { return }
      isPaused = true
    }

    // MARK: Sending

    private func takeNext() {
      guard isOpen, !hasSentClose else { return }
      switch socket.outbox.nextStep() {
      case .nothing: break
      case .send(let message): output = FrameWriter.frame(message)
      case .close(let code, let reason):
        output = FrameWriter.close(code: code, reason: reason)
        hasSentClose = true
      }
    }

    /// Adds a frame behind the one that is going out.
    private func answer(_ frame: [UInt8]) {
      output += frame
      waitingAnswers += frame.count
    }

    // MARK: Silence

    private var interval: Double { max(0.001, min(socket.plan.pingInterval, 86_400)) }

    /// Pings a peer that was silent for an interval; false when it does not answer in time.
    func tick(_ now: Double) -> Bool {
      guard now >= nextTick else { return true }
      nextTick = now + interval
      if hasHeard || isPaused {
        hasHeard = false
        pingedAt = nil
      } else if let pingedAt {
        guard now >= pingedAt + (socket.plan.pongTimeout ?? interval) else { return true }
        lossReason = "The peer has gone silent."
        return false
      } else if !hasSentClose {
        pingedAt = now
        answer(FrameWriter.ping())
      }
      return true
    }
  }
#endif
