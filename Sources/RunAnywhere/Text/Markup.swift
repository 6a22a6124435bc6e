/// Removes what is written for the eye: Markdown, HTML, emoji, code blocks, formulas, addresses. Where
/// it puts words in their place they are English ones, for English text only.
struct Markup {
  struct Mark {
    var scalar: Unicode.Scalar
    var source: Int
  }
  private static let replaced: [Unicode.Scalar: String] = [
    "“": "\"", "”": "\"", "‘": "'", "’": "'", "\u{00A0}": " ", "\u{202F}": " ", "\u{2009}": " ",
    "\u{2011}": "-", "\u{2212}": "-", "\u{200B}": "", "\u{FEFF}": "", "•": "", "©": "", "®": "", "™": "",
  ]
  private static let replacedInEnglish: [Unicode.Scalar: String] = [
    "→": " to ", "½": " 1/2", "¼": " 1/4", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3", "⅛": " 1/8", "⅜": " 3/8",
    "⅝": " 5/8", "⅞": " 7/8", "⅕": " 1/5",
  ]
  let isEnglish: Bool
  var marks: [Mark] = []

  init(written: [String], isEnglish: Bool) {
    self.isEnglish = isEnglish
    for (source, word) in written.enumerated() {
      if Self.isEmoticon(word) {
        marks.append(Mark(scalar: " ", source: source))
        continue
      }
      for scalar in word.unicodeScalars where !Self.isPictogram(scalar) {
        if let text = Self.replaced[scalar] ?? (isEnglish ? Self.replacedInEnglish[scalar] : nil) {
          marks += Self.marks(text, source)
        } else {
          marks.append(Mark(scalar: scalar, source: source))
        }
      }
    }
    removeCodeBlocks()
    if isEnglish { readFormulas() }
    removeEscapes()
    cleanLines()
    resolveLinks()
    removeTags()
    resolveEntities()
    resolveAddresses()
    removeEmphasis()
  }

  static func marks(_ text: some StringProtocol, _ source: Int) -> [Mark] {
    text.unicodeScalars.map { Mark(scalar: $0, source: source) }
  }

  /// What is left, word by word.
  var words: [SpeechText.Word] {
    marks.split { $0.scalar.properties.isWhitespace }.map { run in
      var view = String.UnicodeScalarView()
      view.append(contentsOf: run.map(\.scalar))
      return SpeechText.Word(text: String(view), source: run.first?.source ?? 0)
    }
  }

  /// Emoji, their modifiers, and control characters other than white space.
  private static func isPictogram(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    if properties.isEmojiPresentation || properties.isEmojiModifier { return true }
    if properties.isEmoji && scalar.value > 0x2300 { return true }
    switch scalar.value {
    case 0x200C...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x20E3, 0xFE00...0xFE0F,
      0xE0000...0xE007F, 0x1F000...0x1FAFF, 0xFFF9...0xFFFD:
      return true
    default:
      return properties.generalCategory == .control && !properties.isWhitespace
        || properties.generalCategory == .privateUse
    }
  }

  private static let emoticons: Set<String> = [
    ":)", ":-)", ":(", ":-(", ";)", ";-)", ":D", ":-D", ":P", ":-P", ":p", ":-p", ":o", ":O", ":-O", ":/",
    ":-/",
    ":|", ":-|", ":'(", ":*", ":-*", ":3", "<3", "</3", "XD", "xD", "=)", "=(", "=D", ":]", ":[", ">:(", "^^",
    "^_^",
    "-_-", "T_T", "o_O", "O_o", "\\o/", "¯\\_(ツ)_/¯", "(:", "):", ":))", ":-))", ":'-(",
  ]

  private static func isEmoticon(_ word: String) -> Bool {
    let text = word.trimmingSpace()
    guard text.count <= 12 else { return false }
    if emoticons.contains(text) { return true }
    guard let last = text.last, ".,!?".contains(last) else { return false }
    return emoticons.contains(String(text.dropLast()))
  }

  // MARK: Blocks and lines

  func find(_ text: String, from start: Int) -> Int? {
    let pattern = Array(text.unicodeScalars)
    guard !pattern.isEmpty, marks.count >= pattern.count, start >= 0 else { return nil }
    for index in start..<max(start, marks.count - pattern.count + 1) where marks[index].scalar == pattern[0] {
      if pattern.indices.allSatisfy({ marks[index + $0].scalar == pattern[$0] }) { return index }
    }
    return nil
  }

  /// A block that is not closed goes to the end.
  private mutating func removeCodeBlocks() {
    for fence in ["```", "~~~"] {
      while let open = find(fence, from: 0) {
        guard let close = find(fence, from: open + 3) else {
          marks.removeSubrange(open...)
          break
        }
        let inner = marks[(open + 3)..<close]
        if inner.contains(where: { $0.scalar == "\n" }) {
          marks.removeSubrange(open..<(close + 3))
        } else {
          marks.replaceSubrange(open..<(close + 3), with: inner)
        }
      }
    }
  }

