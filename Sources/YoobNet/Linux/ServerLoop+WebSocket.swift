#if os(Linux)
  import CLWS
  import Foundation

  /// WebSockets.
  extension ServerLoop {
    /// The name under which the library finds connections without a subprotocol; clients that
    /// offer it by name get none.
    static let plainProtocol = "yoob.plain-http"

    /// The headers are gone when the socket is open: the request is read here.
    func confirmUpgrade(_ wsi: OpaquePointer, to name: UnsafeMutableRawPointer?) -> Int32 {
      waiting.remove(UInt(bitPattern: wsi))
      let link = openLink(wsi)
      let request = request(wsi)
      link.request = request
      let protocolName = name.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
      let refusal: HTTPResponse? =
        protocolName?.lowercased() == "websocket"
        ? handlers.refuseWebSocket(request)
        : .text("Only upgrades to WebSockets are possible.\n", status: 400)
      guard let refusal else { return 0 }
      _ = writeRefusal(refusal, to: wsi)
      return -1
    }

    func openSocket(_ wsi: OpaquePointer) -> Int32 {
      guard let link = link(wsi), let request = link.request else { return -1 }
      link.request = nil
      let name = lws_get_protocol(wsi).map { String(cString: $0.pointee.name) }
      let (id, mailbox, serve) = (link.id, mailbox, handlers.serveWebSocket)
      let socket = WebSocketConnection(
        request: request, subprotocol: name == Self.plainProtocol ? nil : name,
        outboxLimit: configuration.outboxLimit
      ) { signal in
        mailbox.post(.socket(signal), to: id)
      }
      link.socket = socket
      Task {
        await serve(socket)
        socket.close(code: 1000)
      }
      return 0
    }

    func receive(_ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ length: Int) -> Int32 {
      guard let link = link(wsi), let socket = link.socket else { return -1 }
      if let input, length > 0 {
        link.partial += UnsafeRawBufferPointer(start: input, count: length)
      }
      guard link.partial.count <= configuration.maximumMessage else {
        return close(
          wsi, code: 1009, reason: "A message may have \(configuration.maximumMessage) bytes.")
      }
      guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else { return 0 }
      let bytes = link.partial
      link.partial = []
      let message: WebSocketMessage =
        lws_frame_is_binary(wsi) != 0 ? .binary(bytes) : .text(String(decoding: bytes, as: UTF8.self))
      if socket.messages.deliver(message) { lws_rx_flow_control(wsi, 0) }
      return 0
    }

    func writeSocket(_ wsi: OpaquePointer) -> Int32 {
      guard let socket = link(wsi)?.socket else { return -1 }
      switch socket.nextStep() {
      case .nothing: return 0
      case .close(let code, let reason): return close(wsi, code: code, reason: reason)
      case .send(let message):
        let isWritten =
          switch message {
          case .text(let text): write(text.utf8, to: wsi, as: LWS_WRITE_TEXT)
          case .binary(let bytes): write(bytes, to: wsi, as: LWS_WRITE_BINARY)
          }
        guard isWritten else { return -1 }
        lws_callback_on_writable(wsi)
        return 0
      }
    }

    /// Leaves a close frame to be sent and asks the library to close: what a callback returns.
    private func close(_ wsi: OpaquePointer, code: Int, reason: String) -> Int32 {
      var text = Array(reason.utf8.prefix(120))
      while String(validating: text, as: UTF8.self) == nil { text.removeLast() }
      text.withUnsafeMutableBufferPointer { text in
        lws_close_reason(
          wsi, lws_close_status(rawValue: UInt32(code)), text.baseAddress, text.count)
      }
      return -1
    }
  }
#endif
