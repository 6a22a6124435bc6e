/// Writes what is sent over a WebSocket (RFC 6455, section 5): by a client masked, by a server not.
enum FrameWriter {
  static func frame(_ message: WebSocketMessage, isMasked: Bool = true) -> [UInt8] {
    switch message {
    case .text(let text): frame(1, Array(text.utf8), isMasked)
    case .binary(let bytes): frame(2, bytes, isMasked)
    }
  }

  static func ping(isMasked: Bool = true) -> [UInt8] { frame(9, [], isMasked) }

  static func pong(_ payload: [UInt8], isMasked: Bool = true) -> [UInt8] {
    frame(10, payload, isMasked)
  }

  /// 1005 gives a close without a code; of the reason at most 120 bytes are sent.
  static func close(code: Int, reason: String, isMasked: Bool = true) -> [UInt8] {
    guard code != 1005 else { return frame(8, [], isMasked) }
    var text = Array(reason.utf8.prefix(120))
    while String(validating: text, as: UTF8.self) == nil { text.removeLast() }
    return frame(8, [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)] + text, isMasked)
  }

  private static func frame(_ opcode: UInt8, _ payload: [UInt8], _ isMasked: Bool) -> [UInt8] {
    let count = payload.count
    let bit: UInt8 = isMasked ? 0x80 : 0
    var bytes: [UInt8] = [0x80 | opcode]
    bytes.reserveCapacity(count + 14)
    switch count {
    case ..<126: bytes.append(bit | UInt8(count))
    case ..<65_536: bytes += [bit | 126, UInt8(count >> 8), UInt8(count & 255)]
    default:
      bytes += [bit | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
    guard isMasked else { return bytes + payload }
    let mask = (0..<4).map { _ in UInt8.random(in: 0...255) }
    bytes += mask
    let start = bytes.count
    bytes += payload
    bytes.withUnsafeMutableBufferPointer { bytes in
      for index in 0..<count { bytes[start + index] ^= mask[index & 3] }
    }
    return bytes
  }
}
