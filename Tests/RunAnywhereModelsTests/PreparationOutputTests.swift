import Testing

@testable import RunAnywhere

@Suite("Lines of the preparation script")
struct PreparationOutputTests {
  @Test(
    "each line has one meaning",
    arguments: [
      ("[10/40] downloading silero-vad", PreparationOutput.Meaning.downloading(done: 10, total: 40)),
      ("[50/40] downloaded silero-vad", .downloading(done: 40, total: 40)),
      ("[1/4] preparing joe", .working(percent: 25)),
      ("[9/4] preparing joe", .working(percent: 100)),
      ("error: the disk is full", .failed("the disk is full")),
      ("", .other), ("[", .other), ("[]", .other), ("[1/0] x", .other), ("[-1/3] x", .other),
      ("[1/2/3] x", .other), ("[99999999999999999999/3] x", .other), ("warning: x", .other),
    ])
  func meanings(line: String, meaning: PreparationOutput.Meaning) {
    #expect(PreparationOutput.meaning(of: line) == meaning)
  }

  @Test("lines cut anywhere mean the same as whole lines")
  func pieces() {
    let text = Array("[1/4] preparing\nnoise\nerror: no\n".utf8)
    for cut in 0...text.count {
      var output = PreparationOutput()
      let meanings = output.take(text[..<cut]) + output.take(text[cut...])
      #expect(meanings == [.working(percent: 25), .other, .failed("no")])
    }
  }

  @Test("a line without end does not grow the buffer without end")
  func endlessLine() {
    var output = PreparationOutput()
    #expect(output.take(repeatElement(UInt8(ascii: "x"), count: 100_000)).isEmpty)
    #expect(output.take("\nerror: y\n".utf8) == [.other, .failed("y")])
  }
}
