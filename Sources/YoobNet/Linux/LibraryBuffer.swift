#if os(Linux)
  import CLWS

  /// What libwebsockets is given to write.
  enum LibraryBuffer {
    /// Space that the library needs before everything that it writes: its macro LWS_PRE.
    static let pre = 16

    /// Writes bytes to a peer; false when the connection is lost. `buffer` is kept between calls.
    static func write(
      _ bytes: some Collection<UInt8>, to wsi: OpaquePointer, as kind: lws_write_protocol,
      through buffer: inout [UInt8]
    ) -> Bool {
      let count = bytes.count
      if buffer.count < pre + count {
        buffer = [UInt8](repeating: 0, count: pre + count)
      }
      return buffer.withUnsafeMutableBufferPointer { buffer in
        let place = UnsafeMutableBufferPointer(rebasing: buffer[pre..<pre + count])
        _ = place.update(fromContentsOf: bytes)
        guard let start = buffer.baseAddress else { return false }
        return lws_write(wsi, start + pre, count, kind) >= count
      }
    }

    /// Leaves a close frame to be sent once the callback returns -1; of the reason at most 120 bytes.
    static func leaveClose(_ wsi: OpaquePointer, code: Int, reason: String) {
      var text = Array(reason.utf8.prefix(120))
      while String(validating: text, as: UTF8.self) == nil { text.removeLast() }
      text.withUnsafeMutableBufferPointer { text in
        lws_close_reason(
          wsi, lws_close_status(rawValue: UInt32(code)), text.baseAddress, text.count)
      }
    }
  }
#endif
