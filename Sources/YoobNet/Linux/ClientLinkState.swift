#if os(Linux)
  import CLWS
  import Foundation

  /// A WebSocket as the client's loop knows it. The library carries its bytes; what they mean is
  /// read here, because the library turns the codes 1012 to 1014 of a close into 1002.
  final class ClientLinkState {
    /// LWS_WRITE_RAW, which the header defines by this.
    private static let raw = LWS_WRITE_HTTP

    let socket: ClientSocket
    /// Addresses that were not tried yet.
    var addresses: [String]
    var wsi: OpaquePointer?
    private(set) var isOpen = false
    private(set) var peerClose: (code: Int, reason: String)?
    private(set) var lossReason = ""
    private var handshake: ClientHandshake
    private var frames: FrameReader
    /// Bytes that go out before the next message.
    private var urgent: [UInt8] = []
    /// Whether the connection ends when everything urgent is out.
    private var endsAfterUrgent = false
    private var hasSentClose = false
    /// Whether a byte came since the timer ran out last.
    private var hasHeard = true
    private var isPinged = false

    init(_ socket: ClientSocket, addresses: [String]) {
      self.socket = socket
      self.addresses = addresses
      handshake = ClientHandshake(socket.plan)
      frames = FrameReader(limit: socket.plan.maxMessageBytes)
    }

    func connected(_ wsi: OpaquePointer) -> Int32 {
      self.wsi = wsi
      guard socket.isPending else { return -1 }
      urgent = handshake.request
      lws_callback_on_writable(wsi)
      return 0
    }

    // MARK: Receiving

    func receive(_ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ length: Int) -> Int32 {
      hasHeard = true
      guard let input, length > 0, peerClose == nil else { return 0 }
      var rest = UnsafeRawBufferPointer(start: input, count: length)[...]
      if !isOpen {
        do {
          guard let agreement = try handshake.take(&rest) else { return 0 }
          guard socket.opened(subprotocol: agreement.subprotocol) else { return -1 }
        } catch {
          socket.fail(error)
          return -1
        }
        isOpen = true
        schedulePing(wsi)
        lws_callback_on_writable(wsi)
      }
      var pauses = false
      for event in frames.take(UnsafeRawBufferPointer(rebasing: rest)) {
        if obey(event, wsi) { pauses = true }
      }
      if pauses, !socket.isClosing { lws_rx_flow_control(wsi, 0) }
      return 0
    }

    /// True when reading from the network should pause.
    private func obey(_ event: FrameReader.Event, _ wsi: OpaquePointer) -> Bool {
      switch event {
      // What comes after this side's farewell is not read.
      case .text(let text): return !socket.isClosing && socket.inbox.put(.text(text))
      case .binary(let bytes): return !socket.isClosing && socket.inbox.put(.binary(bytes))
      case .pong: return false
      case .ping(let payload):
        // A peer that pings and does not read gets one answer for many.
        if urgent.count < 4096, !hasSentClose { urgent += FrameWriter.pong(payload) }
      case .close(let code, let reason):
        peerClose = (code, reason)
        if !hasSentClose { urgent += FrameWriter.close(code: code, reason: "") }
        hasSentClose = true
        endsAfterUrgent = true
        socket.peerClosed()
      case .violation(let code, let reason):
        socket.close(code: code, reason: reason)
        if !hasSentClose { urgent += FrameWriter.close(code: code, reason: reason) }
        hasSentClose = true
        endsAfterUrgent = true
      }
      lws_callback_on_writable(wsi)
      return false
    }

    // MARK: Sending

    func write(_ wsi: OpaquePointer, through buffer: inout [UInt8]) -> Int32 {
      if urgent.isEmpty {
        if endsAfterUrgent { return -1 }
        guard isOpen, !hasSentClose else { return 0 }
        switch socket.outbox.nextStep() {
        case .nothing: return 0
        case .send(let message): urgent = FrameWriter.frame(message)
        case .close(let code, let reason):
          urgent = FrameWriter.close(code: code, reason: reason)
          hasSentClose = true
        }
      }
      let bytes = urgent
      urgent = []
      // The library keeps what the system does not take at once, and asks for more only after that.
      guard LibraryBuffer.write(bytes, to: wsi, as: Self.raw, through: &buffer) else { return -1 }
      lws_callback_on_writable(wsi)
      return 0
    }

    // MARK: Silence

    private func schedulePing(_ wsi: OpaquePointer) {
      let seconds = max(0.001, min(socket.plan.pingInterval, 86_400))
      lws_set_timer_usecs(wsi, lws_usec_t(seconds * 1_000_000))
    }

    /// The interval is over: pings a silent peer, and gives one up that stays silent.
    func tick(_ wsi: OpaquePointer) -> Int32 {
      guard isOpen else { return 0 }
      if hasHeard || socket.inbox.isPaused {
        hasHeard = false
        isPinged = false
      } else if isPinged {
        lossReason = "The peer has gone silent."
        return -1
      } else if !hasSentClose {
        isPinged = true
        urgent += FrameWriter.ping()
        lws_callback_on_writable(wsi)
      }
      schedulePing(wsi)
      return 0
    }

    // MARK: Failing

    /// What the library's words for a failed attempt mean.
    func error(_ reason: String) -> NetError {
      let place = socket.plan.url.place
      let words = reason.lowercased()
      if words.contains("cert") || words.contains("tls") || words.contains("ssl") {
        return .tls(host: place, reason: reason)
      }
      if words.contains("conn fail") || words.contains("connect") { return .refused(host: place) }
      return .failed(host: place, reason: reason.isEmpty ? "the library gives no reason" : reason)
    }
  }
#endif
