import Testing

@testable import YoobPack

@Suite("Paths in packs")
struct PackPathTests {
  @Test(
    "a path that is not the same file on every system is refused, with the rule in the message",
    arguments: [
      ("", "bytes"), (String(repeating: "a", count: 513), "bytes"), ("/poster.jpg", "begins with /"),
      ("../a", "empty part"), ("a/../b", "empty part"), ("a/./b", "empty part"), ("a//b", "empty part"),
      ("a/", "empty part"), (".", "empty part"), ("a\\b", "does not show"), ("C:\\a", "does not show"),
      ("c:a", "does not show"), ("a:stream", "does not show"), ("a?", "does not show"),
      ("a*", "does not show"),
      ("a|b", "does not show"), ("a<b", "does not show"), ("a\"b", "does not show"),
      ("a\u{0}b", "does not show"),
      ("a\nb", "does not show"), ("a\u{7F}", "does not show"), ("a\u{85}", "does not show"),
      ("a\u{202E}gpj.exe", "does not show"), ("a\u{200D}b", "does not show"), ("\u{FEFF}a", "does not show"),
      ("a\u{2028}b", "does not show"), ("a%2e%2e", "does not show"), ("a#b", "does not show"),

      ("con", "reserves"), ("CON", "reserves"), ("a/nul.txt", "reserves"),
      ("Aux.tar.gz", "reserves"), ("com1", "reserves"), ("LPT9.bin", "reserves"), ("com¹", "reserves"),
      ("conin$", "reserves"), ("nul .txt", "reserves"), ("a.", "space or dot"), ("a ", "space or dot"),
      (" a", "space or dot"), ("a/b./c", "space or dot"), ("character.json", "own name"),
      ("Character.JSON", "own name"), ("character.signed.json", "own name"),
      (String(repeating: "b", count: 256), "more than 255"),

      ("../\u{301}x", "empty part"), ("/\u{301}x", "begins with /"), ("con/\u{301}x", "reserves"),
      ("a./\u{301}b", "space or dot"), ("a\u{D4E}/../\u{301}x", "empty part"),
      ("a/ \u{301}b", "space or dot"), ("nul.\u{301}a", "reserves"),
    ])
  func refused(path: String, rule: String) throws {
    #expect(try #require(PackPath.fault(in: path)).contains(rule))
  }

  @Test("numbers that are never a character are refused", arguments: [0xFDD0, 0xFFFE, 0x1_FFFF] as [UInt32])
  func noncharacters(number: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(number))
    #expect(try #require(PackPath.fault(in: "a\(Character(scalar))b")).contains("does not show"))
  }

  @Test(
    "ordinary paths are accepted",
    arguments: [
      "poster.jpg", "idle/frame 1.jpg", "a/b/c/d.bin", "größe.png", "目.png", "console.bin", "com10",
      "a..b", "sub/character.json", ".hidden", "-a", "a'b",
    ])
  func accepted(path: String) {
    #expect(PackPath.fault(in: path) == nil)
  }

  @Test(
    "paths that are one file somewhere are refused",
    arguments: [
      ["a.png", "A.PNG"], ["straße", "STRASSE"], ["é.png", "e\u{301}.png"], ["a", "a"], ["ſ", "s"],
      ["a.bin", "a\u{FE0F}.bin"], ["a", "a\u{3164}"], ["K", "\u{212A}"], ["가", "\u{1100}\u{1161}"],
      ["é", "E\u{301}/b"],
      ["a", "a/b"], ["A", "a/b"], ["a/b", "a/b/c/d"], ["a/b/c", "x", "A/B"],
      ["a", "a/\u{301}b"],
    ])
  func clashes(paths: [String]) {
    #expect(PackPath.clash(of: paths) != nil)
  }

  @Test("the message names both paths")
  func bothNamed() throws {
    #expect(PackPath.clash(of: ["a", "b", "a"]) == "“a” is listed twice")
    let clash = try #require(PackPath.clash(of: ["Poster.jpg", "poster.JPG"]))
    #expect(clash.contains("“Poster.jpg” and “poster.JPG” are one file"))
    #expect(PackPath.clash(of: ["A", "a/b"]) == "“A” is a file and the folder of “a/b”")
  }

  @Test("paths that differ stand side by side")
  func noClash() {
    #expect(PackPath.clash(of: ["a/b", "a/c", "a.png", "ab", "b/a"]) == nil)
  }

  @Test("a message shows no character that steers a terminal, and no long path whole")
  func shown() {
    #expect(PackPath.shown("a\u{1B}[2Jb\u{202E}") == "a\u{FFFD}[2Jb\u{FFFD}")
    #expect(PackPath.shown(String(repeating: "x", count: 500)).count == 80)
  }
}
