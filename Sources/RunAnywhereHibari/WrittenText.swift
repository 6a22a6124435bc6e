import Foundation

/// A text cut into what the front end reads one by one.
struct WrittenText {
  enum Piece: Equatable {
    /// Letters, with apostrophes inside.
    case word(String)
    /// Digits, with group commas and a decimal point inside, and an ordinal ending.
    case number(String, isOrdinal: Bool)
    /// A mark of the voice's alphabet.
    case mark(Unicode.Scalar)
  }

  /// What stands between two spaces.
  struct Word: Equatable {
    var written: String
    var pieces: [Piece]
  }

  let words: [Word]

  init(_ text: String) {
    words = text.split(whereSeparator: \.isWhitespace).map {
      Word(written: String($0), pieces: Self.pieces(of: $0))
    }
  }

  private static let symbols: [Character: String] = [
    "%": "percent", "&": "and", "+": "plus", "@": "at", "=": "equals", "#": "hash", "$": "dollar",
    "€": "euro", "£": "pound", "°": "degrees",
  ]
  private static let marks: [Character: Unicode.Scalar] = [
    ",": ",", ".": ".", "!": "!", "?": "?", ";": ";", ":": ":", "…": "…", "—": "—", "–": "—", "(": "(",
    ")": ")", "“": "“", "”": "”", "、": ",", "，": ",", "。": ".", "！": "!", "？": "?", "；": ";", "：": ":",
  ]

  private static func pieces(of word: Substring) -> [Piece] {
    let characters = word.map { $0 == "’" || $0 == "‘" || $0 == "ʼ" ? "'" : $0 }
    var pieces: [Piece] = []
    var at = 0
    while at < characters.count {
      let character = characters[at]
      if isDigit(character) {
        let (piece, end) = number(characters, from: at)
        pieces.append(piece)
        at = end
      } else if character.isLetter || (character == "'" && startsWord(characters, at)) {
        var end = at + 1
        while end < characters.count, characters[end].isLetter || isInnerApostrophe(characters, end) {
          end += 1
        }
        pieces.append(.word(String(characters[at..<end])))
        at = end
      } else {
        if let name = symbols[character] {
          pieces.append(.word(name))
        } else if character == "\"" {
          pieces.append(.mark(at == 0 ? "“" : "”"))
        } else if let mark = marks[character] {
          append(mark, to: &pieces)
        }
        at += 1
      }
    }
    return pieces
  }

  /// Runs of one mark count once; three full stops are an ellipsis.
  private static func append(_ mark: Unicode.Scalar, to pieces: inout [Piece]) {
    switch (pieces.last, mark) {
    case (.mark(".")?, "."), (.mark("…")?, "."): pieces[pieces.count - 1] = .mark("…")
    case (.mark(mark)?, _): break
    default: pieces.append(.mark(mark))
    }
  }

  private static func number(_ characters: [Character], from start: Int) -> (Piece, Int) {
    var end = start
    while end < characters.count {
      let joins = (characters[end] == "," || characters[end] == ".") && end + 1 < characters.count
      guard isDigit(characters[end]) || (joins && isDigit(characters[end + 1])) else { break }
      end += 1
    }
    let digits = String(characters[start..<end])
    let ending = String(characters[end...].prefix(2)).lowercased()
    let isWhole = end + 2 >= characters.count || !characters[end + 2].isLetter
    let isOrdinal = ["st", "nd", "rd", "th"].contains(ending) && isWhole
    return (.number(digits, isOrdinal: isOrdinal), isOrdinal ? end + 2 : end)
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

  private static func startsWord(_ characters: [Character], _ at: Int) -> Bool {
    (at == 0 || !characters[at - 1].isLetter) && at + 1 < characters.count && characters[at + 1].isLetter
  }

  private static func isInnerApostrophe(_ characters: [Character], _ at: Int) -> Bool {
    characters[at] == "'"
      && (at + 1 < characters.count && characters[at + 1].isLetter || characters[at - 1] == "s")
  }
}