  /// `\*` is a star that means nothing; the backslash goes.
  private mutating func removeEscapes() {
    var result: [Mark] = []
    var isEscaped = false
    for (index, mark) in marks.enumerated() {
      let next = index + 1 < marks.count ? marks[index + 1].scalar : " "
      if mark.scalar == "\\", !isEscaped, next.isASCII, next.properties.generalCategory != .control,
        !next.properties.isAlphabetic, next.properties.numericType == nil, next != " "
      {
        isEscaped = true
        continue
      }
      // What was escaped is no markup; as a mark for the eye it is not read either.
      if !isEscaped || !"*_`~#>[]|\\".unicodeScalars.contains(mark.scalar) { result.append(mark) }
      isEscaped = false
    }
    marks = result
  }

  private mutating func cleanLines() {
    let lines = marks.split(omittingEmptySubsequences: false) { $0.scalar == "\n" }
    var cleaned: [Mark] = []
    for (index, line) in lines.enumerated() {
      if index > 0 {
        cleaned.append(Mark(scalar: "\n", source: line.first?.source ?? cleaned.last?.source ?? 0))
      }
      cleaned += Self.cleanLine(Array(line))
    }
    marks = cleaned
  }

  private static func cleanLine(_ line: [Mark]) -> [Mark] {
    var body = line.drop { $0.scalar.properties.isWhitespace }
    while let first = body.first, first.scalar == ">" {
      body = body.dropFirst().drop { $0.scalar.properties.isWhitespace }
    }
    guard let first = body.first else { return [] }
    if first.scalar == "|" { return row(Array(body)) }
    if body.count >= 3, "-=_*".unicodeScalars.contains(first.scalar),
      body.allSatisfy({ $0.scalar == first.scalar || $0.scalar.properties.isWhitespace })
    {
      return []
    }
    let hashes = body.prefix { $0.scalar == "#" }.count
    if (1...6).contains(hashes), body.dropFirst(hashes).first?.scalar == " " {
      body = body.dropFirst(hashes)
      while let last = body.last, last.scalar == "#" || last.scalar == " " { body.removeLast() }
      return Array(body)
    }
    if "-*+".unicodeScalars.contains(first.scalar), body.dropFirst().first?.scalar == " " {
      body = body.dropFirst(2)
      let box = String(String.UnicodeScalarView(body.prefix(4).map(\.scalar)))
      if ["[ ] ", "[x] ", "[X] "].contains(box) { body = body.dropFirst(4) }
      return Array(body)
    }
    if body.contains(where: { $0.scalar == "|" }), isRule(body) { return [] }
    return Array(body)
  }

  /// The cells of a table row, with commas between them; nothing for a rule.
  private static func row(_ line: [Mark]) -> [Mark] {
    if isRule(line[...]) { return [] }
    var cells: [[Mark]] = []
    for cell in line.split(whereSeparator: { $0.scalar == "|" }) {
      let text = cell.drop { $0.scalar.properties.isWhitespace }
      let end = text.lastIndex { !$0.scalar.properties.isWhitespace }
      if let end { cells.append(Array(text[...end])) }
    }
    return Array(
      cells.map { cell in
        cell + [",", " "].map { Mark(scalar: $0, source: cell.last?.source ?? 0) }
      }.joined()
    ).dropLast(2)
  }

  /// Whether the line only draws the lines of a table.
  private static func isRule(_ line: ArraySlice<Mark>) -> Bool {
    line.allSatisfy { "|-:+".unicodeScalars.contains($0.scalar) || $0.scalar.properties.isWhitespace }
  }

  /// Stars, backticks and tildes go; underscores at the edges of words go, inside they part words.
  private mutating func removeEmphasis() {
    var result: [Mark] = []
    for (index, mark) in marks.enumerated() {
      let before = index > 0 ? marks[index - 1].scalar : " "
      let after = index + 1 < marks.count ? marks[index + 1].scalar : " "
      switch mark.scalar {
      case "*":
        let isTimes =
          (before == " " && after == " " && index > 0 && index + 1 < marks.count)
          || (before.properties.numericType != nil && after.properties.numericType != nil)
        if isTimes && isEnglish {
          result += " times ".unicodeScalars.map { Mark(scalar: $0, source: mark.source) }
        }
      case "`": continue
      case "~":
        if isEnglish, before.properties.isWhitespace, after.properties.numericType != nil {
          result += "about ".unicodeScalars.map { Mark(scalar: $0, source: mark.source) }
        }
      case "_":
        let isInner = Self.isWordScalar(before) && Self.isWordScalar(after)
        if isInner { result.append(Mark(scalar: " ", source: mark.source)) }
      default: result.append(mark)
      }
    }
    marks = result
  }

  static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}
