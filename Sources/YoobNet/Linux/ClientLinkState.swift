#if os(Linux)
  import CLWS
  import Foundation

  /// A WebSocket as the client's loop knows it.
  final class ClientLinkState {
    let socket: ClientSocket
    /// Addresses that were not tried yet.
    var addresses: [String]
    var wsi: OpaquePointer?
    var isOpen = false
    var subprotocol: String?
    /// Whether a byte came since the timer ran out last.
    var hasHeard = true
    /// Why the handshake failed, where the library does not know.
    var failure: NetError?
    private(set) var peerClose: (code: Int, reason: String)?
    private(set) var lossReason = ""
    private var isPinged = false
    private var pingIsDue = false
    /// The message that is being received.
    private var partial: [UInt8] = []

    init(_ socket: ClientSocket, addresses: [String]) {
      self.socket = socket
      self.addresses = addresses
    }

    // MARK: Receiving

    func receive(_ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ length: Int) -> Int32 {
      hasHeard = true
      // What comes after this side's farewell is not read.
      guard !socket.isClosing else { return 0 }
      if let input, length > 0 { partial += UnsafeRawBufferPointer(start: input, count: length) }
      let limit = socket.plan.maxMessageBytes
      guard partial.count <= limit, lws_remaining_packet_payload(wsi) <= limit - partial.count else {
        return refuse(wsi, code: 1009, reason: "A message may have \(limit) bytes.")
      }
      guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else { return 0 }
      let bytes = partial
      partial = []
      let event: WebSocketLinkEvent
      if lws_frame_is_binary(wsi) != 0 {
        event = .binary(bytes)
      } else if let text = String(validating: bytes, as: UTF8.self) {
        event = .text(text)
      } else {
        return refuse(wsi, code: 1007, reason: "The text is not UTF-8.")
      }
      if socket.inbox.put(event) { lws_rx_flow_control(wsi, 0) }
      return 0
    }

    /// Closes because of what the peer sent.
    private func refuse(_ wsi: OpaquePointer, code: Int, reason: String) -> Int32 {
      partial = []
      socket.close(code: code, reason: reason)
      LibraryBuffer.leaveClose(wsi, code: code, reason: reason)
      return -1
    }

    func peerCloses(_ input: UnsafeMutableRawPointer?, _ length: Int) {
      guard let input, length >= 2 else {
        peerClose = (1005, "")
        return
      }
      let bytes = UnsafeRawBufferPointer(start: input, count: length)
      peerClose = (Int(bytes[0]) << 8 | Int(bytes[1]), String(decoding: bytes.dropFirst(2), as: UTF8.self))
    }

    // MARK: Sending

    func write(_ wsi: OpaquePointer, through buffer: inout [UInt8]) -> Int32 {
      if pingIsDue {
        pingIsDue = false
        guard LibraryBuffer.write([], to: wsi, as: LWS_WRITE_PING, through: &buffer) else { return -1 }
        lws_callback_on_writable(wsi)
        return 0
      }
      switch socket.outbox.nextStep() {
      case .nothing: return 0
      case .close(let code, let reason):
        LibraryBuffer.leaveClose(wsi, code: code, reason: reason)
        return -1
      case .send(let message):
        let isWritten =
          switch message {
          case .text(let text): LibraryBuffer.write(text.utf8, to: wsi, as: LWS_WRITE_TEXT, through: &buffer)
          case .binary(let bytes): LibraryBuffer.write(bytes, to: wsi, as: LWS_WRITE_BINARY, through: &buffer)
          }
        guard isWritten else { return -1 }
        lws_callback_on_writable(wsi)
        return 0
      }
    }

    // MARK: Silence

    func schedulePing(_ wsi: OpaquePointer) {
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
      } else {
        isPinged = true
        pingIsDue = true
        lws_callback_on_writable(wsi)
      }
      schedulePing(wsi)
      return 0
    }

    // MARK: Failing

    func text(_ input: UnsafeMutableRawPointer?, _ length: Int) -> String {
      input.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: length), as: UTF8.self) } ?? ""
    }

    /// What the library's words for a failed attempt mean; `status` is the answer's, with its words.
    func error(_ reason: String, status: String?) -> NetError {
      if let failure { return failure }
      let place = socket.plan.url.place
      let words = reason.lowercased()
      let number = status.flatMap { Int($0.prefix(3)) }
      if words.contains("cert") || words.contains("tls") || words.contains("ssl") {
        return .tls(host: place, reason: reason)
      }
      if let number, number != 101 { return .noWebSocket(host: place, status: number) }
      if words.contains("closed before") { return .closedEarly(host: place) }
      if words.contains("conn fail") || words.contains("connect failed") { return .refused(host: place) }
      if words.hasPrefix("hs:") { return .invalidAnswer(host: place, reason: reason) }
      return .failed(host: place, reason: reason.isEmpty ? "the library gives no reason" : reason)
    }
  }
#endif
