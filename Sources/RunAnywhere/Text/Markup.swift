/// Removes what is written for the eye: Markdown, HTML, emoji, code blocks, addresses.
struct Markup {
  private struct Mark {
    var scalar: Unicode.Scalar
    var source: Int
  }
  private static let replaced: [Unicode.Scalar: String] = [
    "“": "\"", "”": "\"", "‘": "'", "’": "'", "\u{00A0}": " ", "\u{2011}": "-", "\u{2212}": "-",
    "\u{200B}": "", "\u{FEFF}": "", "•": "", "→": " to ", "©": "", "®": "", "™": "",
  ]
  private var marks: [Mark] = []

  init(written: [String]) {
    for (source, word) in written.enumerated() {
      for scalar in word.unicodeScalars where !Self.isPictogram(scalar) {
        if let text = Self.replaced[scalar] {
          marks += text.unicodeScalars.map { Mark(scalar: $0, source: source) }
        } else {
          marks.append(Mark(scalar: scalar, source: source))
        }
      }
    }
    removeCodeBlocks()
    cleanLines()
    resolveLinks()
    removeTags()
    resolveAddresses()
    removeEmphasis()
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

  // MARK: Blocks and lines

  private func find(_ text: String, from start: Int) -> Int? {
    let pattern = Array(text.unicodeScalars)
    guard !pattern.isEmpty, marks.count >= pattern.count, start >= 0 else { return nil }
    var index = start
    while index + pattern.count <= marks.count {
      if zip(marks[index...], pattern).allSatisfy({ $0.scalar == $1 }) { return index }
      index += 1
    }
    return nil
  }

  /// A block that is not closed goes to the end.
  private mutating func removeCodeBlocks() {
    while let open = find("```", from: 0) {
      guard let close = find("```", from: open + 3) else {
        marks.removeSubrange(open...)
        return
      }
      let inner = marks[(open + 3)..<close]
      if inner.contains(where: { $0.scalar == "\n" }) {
        marks.removeSubrange(open..<(close + 3))
      } else {
        marks.replaceSubrange(open..<(close + 3), with: inner)
      }
    }
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
      return Array(body.dropFirst(hashes))
    }
    if "-*+".unicodeScalars.contains(first.scalar), body.dropFirst().first?.scalar == " " {
      return Array(body.dropFirst(2))
    }
    return Array(body)
  }

  /// The cells of a table row, with commas between them; nothing for a rule.
  private static func row(_ line: [Mark]) -> [Mark] {
    if line.allSatisfy({ "|-:".unicodeScalars.contains($0.scalar) || $0.scalar.properties.isWhitespace }) {
      return []
    }
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

  // MARK: Links, tags and addresses

  /// `[text](address)` and `![text](address)` become their text.
  private mutating func resolveLinks() {
    var from = 0
    while let middle = find("](", from: from) {
      from = middle + 2
      guard let open = marks[..<middle].lastIndex(where: { $0.scalar == "[" }),
        let close = marks[middle...].firstIndex(where: { $0.scalar == ")" })
      else { continue }
      let text = Array(marks[(open + 1)..<middle])
      let start = open > 0 && marks[open - 1].scalar == "!" ? open - 1 : open
      marks.replaceSubrange(start...close, with: text)
      from = start + text.count
    }
  }

  /// `<b>` goes, `<https://…>` keeps its inside, `a < b` stays.
  private mutating func removeTags() {
    var from = 0
    while let open = marks[from...].firstIndex(where: { $0.scalar == "<" }) {
      from = open + 1
      guard let next = marks[from...].first?.scalar, next == "/" || next.properties.isAlphabetic,
        let close = marks[open...].firstIndex(where: { $0.scalar == ">" }), close - open < 200
      else { continue }
      let inner = Array(marks[(open + 1)..<close])
      let isAddress =
        inner.contains { $0.scalar == ":" || $0.scalar == "@" }
        && !inner.contains { $0.scalar == "\"" || $0.scalar == "=" }
      marks.replaceSubrange(open...close, with: isAddress ? inner : [])
      from = open
    }
  }

  /// An address on the web is read as its host; one of mail with "at" and "dot".
  private mutating func resolveAddresses() {
    var result: [Mark] = []
    var run: [Mark] = []
    for mark in marks + [Mark(scalar: " ", source: marks.last?.source ?? 0)] {
      if mark.scalar.properties.isWhitespace {
        result += Self.address(run)
        run = []
        result.append(mark)
      } else {
        run.append(mark)
      }
    }
    marks = result.dropLast()
  }

  private static func address(_ run: [Mark]) -> [Mark] {
    guard run.count > 4, let source = run.first?.source else { return run }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: run.map(\.scalar))
    let text = String(view)
    let lower = text.lowercased()
    var core = Substring(text)
    while let last = core.last, ".,;:!?)\"'*_]".contains(last) { core.removeLast() }
    let tail = text.dropFirst(core.count).filter { ".,;:!?".contains($0) }
    while let first = core.first, "(\"'*_[".contains(first) { core.removeFirst() }
    var spoken: String?
    if lower.contains("://") || lower.contains("www.") {
      let host = core.split(separator: "/").first { $0.contains(".") } ?? core
      let name = host.lowercased().hasPrefix("www.") ? host.dropFirst(4) : host[...]
      spoken = name.prefix { $0 != "?" && $0 != "#" && $0 != ":" }.split(separator: ".")
        .joined(separator: " dot ")
    } else if let at = core.firstIndex(of: "@"), at > core.startIndex,
      core[at...].dropFirst().contains(".")
    {
      spoken = core.replacing("@", with: " at ").split(separator: ".").joined(separator: " dot ")
    }
    guard let spoken else { return run }
    return (spoken + tail).unicodeScalars.map { Mark(scalar: $0, source: source) }
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
          (before == " " && after == " ")
          || (before.properties.numericType != nil && after.properties.numericType != nil)
        if isTimes { result += " times ".unicodeScalars.map { Mark(scalar: $0, source: mark.source) } }
      case "`": continue
      case "~":
        if after.properties.numericType != nil {
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

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}
