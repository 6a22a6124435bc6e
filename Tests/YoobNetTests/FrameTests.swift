import Testing

@testable import YoobNet

@Suite("WebSocket frames")
struct FrameTests {
  private func read(_ bytes: [UInt8], limit: Int = 1000, cut: Int? = nil) -> [FrameReader.Event] {
    var reader = FrameReader(limit: limit)
    return bytes.withUnsafeBytes { bytes in
      guard let cut else { return reader.take(bytes) }
      return reader.take(UnsafeRawBufferPointer(rebasing: bytes[..<cut]))
        + reader.take(UnsafeRawBufferPointer(rebasing: bytes[cut...]))
    }
  }

  @Test("events are the same however the bytes are cut")
  func cuts() {
    let long = [UInt8](repeating: 7, count: 300)
    let bytes: [UInt8] =
      [0x01, 2, 0x67, 0xC3] + [0x89, 1, 9] + [0x80, 1, 0xBC] + [0x82, 0] + [0x8A, 0]
      + [0x82, 126, 1, 44] + long + [0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1, 5] + [
        0x88, 5, 0x0F, 0xA8, 0x61, 0x62, 0x63,
      ]
      + [0x81, 1, 65]
    let events: [FrameReader.Event] = [
      .ping([9]), .text("gü"), .binary([]), .pong, .binary(long), .binary([5]),
      .close(code: 4008, reason: "abc"),
    ]
    #expect(read(bytes) == events)
    for cut in 0...bytes.count { #expect(read(bytes, cut: cut) == events) }
  }

  @Test(
    "what breaks the protocol closes with the code that says so",
    arguments: [
      ([0xC1, 0], 1002), ([0x83, 0], 1002), ([0x8B, 0], 1002), ([0x81, 0x80], 1002), ([0x80, 0], 1002),
      ([0x01, 0, 0x81, 0], 1002), ([0x09, 0], 1002), ([0x89, 126], 1002), ([0x88, 1, 3], 1002),
      ([0x88, 2, 3, 0xED], 1002), ([0x88, 2, 3, 0xE7], 1002), ([0x88, 2, 0x13, 0x88], 1002),
      ([0x88, 3, 3, 0xE8, 0xFF], 1007), ([0x81, 1, 0xFF], 1007), ([0x01, 1, 0xC3, 0x80, 0], 1007),
      ([0x82, 126, 3, 0xE9], 1009), ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], 1009),
      ([0x02, 1, 1, 0x80, 126, 3, 0xE8], 1009),
    ] as [([UInt8], Int)])
  func violations(bytes: [UInt8], code: Int) {
    let events = read(bytes + [0x81, 0])
    guard case .violation(code, _) = events.last, events.count == 1 else {
      Issue.record("\(events)")
      return
    }
  }

  @Test(
    "codes of a close are told as they came", arguments: [1000, 1001, 1011, 1012, 1013, 1014, 3000, 4999])
  func codes(code: Int) {
    #expect(read([0x88, 2, UInt8(code >> 8), UInt8(code & 255)]) == [.close(code: code, reason: "")])
    #expect(read([0x88, 0]) == [.close(code: 1005, reason: "")])
  }

  @Test("rubbish is no crash, and no message above the limit")
  func fuzz() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { index in
        // Often a head that is right, so that the reader gets further.
        index % 4 == 0 ? [0x81, 0x02, 0x80, 0x89, 0x01].randomElement() ?? 0 : UInt8.random(in: 0...6)
      }
      for event in read(bytes, limit: 5, cut: bytes.count / 2) {
        if case .binary(let message) = event { #expect(message.count <= 5) }
        if case .text(let text) = event { #expect(text.utf8.count <= 5) }
      }
    }
  }

  @Test("a client masks, and says the length in its shortest form", arguments: [0, 125, 126, 65_535, 65_536])
  func writing(count: Int) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let frame = FrameWriter.frame(.binary(payload))
    let extra = count < 126 ? 0 : count < 65_536 ? 2 : 8
    #expect(frame.count == 2 + extra + 4 + count)
    #expect(frame[0] == 0x82)
    #expect(frame[1] == 0x80 | (extra == 0 ? UInt8(count) : extra == 2 ? 126 : 127))
    #expect(frame[2..<2 + extra].reduce(0) { $0 << 8 | Int($1) } == (extra == 0 ? 0 : count))
    let mask = Array(frame[2 + extra..<6 + extra])
    let isSame = frame[(6 + extra)...].enumerated().allSatisfy { $1 ^ mask[$0 & 3] == payload[$0] }
    #expect(isSame)
  }

  @Test("a reason is cut between letters")
  func reason() {
    let frame = FrameWriter.close(code: 1000, reason: "a" + String(repeating: "é", count: 100))
    #expect(frame.count == 2 + 4 + 2 + 119)
    #expect(FrameWriter.close(code: 1005, reason: "x").count == 6)
  }

  @Test("the answer's key is that of RFC 6455, section 1.3")
  func accept() {
    #expect(ClientHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test("SHA-1 gives the digest of FIPS 180-4's examples")
  func digest() {
    let hex = { (text: String) in
      SHA1.digest(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    #expect(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
  }
}
