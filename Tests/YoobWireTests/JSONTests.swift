import Foundation
import Testing
import VoiceAudio
import YoobWire

@Suite("JSON")
struct JSONTests {
  @Test(
    "a document is read as what it says",
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("-0", .int(0)), ("12", .int(12)), ("1.5e2", .double(150)),
      ("9223372036854775808", .double(9_223_372_036_854_775_808)),
      (#""a\"\\\/\b\f\n\r\té€😀""#, .string("a\"\\/\u{8}\u{C}\n\r\té€😀")),
      (#""\uD83D\uDE00""#, .string("😀")), (#""\uD83Dx""#, .string("\u{FFFD}x")),
      ("[1, [], {}]", .array([.int(1), .array([]), .object([:])])),
      (#"{"a": {"b": [null]}}"#, ["a": ["b": [nil]]]),
    ] as [(String, JSONValue)])
  func reads(text: String, expected: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == expected)
  }

  @Test(
    "a text that is not JSON is refused",
    arguments: [
      "", " ", "{", "}", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "1e", "tru", "nulll",
      "\"", "\"\\x\"", "\"\\u12\"", "\"a\nb\"", "1 2", "[1 2]", "'a'", "NaN", "1e999", "{\"a\":1,}",
      "\u{FEFF}1",
    ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test("bytes that are not UTF-8 are refused")
  func refusesBrokenUTF8() {
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
  }

  @Test("values are nested 64 deep at most")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(64)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(65)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 1_000_000)) }
  }

  @Test("of two members with one name the last one counts")
  func lastMemberCounts() throws {
    #expect(try JSONValue(parsing: #"{"a": 1, "a": 2}"#)["a"] == 2)
  }

  @Test("what is written is read as the same by another reader")
  func agreesWithFoundation() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let value = JSONValue.random(depth: 4, &random)
      let text = value.text
      #expect(try JSONValue(parsing: text) == value)
      let other = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      let again = try JSONSerialization.data(withJSONObject: other, options: .fragmentsAllowed)
      #expect(try JSONValue(parsing: Array(again)).isClose(to: value), "\(text)")
    }
  }

  @Test("changed bytes never crash the reader, and what it accepts it writes back")
  func fuzz() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<3000 {
      var bytes = Array(JSONValue.random(depth: 3, &random).text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 1 where place < bytes.count: bytes.remove(at: place)
        default: bytes.removeSubrange(place...)
        }
      }
      if let value = try? JSONValue(parsing: bytes) {
        #expect(try JSONValue(parsing: value.text) == value)
      }
    }
  }
}

@Suite("Base64")
struct Base64Tests {
  @Test(
    "the standard's vectors",
    arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func vectors(plain: String, encoded: String) {
    #expect(Base64.encode(plain.utf8) == encoded)
    #expect(Base64.decode(encoded) == Array(plain.utf8))
  }

  @Test("any bytes are encoded as another encoder does, and decoded again")
  func agreesWithFoundation() {
    var random = SplitMix64(seed: 3)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(
    "text that is not base64 is refused",
    arguments: ["A", "AA=A", "A===", "====", "AA-_", "é", "AAAA=", "AA A"])
  func refuses(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}

extension JSONValue {
  static func random(depth: Int, _ random: inout SplitMix64) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .int(Int.random(in: -1_000_000...1_000_000, using: &random))
    case 3: return .double(Double.random(in: -1000...1000, using: &random) + 0.0001)
    case 4: return .string(text(&random))
    case 5:
      return .array(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in .random(depth: depth - 1, &random) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        object[text(&random)] = .random(depth: depth - 1, &random)
      }
      return .object(object)
    }
  }

  private static func text(_ random: inout SplitMix64) -> String {
    let letters = Array("ab\"\\/\n\t\u{1}é😀 ")
    return String(
      (0..<Int.random(in: 0..<6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
  }

  /// Equal but for the last digits of numbers and the order of members.
  func isClose(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isClose(to: $1) }
    case (.object(let left), .object(let right)):
      left.members.count == right.members.count
        && left.members.allSatisfy { member in
          right[member.name].map { member.value.isClose(to: $0) } ?? false
        }
    case (.int, _), (.double, _):
      if let left = double, let right = other.double { abs(left - right) < 1e-9 } else { false }
    default: self == other
    }
  }
}
