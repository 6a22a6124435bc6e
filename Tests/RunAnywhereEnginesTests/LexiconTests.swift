import Foundation
import Testing
import VoiceAudio

@testable import RunAnywhereHibari

@Suite("Lexicon files")
struct LexiconTests {
  static let json =
    #"{"hi":"hˈI","read":{"DEFAULT":"ɹˈid","VBD":"ɹˈɛd"},"Paris":"pˈæɹəs","x":null,"qu\u00e9":"kˈA"}"#

  static func file() throws -> LexiconFile {
    let better = try LexiconSource.entries(Array(json.utf8))
    let other = try LexiconSource.entries(Array(#"{"hi":"wrong","zebra":"zˈibɹə","PARIS":"no"}"#.utf8))
    return try #require(LexiconFile(LexiconFile.build(better: better, other: other, stamp: 5), stamp: 5))
  }

  func phones(_ word: String, _ keys: [String] = []) throws -> String? {
    let entry = try Lexicon(Self.file()).entry(word)
    return entry.map { entry in
      var text = ""
      text.unicodeScalars.append(contentsOf: entry.phones(keys))
      return text
    }
  }

  @Test("a word is found as it is spelled or with the other first letter, in the better lexicon first")
  func finds() throws {
    #expect(try phones("hi") == "hˈI")
    #expect(try phones("Hi") == "hˈI")
    #expect(try phones("paris") == "pˈæɹəs")
    #expect(try phones("zebra") == "zˈibɹə")
    #expect(try phones("qué") == "kˈA")
    #expect(try phones("nothing") == nil)
  }

  @Test("variants are chosen by key, with a default")
  func variants() throws {
    #expect(try phones("read", ["VBD"]) == "ɹˈɛd")
    #expect(try phones("read", ["NOUN"]) == "ɹˈid")
  }

  @Test("a file of other sources is refused")
  func refusesOtherStamp() throws {
    let data = LexiconFile.build(
      better: try LexiconSource.entries(Array(Self.json.utf8)), other: [], stamp: 5)
    #expect(LexiconFile(data, stamp: 6) == nil)
    #expect(LexiconFile(Data(), stamp: 5) == nil)
  }

  @Test("damaged files never crash a search")
  func fuzzFile() throws {
    let good = LexiconFile.build(
      better: try LexiconSource.entries(Array(Self.json.utf8)), other: [], stamp: 5)
    var random = SplitMix64(seed: 9)
    for _ in 0..<2000 {
      var data = good
      for _ in 0..<4 {
        data[Int.random(in: 16..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      data = data.prefix(Int.random(in: 0...data.count, using: &random))
      let file = LexiconFile(Data(data), stamp: 5)
      #expect((file?.value(of: "read")?.value.utf8.count ?? 0) <= 200_000)
    }
  }

  @Test("damaged sources are refused or read, never a crash")
  func fuzzSource() throws {
    var random = SplitMix64(seed: 10)
    for _ in 0..<2000 {
      var bytes = Array(Self.json.utf8)
      for _ in 0..<2 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      let entries = (try? LexiconSource.entries(bytes)) ?? []
      #expect(entries.count <= 8)
    }
  }

  @Test("a truncated gzip file is refused")
  func refusesTruncatedGzip() throws {
    #expect(throws: Gzip.Damaged.self) { try Gzip.inflate(Data([0x1F, 0x8B, 8, 0, 0])) }
    #expect(throws: Gzip.Damaged.self) { try Gzip.inflate(Data("plain".utf8)) }
  }
}
