/// Reads what the other side of a WebSocket sends (RFC 6455, section 5), however the bytes are cut.
struct FrameReader {
  enum Event: Equatable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong
    /// 1005 where the peer names no code.
    case close(code: Int, reason: String)
    /// The connection is to be closed with this.
    case violation(code: Int, reason: String)
  }

  /// Largest message, in bytes.
  let limit: Int
  /// Whether the other side is a client, which masks what it sends.
  let isMasked: Bool
  private var head: [UInt8] = []
  /// The frame whose payload is being read.
  private var frame: (opcode: UInt8, isFinal: Bool, length: Int, left: Int)?
  /// The message that is being read, and whether it is text.
  private var message: [UInt8] = []
  private var isText: Bool?
  private var control: [UInt8] = []
  private var mask: [UInt8] = []
  /// After a close or a violation nothing is read.
  private var isOver = false

  init(limit: Int, isMasked: Bool = false) {
    self.limit = limit
    self.isMasked = isMasked
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    var events: [Event] = []
    var rest = bytes[...]
    while !isOver, !rest.isEmpty || frame?.left == 0 {
      let event = frame == nil ? readHead(&rest) : readPayload(&rest)
      switch event {
      case .close, .violation: isOver = true
      default: break
      }
      if let event { events.append(event) }
    }
    return events
  }

  private static func broken(_ reason: String) -> Event { .violation(code: 1002, reason: reason) }

  /// Takes a byte of a head; a violation, if it is one.
  private mutating func readHead(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Event? {
    head.append(rest.removeFirst())
    guard head.count >= 2 else { return nil }
    let (first, second) = (head[0], head[1])
    let opcode = first & 15
    let isFinal = first & 0x80 != 0
    guard first & 0x70 == 0 else { return Self.broken("A reserved bit is set.") }
    guard (second & 0x80 != 0) == isMasked else {
      return Self.broken(isMasked ? "A client masks everything." : "A server masks nothing.")
    }
    let short = second & 0x7F
    switch opcode {
    case 0: guard isText != nil else { return Self.broken("There is nothing to continue.") }
    case 1, 2: guard isText == nil else { return Self.broken("A message begins in another.") }
    case 8...10:
      guard isFinal, short < 126 else { return Self.broken("A control frame is too long.") }
    default: return Self.broken("A frame's kind is unknown.")
    }
    let extra = short == 127 ? 8 : short == 126 ? 2 : 0
    guard head.count >= 2 + extra else { return nil }
    let length = extra == 0 ? UInt64(short) : head[2..<2 + extra].reduce(0) { $0 << 8 | UInt64($1) }
    if opcode < 8 {
      guard length <= UInt64(max(0, limit - message.count)) else {
        return .violation(code: 1009, reason: "A message may have \(limit) bytes.")
      }
    }
    guard head.count == 2 + extra + (isMasked ? 4 : 0) else { return nil }
    mask = Array(head[(2 + extra)...])
    head = []
    if opcode < 8 {
      if opcode > 0 { isText = opcode == 1 }
    }
    frame = (opcode, isFinal, Int(length), Int(length))
    return nil
  }

  /// Takes bytes of a payload; what its end makes.
  private mutating func readPayload(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Event? {
    guard var current = frame else { return nil }
    let piece = rest.prefix(current.left)
    rest = rest.dropFirst(piece.count)
    let offset = current.length - current.left
    if current.opcode < 8 {
      Self.add(piece, to: &message, mask: mask, offset: offset)
    } else {
      Self.add(piece, to: &control, mask: mask, offset: offset)
    }
    current.left -= piece.count
    frame = current
    guard current.left == 0 else { return nil }
    frame = nil
    if current.opcode >= 8 {
      defer { control = [] }
      switch current.opcode {
      case 8: return Self.close(control)
      case 9: return .ping(control)
      default: return .pong
      }
    }
    guard current.isFinal else { return nil }
    defer {
      message = []
      isText = nil
    }
    guard isText == true else { return .binary(message) }
    guard let text = String(validating: message, as: UTF8.self) else {
      return .violation(code: 1007, reason: "The text is not UTF-8.")
    }
    return .text(text)
  }

  /// `offset` is the place of the piece in its frame.
  private static func add(
    _ piece: Slice<UnsafeRawBufferPointer>, to bytes: inout [UInt8], mask: [UInt8], offset: Int
  ) {
    let start = bytes.count
    bytes += piece
    guard !mask.isEmpty else { return }
    bytes.withUnsafeMutableBufferPointer { bytes in
      for index in start..<bytes.count { bytes[index] ^= mask[(offset + index - start) & 3] }
    }
  }

  /// Whether a code may travel (RFC 6455, section 7.4, and IANA's registry).
  static func isCode(_ code: Int) -> Bool {
    (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
  }

  private static func close(_ payload: [UInt8]) -> Event {
    guard !payload.isEmpty else { return .close(code: 1005, reason: "") }
    guard payload.count >= 2 else { return broken("A close's code is cut off.") }
    let code = Int(payload[0]) << 8 | Int(payload[1])
    guard isCode(code) else { return broken("A close's code is not allowed.") }
    guard let reason = String(validating: payload[2...], as: UTF8.self) else {
      return .violation(code: 1007, reason: "The reason is not UTF-8.")
    }
    return .close(code: code, reason: reason)
  }
}
