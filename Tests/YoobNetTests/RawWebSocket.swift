#if os(Linux)
  @testable import YoobNet

  /// The server's side of WebSockets, written out byte by byte (RFC 6455).
  extension RawPeer {
    /// Answers the handshake as it should be; the request's head.
    @discardableResult func acceptWebSocket(protocol name: String? = nil) -> String {
      let head = readHead()
      write(Self.answer(accept: Self.accept(head), protocol: name))
      return head
    }

    static func answer(accept: String, protocol name: String? = nil) -> String {
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(accept)\r\n" + (name.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? "")
        + "\r\n"
    }

    /// The key that proves that the head was read.
    static func accept(_ head: String) -> String {
      let line = head.split(whereSeparator: \.isNewline).first {
        $0.lowercased().hasPrefix("sec-websocket-key:")
      }
      let key = line?.split(separator: ":").last?.filter { $0 != " " } ?? ""
      return ClientHandshake.accept(key)
    }

    @discardableResult func writeFrame(
      _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, length: UInt64? = nil
    ) -> Bool {
      var frame = [opcode | (isFinal ? 0x80 : 0)]
      let length = length ?? UInt64(payload.count)
      switch length {
      case 0..<126: frame.append(UInt8(length))
      case 126..<65_536: frame += [126, UInt8(length >> 8), UInt8(length & 255)]
      default: frame += [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
      }
      return write(frame + payload)
    }

    @discardableResult func writeClose(_ code: Int, _ reason: String) -> Bool {
      writeFrame(8, [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
    }

    /// The next frame of a client, unmasked; nil when it has gone.
    func readFrame() -> (opcode: UInt8, payload: [UInt8])? {
      let head = read(exactly: 2)
      guard head.count == 2, head[1] & 0x80 != 0 else { return nil }
      var length = Int(head[1] & 0x7F)
      if length == 126 {
        length = read(exactly: 2).reduce(0) { $0 << 8 | Int($1) }
      } else if length == 127 {
        length = read(exactly: 8).reduce(0) { $0 << 8 | Int($1) }
      }
      let mask = read(exactly: 4)
      let payload = length == 0 ? [] : read(exactly: length)
      guard mask.count == 4, payload.count == length else { return nil }
      return (head[0] & 15, payload.enumerated().map { $1 ^ mask[$0 & 3] })
    }
  }
#endif
