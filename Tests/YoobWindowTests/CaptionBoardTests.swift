import Testing

@testable import YoobWindow

@Suite("What captions show")
struct CaptionBoardTests {
  @Test("nothing said shows nothing")
  func nothingSaidShowsNothing() {
    #expect(CaptionBoard().opacity(at: 5) == 0)
  }

  @Test("what she says takes the place of what she said before")
  func whatSheSaysTakes() {
    var board = CaptionBoard()
    board.takeUser("Hello?", isFinal: true, at: 1)
    board.takeCharacter("Hello", isFinal: false, at: 2)
    board.takeCharacter("Hello there.", isFinal: true, at: 3)
    #expect(board.user.text == "Hello?")
    #expect(board.character.text == "Hello there.")
  }

  @Test("a new question takes her last answer away")
  func newQuestionTakesHer() {
    var board = CaptionBoard()
    board.takeUser("Hello?", isFinal: true, at: 1)
    board.takeCharacter("Hello.", isFinal: true, at: 2)
    board.takeUser("And", isFinal: false, at: 3)
    #expect(board.character.text == "")
    board.takeUser("And now?", isFinal: true, at: 4)
    #expect(board.user.text == "And now?")
  }

  @Test("captions stay while she speaks, then long enough to be read, and fade")
  func captionsStayWhileShe() {
    var board = CaptionBoard()
    board.takeCharacter("Once upon a time", isFinal: false, at: 10)
    #expect(board.opacity(at: 100) == 1)
    board.takeCharacter("Once upon a time.", isFinal: true, at: 100)
    let end = 100 + CaptionBoard.stay + 17 * CaptionBoard.stayPerCharacter
    #expect(board.opacity(at: end - CaptionBoard.fade) == 1)
    #expect(abs(board.opacity(at: end - CaptionBoard.fade / 2) - 0.5) < 1e-9)
    #expect(board.opacity(at: end) == 0)
  }

  @Test("what is not answered goes after a while")
  func whatNotAnsweredGoes() {
    var board = CaptionBoard()
    board.takeUser("Hello?", isFinal: true, at: 1)
    #expect(board.opacity(at: 10) == 1)
    #expect(board.opacity(at: 1 + CaptionBoard.unanswered) == 0)
  }

  @Test("ends of lines and controls become spaces, and only the end of a long text is kept")
  func endsLinesControlsBecome() {
    var board = CaptionBoard()
    board.takeUser("one\ntwo\u{7} \u{1B}[31mthree\t", isFinal: true, at: 0)
    #expect(board.user.text == "one two [31mthree")
    board.takeCharacter(String(repeating: "a", count: CaptionBoard.most) + " end", isFinal: true, at: 0)
    #expect(board.character.text.count == CaptionBoard.most)
    #expect(board.character.text.hasSuffix("a end"))
  }
}
