import Testing

@testable import YoobNet

@Suite("Reading requests", .serialized)
struct RequestReaderTests {
  /// What comes of a head, given in pieces of so many bytes.
  private func read(_ text: String, piece: Int = .max) throws -> (head: RequestHead?, rest: String) {
    var reader = RequestReader()
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = piece > bytes.count - start ? bytes.count : start + piece
      let (head, left): (RequestHead?, Int) = try bytes[start..<end].withUnsafeBytes { bytes in
        var rest = bytes[...]
        return (try reader.take(&rest), rest.count)
      }
      start = end
      if let head { return (head, String(decoding: bytes[(end - left)...], as: UTF8.self)) }
    }
    return (nil, "")
  }

  @Test("a request is read however it is cut", arguments: [1, 2, 3, 7, 1000])
  func pieces(piece: Int) throws {
    let text =
      "\r\nPOST /a%20b?c=d%26e HTTP/1.1\r\nHost: x\r\nX-Two:  one two\t\r\nContent-Length: 5\r\nX-Empty:\r\n\r\nhello"
    let (head, rest) = try read(text, piece: piece)
    let request = try #require(head?.request)
    #expect(request.method == "POST")
    #expect(request.path == "/a b")
    #expect(request.query == "c=d%26e")
    #expect(request.queryValue("c") == "d&e")
    #expect(request.headers["x-two"] == "one two")
    #expect(request.headers["x-empty"] == "")
    #expect(head?.bodyLength == 5)
    #expect(head?.closes == false)
    #expect("hello".hasPrefix(rest))
  }

  @Test("a value of the query is decoded as forms encode it, and only once")
  func query() {
    let request = HTTPRequest(path: "/", query: "a=b+c%2B&d&e=%2525&%66=g&h=%zz&a=2")
    #expect(request.queryValue("a") == "b c+")
    #expect(request.queryValue("d") == "")
    #expect(request.queryValue("e") == "%25")
    #expect(request.queryValue("f") == "g")
    #expect(request.queryValue("h") == nil)
  }

  @Test("a plus in a path stays one")
  func plus() throws {
    #expect(try read("GET /a+b HTTP/1.1\r\nHost: x\r\n\r\n").head?.request.path == "/a+b")
  }

  @Test(
    "when the connection ends after the answer",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: x", false), ("GET / HTTP/1.0", true),
      ("GET / HTTP/1.1\r\nHost: x\r\nConnection: close", true),
      ("GET / HTTP/1.1\r\nHost: x\r\nConnection: foo, Close", true),
      ("GET / HTTP/1.1\r\nHost: x\r\nConnection: foo\r\nConnection: close", true),
      ("POST / HTTP/1.1\r\nHost: x", true), ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0", false),
    ])
  func closes(text: String, closes: Bool) throws {
    #expect(try read(text + "\r\n\r\n").head?.closes == closes)
  }

  @Test(
    "a WebSocket is asked for by two fields, and nothing else is understood by Upgrade",
    arguments: [
      ("Upgrade: websocket\r\nConnection: Upgrade", true),
      ("Upgrade: WebSocket\r\nConnection: keep-alive, upgrade", true), ("Upgrade: websocket", false),
      ("Connection: Upgrade", false), ("Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings", false),
    ])
  func upgrade(fields: String, isWanted: Bool) throws {
    #expect(try read("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n").head?.wantsWebSocket == isWanted)
  }

  @Test("damaged heads are refused, or read as requests of this server", arguments: 0..<4)
  func fuzz(seed: UInt64) throws {
    var random = Seeded(state: seed)
    let seeds = [
      "GET /a?b=c HTTP/1.1\r\nHost: x\r\nCookie: a\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n",
    ]
    let characters: [UInt8] = Array("\r\n\t :/%?#0aZ,\0".utf8) + [0x7F, 0xFF]
    for _ in 0..<200 {
      var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = characters.randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: place)
        default: bytes.insert(characters.randomElement(using: &random) ?? 0, at: place)
        }
      }
      var reader = RequestReader()
      var outcomes: [String] = []
      // Whole, and byte by byte: the outcome is the same.
      for piece in [bytes.count, 1] {
        reader = RequestReader()
        var outcome = "waits"
        for start in stride(from: 0, to: bytes.count, by: piece) where outcome == "waits" {
          bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { bytes in
            var rest = bytes[...]
            do throws(HTTPRefusal) {
              guard let head = try reader.take(&rest) else { return }
              #expect(head.request.path.hasPrefix("/") && !head.request.path.contains("\0"))
              #expect(head.bodyLength >= 0)
              for (name, value) in head.request.headers.fields {
                #expect(!name.isEmpty && !(name + value).utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 })
              }
              outcome = "\(head)"
            } catch {
              outcome = "\(error.status)"
            }
          }
        }
        outcomes.append(outcome)
      }
      #expect(outcomes[0] == outcomes[1])
    }
  }

  /// SplitMix64.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }
}
