// The part between the marks is the example of Docs/testing.md, word for word.
import Foundation

// begin example
import RunAnywhere
import Testing
import VoiceIO
import YoobTesting

@Suite("The booking agent")
struct BookingTests {
  /// What the user can say, by letter, and the answers of the language model.
  private func bench() -> SessionBench {
    SessionBench(transcripts: ["A": "a table for two please", "B": "no wait for three"]) { messages in
      messages.last?.content.contains("three") == true
        ? "Three, of course." : "A table for two it is. When would you like to come?"
    }
  }

  @Test("a question is answered")
  func answer() throws {
    let bench = bench()
    try bench.session.start()
    bench.hear("..AAAAAAAAAA.........................................")
    #expect(
      bench.timeline == """
        user  ..AAAAAAAAAA.........................................
        agent ..................============..============.........
        state LLLLLLLLLLLLLLLLLSSSSSSSSSSSSSSSSSSSSSSSSSSLLLLLLLLLL
        event ....(...p......p.F...................................
        """)
    #expect(bench.session.history.last?.content == "A table for two it is. When would you like to come?")
  }

  @Test("who interrupts is listened to, and only what was heard is remembered")
  func interruption() throws {
    let bench = bench()
    try bench.session.start()
    bench.hear("..AAAAAAAAAA..............BBBBBBBB....................")
    let remembered = bench.session.history.suffix(3).map(\.content)
    #expect(remembered == ["A table for two it is.", "no wait for three", "Three, of course."])
  }

  @Test("a voice that breaks is reported, and the next question works")
  func trouble() throws {
    let bench = bench()
    try bench.session.start()
    bench.tts.fail(SDKException(.processingFailed, category: .component, "The voice broke."))
    bench.hear("..AAAAAAAAAA..........")
    #expect(bench.events.contains { if case .error(_, recoverable: true) = $0 { true } else { false } })
    bench.tts.fail(nil)
    bench.hear("BBBBBBBB....................")
    #expect(bench.session.history.last?.content == "Three, of course.")
  }

  @Test("a line of the app is spoken when it is quiet")
  func line() throws {
    let bench = bench()
    let session = bench.session
    try session.start()
    let call = bench.perform { try await session.say("We close in ten minutes.") }
    #expect(!call.isFinished)
    bench.hear("..............")
    #expect(call.isFinished)
    #expect(bench.tts.clauses == ["We close in ten minutes."])
  }
}
// end example

@Suite("Testing guide")
struct TestingGuideTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("the guide shows the example that is compiled and run here")
  func example() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let begin = try #require(source.range(of: "// begin example\n"))
    let end = try #require(source.range(of: "// end example\n"))
    let guide = try String(
      contentsOf: Self.root.appendingPathComponent("Docs/testing.md"), encoding: .utf8)
    #expect(guide.contains("```swift\n" + source[begin.upperBound..<end.lowerBound] + "```\n"))
  }

  @Test("every public symbol of YoobTesting is documented")
  func documentation() throws {
    let folder = Self.root.appendingPathComponent("Sources/YoobTesting")
    let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    for file in names.filter({ $0.hasSuffix(".swift") }).map(folder.appendingPathComponent) {
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where line.drop(while: { $0 == " " }).hasPrefix("public ") {
        let before = lines[..<index].reversed().first { !$0.drop(while: { $0 == " " }).hasPrefix("@") } ?? ""
        #expect(before.contains("///"), "\(file.lastPathComponent):\(index + 1) \(line)")
      }
    }
  }
}
