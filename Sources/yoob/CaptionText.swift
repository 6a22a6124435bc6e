/// Takes the marks of Markdown out of a reply while it is written: emphasis, code, headings and the stars of
/// lists. What they are not stays, such as `2 * 3`, `5*5`, `C#` and `snake_case`.
struct CaptionText {
  private static let marks: Set<Character> = ["*", "_", "`", "#"]

  /// Marks of one kind, of which the next character tells the meaning.
  private var run = ""
  private var last: Character = "\n"
  /// Whether only white space was shown of the line.
  private var isLineStart = true
  /// Whether the rest of the line names the language of a block of code.
  private var isFence = false

  /// What the next piece of the text adds to the caption.
  mutating func take(_ piece: String) -> String {
    var shown = ""
    for character in piece { take(character, &shown) }
    return shown
  }

  /// What is left when the text is over; the next text begins anew.
  mutating func finish() -> String {
    defer { self = CaptionText() }
    return settle(before: "\n").shown
  }

  private mutating func take(_ character: Character, _ shown: inout String) {
    if isFence {
      isFence = !character.isNewline
      return
    }
    if run.first == character {
      run.append(character)
      return
    }
    let meaning = settle(before: character)
    for kept in meaning.shown { show(kept, &shown) }
    if Self.marks.contains(character) {
      run = String(character)
    } else if !meaning.takesNext {
      show(character, &shown)
    }
  }

  private mutating func show(_ character: Character, _ shown: inout String) {
    shown.append(character)
    last = character
    isLineStart = character.isNewline || (isLineStart && character.isWhitespace)
  }

  /// What is shown of the marks that wait, and whether `next` belongs to them.
  private mutating func settle(before next: Character) -> (shown: String, takesNext: Bool) {
    defer { run = "" }
    let isApart = last.isWhitespace && next.isWhitespace
    let isInside = (last.isLetter || last.isNumber) && (next.isLetter || next.isNumber)
    switch run.first {
    case "*":
      if isApart, isLineStart { return (run.count == 1 ? "•" : "", false) }
      return (isApart || (run.count == 1 && last.isNumber && next.isNumber) ? run : "", false)
    case "_": return (isApart || isInside ? run : "", false)
    case "`":
      isFence = run.count > 2 && isLineStart && !next.isNewline
      return ("", isFence)
    case "#":
      let isHeading = isLineStart && run.count <= 6 && next == " "
      return (isHeading ? "" : run, isHeading)
    default: return ("", false)
    }
  }
}
