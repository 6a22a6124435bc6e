import Foundation
import Testing
import VoiceAudio

@testable import RunAnywhere

@Suite("Preparation record")
struct PreparationRecordTests {
  private static let hash = String(repeating: "0a", count: 32)
  private static let good =
    #"{"format": 1, "id": "m", "recipe": "x", "files": [{"name": "a", "size": 3, "sha256": "\#(hash)"}]}"#

  @Test("a record gives its files with sizes and hashes")
  func reads() throws {
    let record = try PreparationRecord(parsing: Data(Self.good.utf8))
    #expect(record.id == "m")
    #expect(record.file("a") == .init(name: "a", size: 3, sha256: Self.hash))
    #expect(record.file("b") == nil)
  }

  @Test(
    "names that would leave the folder are refused",
    arguments: ["../a", "/etc/passwd", "..", ".", "", "a/b"])
  func names(name: String) {
    let text = Self.good.replacingOccurrences(of: #""name": "a""#, with: #""name": "\#(name)""#)
    #expect(throws: PreparationRecord.Malformed.self) { try PreparationRecord(parsing: Data(text.utf8)) }
  }

  @Test(
    "impossible members are refused",
    arguments: [
      (#""size": 3"#, #""size": -1"#), (#""size": 3"#, #""size": 1e30"#), (#""format": 1"#, #""format": 2"#),
      (#""id": "m""#, #""id": "a/b""#), (hash, "abc"), (hash, hash.uppercased()),
      (#""files""#, #""file""#),
    ])
  func members(old: String, new: String) {
    let text = Self.good.replacingOccurrences(of: old, with: new)
    #expect(throws: PreparationRecord.Malformed.self) { try PreparationRecord(parsing: Data(text.utf8)) }
  }

  @Test("a file listed twice is refused")
  func twice() {
    let entry = #"{"name": "a", "size": 3, "sha256": "\#(Self.hash)"}"#
    let text = #"{"format": 1, "id": "m", "files": [\#(entry), \#(entry)]}"#
    #expect(throws: PreparationRecord.Malformed.self) { try PreparationRecord(parsing: Data(text.utf8)) }
  }

  @Test("a record beyond the limit is refused unread")
  func tooLarge() {
    let data = Data(count: PreparationRecord.byteLimit + 1)
    #expect(throws: PreparationRecord.Malformed(reason: "it is too large")) {
      try PreparationRecord(parsing: data)
    }
  }

  @Test(
    "any change of bytes gives a record that keeps the rules, or a refusal", arguments: 0..<8 as Range<UInt64>
  )
  func fuzz(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<400 {
      var bytes = Array(Self.good.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      guard let record = try? PreparationRecord(parsing: Data(bytes)) else { continue }
      #expect(record.files.allSatisfy { $0.size >= 0 && $0.sha256.utf8.count == 64 })
      #expect(record.files.allSatisfy { !$0.name.isEmpty && !$0.name.contains("/") && $0.name != ".." })
    }
  }
}
