import Testing

@testable import YoobPack

@Suite("Names in JSON")
struct JSONNamesTests {
  @Test(
    "a name that two readers would read differently is refused, with the reason",
    arguments: [
      (#"{"a": 1, "a": 2}"#, "“a” stands twice"), (#"{"a": 1, "\u0061": 2}"#, "“a” stands twice"),
      (#"[{"b": [{"a": {}, "a": {}}]}]"#, "“a” stands twice"), (#"{"\"": 1, "\u0022": 2}"#, "stands twice"),
      (#"{"\n": 1, "\u000a": 2}"#, "stands twice"), (#"{"/": 1, "\/": 2}"#, "“/” stands twice"),
      (#"{"": 1, "": 2}"#, "stands twice"), (#"{"🌙": 1, "\ud83c\udf19": 2}"#, "“🌙” stands twice"),
      (#"{"a": {"a": 1}, "b": [], "a": 2}"#, "“a” stands twice"), (#"{"\u212a": 1}"#, "composed"),
      ("{\"e\u{301}\": 1}", "composed"), (#"{"\ud83c": 1}"#, "half"), (#"{"\udf19\ud83c": 1}"#, "half"),
      (#"{"\ud83c\ud83c": 1}"#, "half"),
    ])
  func refused(json: String, reason: String) throws {
    #expect(try #require(JSONNames.fault(in: Array(json.utf8))).contains(reason))
  }

  @Test(
    "names that differ, or stand in different objects, are fine",
    arguments: [
      #"{"a": "a", "b": ["a", "a"], "A": 1}"#, #"[{"a": 1}, {"a": 1}]"#, #"{"a": {"a": {"a": 1}}}"#,
      #"{"x": "\"a\": 1, \"a\": 2", "a": "\\"}"#, #"{"é": 1, "e": 2, "目": 3}"#, #"{"v": "\ud83c"}"#, "7", "",
    ])
  func accepted(json: String) {
    #expect(JSONNames.fault(in: Array(json.utf8)) == nil)
  }

  @Test("text of any shape is survived")
  func anything() {
    var generator = SeededGenerator(seed: 5)
    let pieces = ["{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83c", "a", "é", "0", "\"a\""]
    for _ in 0..<20_000 {
      let text = (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      _ = JSONNames.fault(in: Array(text.utf8))
    }
    let deep = Array(String(repeating: "[{\"a\":", count: 100_000).utf8)
    #expect(JSONNames.fault(in: deep) == nil)
  }

  @Test("keys and their files are read by the same rule")
  func keys() {
    let json = Array(#"{"studio": "AAAA", "studio": "BBBB"}"#.utf8)
    #expect(throws: PackError.self) { try TrustedKeys(json: json) }
    guard case .failure(let fault) = JSONReading.decode([String: String].self, from: json) else {
      Issue.record("it was read")
      return
    }
    #expect(fault.reason.contains("twice"))
  }
}
