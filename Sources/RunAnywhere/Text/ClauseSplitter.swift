/// A piece of a reply that is spoken in one go.
public struct Clause: Sendable, Equatable {
  /// What stands at the end of a clause.
  public enum Ending: Sendable {
    /// The end of a sentence, or of the text.
    case sentence
    /// A place inside a sentence where a voice may breathe.
    case clause
    /// A block of code, which is not read out.
    case code
  }
  /// The text as written. All clauses of a reply, joined, are the reply.
  public var text: String
  /// What stands at its end.
  public var ending: Ending

  /// A clause of this text.
  public init(text: String, ending: Ending) {
    self.text = text
    self.ending = ending
  }
}

/// Cuts a streaming reply into clauses: a short first one, so that speech can begin, then
/// sentences. The cuts depend on the text only, never on how it was cut into pieces.
public struct ClauseSplitter: Sendable {
  /// Least words before a comma may end the first, the second and any later clause.
  private static let commaWords = [3, 8, 18]
  /// Words after which a clause is cut before a joining word, and after which it is cut anyway.
  private static let longClause = [(soft: 8, hard: 12), (soft: 24, hard: 34), (soft: 30, hard: 40)]
  private static let longestRun = 400
  private static let joiners: Set<String> = [
    "and", "but", "or", "that", "which", "to", "of", "for", "in", "on", "at", "with", "because",
    "so", "when", "if", "as", "from", "by", "about", "than", "while", "where", "who",
  ]

  private var buffer: [Unicode.Scalar] = []
  private var cursor = 0
  private var words = 0
  private var emitted = 0
  private var isLineStart = true
  /// What the code block is fenced with, while the cursor is inside of one.
  private var fence: Unicode.Scalar?
  private var isFinal = false

  /// A splitter that has read nothing.
  public init() {}

  /// Takes the next piece and returns the clauses that are complete.
  public mutating func process(_ piece: String) -> [Clause] {
    buffer.append(contentsOf: piece.unicodeScalars)
    return scan()
  }

  /// The end of the text: everything that is left.
  public mutating func finish() -> [Clause] {
    isFinal = true
    var clauses = scan()
    if !buffer.isEmpty { clauses.append(cut(at: buffer.count, fence == nil ? .sentence : .code)) }
    return clauses
  }

  private enum Verdict { case go, wait, cut(Int, Clause.Ending) }

  private mutating func scan() -> [Clause] {
    var clauses: [Clause] = []
    while cursor < buffer.count {
      switch verdict() {
      case .wait: return clauses
      case .go: cursor += 1
      case .cut(let end, let ending): clauses.append(cut(at: end, ending))
      }
    }
    return clauses
  }

  private mutating func cut(at end: Int, _ ending: Clause.Ending) -> Clause {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: buffer[..<end])
    let isLine = buffer[..<end].last == "\n"
    buffer.removeFirst(end)
    cursor = 0
    words = 0
    isLineStart = isLine
    let clause = Clause(text: String(view), ending: ending)
    if ending != .code && clause.text.contains(where: \.isLetter) { emitted += 1 }
    return clause
  }

  /// What the scalar at `cursor` means, given all that follows it so far.
  private mutating func verdict() -> Verdict {
    let scalar = buffer[cursor]
    if let fence { return fenceVerdict(scalar, fence) }
    if scalar == "`" || (isLineStart && scalar == "~") {
      guard let opening = opening(of: scalar) else { return .wait }
      switch opening {
      case .none: break
      case .inline(let end):
        isLineStart = false
        cursor = end - 1
        return .go
      case .block:
        // What stands before it on its line is said first.
        if buffer[..<cursor].contains(where: { !$0.properties.isWhitespace }) {
          return .cut(cursor, .sentence)
        }
        fence = scalar
        cursor += 2
        return .go
      }
    }
    if scalar == "\n" {
      if buffer[..<cursor].allSatisfy(\.properties.isWhitespace) {
        isLineStart = true
        return .go
      }
      return .cut(cursor + 1, .sentence)
    }
    if scalar.properties.isWhitespace { return spaceVerdict() }
    isLineStart = false
    if cursor >= Self.longestRun { return .cut(cursor, .clause) }
    switch scalar {
    case "。", "！", "？": return .cut(cursor + 1, .sentence)
    case ".", "!", "?", "…": return sentenceVerdict()
    case ",", ";", ":", "—", "–": return commaVerdict()
    case "<": return tagVerdict()
    default: return .go
    }
  }

  // MARK: Code

  /// Whether three fence marks stand at `index`; nil when that cannot be told yet.
  private func startsFence(_ mark: Unicode.Scalar, at index: Int) -> Bool? {
    for offset in 0..<3 {
      guard index + offset < buffer.count else { return isFinal ? false : nil }
      guard buffer[index + offset] == mark else { return false }
    }
    return true
  }

  private enum Opening { case none, inline(end: Int), block }

  /// Longest name of a language behind the marks that open a block.
  private static let longestInfo = 100

  /// What three fence marks at the cursor begin: code within the line when the line closes it, else a
  /// block; nil when that cannot be told yet.
  private func opening(of mark: Unicode.Scalar) -> Opening? {
    guard let opens = startsFence(mark, at: cursor) else { return nil }
    guard opens else { return Opening.none }
    var index = cursor + 3
    while index < buffer.count, buffer[index] == mark { index += 1 }
    while index < buffer.count, buffer[index] != "\n", index < cursor + Self.longestInfo {
      if buffer[index] == mark {
        guard let closes = startsFence(mark, at: index) else { return nil }
        if closes { return .inline(end: index + 3) }
      }
      index += 1
    }
    if index >= cursor + Self.longestInfo { return Opening.none }
    return index < buffer.count || isFinal ? .block : nil
  }

  /// A block ends with its marks, and with the rest of their line when that is empty.
  private mutating func fenceVerdict(_ scalar: Unicode.Scalar, _ mark: Unicode.Scalar) -> Verdict {
    guard scalar == mark else { return .go }
    guard let closes = startsFence(mark, at: cursor) else { return .wait }
    guard closes else { return .go }
    let end = cursor + 3
    var next = end
    while next < buffer.count, buffer[next] == " " || buffer[next] == "\r" { next += 1 }
    guard next < buffer.count || isFinal else { return .wait }
    fence = nil
    let isWholeLine = next < buffer.count && buffer[next] == "\n"
    return .cut(isWholeLine ? next + 1 : next == buffer.count ? next : end, .code)
  }

  // MARK: Tags

  /// Longest tag that is kept whole.
  private static let longestTag = 200

  /// Passes over `<img alt="One. Two">`, inside of which nothing is cut.
  private mutating func tagVerdict() -> Verdict {
    guard cursor + 1 < buffer.count else { return isFinal ? .go : .wait }
    let next = buffer[cursor + 1]
    guard next == "/" || next == "!" || (next.isASCII && next.properties.isAlphabetic) else { return .go }
    let end = min(buffer.count, cursor + Self.longestTag)
    for index in (cursor + 1)..<end {
      switch buffer[index] {
      case ">":
        cursor = index
        return .go
      case "<", "\n": return .go
      default: break
      }
    }
    return end < cursor + Self.longestTag && !isFinal ? .wait : .go
  }

  // MARK: Spaces and commas

  private var stage: Int { min(emitted, 2) }

  private mutating func spaceVerdict() -> Verdict {
    guard cursor > 0, !buffer[cursor - 1].properties.isWhitespace else { return .go }
    let count = words + 1
    let limit = Self.longClause[stage]
    if count >= limit.hard { return .cut(cursor, .clause) }
    if count >= limit.soft {
      guard let next = nextWord(after: cursor) else { return .wait }
      if Self.joiners.contains(next) { return .cut(cursor, .clause) }
    }
    words = count
    return .go
  }

  private mutating func commaVerdict() -> Verdict {
    guard let end = endOfClosers(after: cursor + 1) else { return .wait }
    guard end >= buffer.count || buffer[end].properties.isWhitespace else { return .go }
    let isDash = buffer[cursor] == "—" || buffer[cursor] == "–"
    let count = words + (isDash ? 0 : 1)
    guard end < buffer.count, count >= Self.commaWords[stage] else { return .go }
    return .cut(end, .clause)
  }

  // MARK: Sentences

  private mutating func sentenceVerdict() -> Verdict {
    var end = cursor + 1
    while end < buffer.count, isTerminal(buffer[end]) { end += 1 }
    guard end < buffer.count || isFinal else { return .wait }
    let isPlainPeriod = buffer[cursor] == "." && end == cursor + 1
    guard let afterClosers = endOfClosers(after: end) else { return .wait }
    guard afterClosers < buffer.count else { return .go }  // the end of the text ends it anyway
    guard buffer[afterClosers].properties.isWhitespace else { return .go }
    if isPlainPeriod && isListNumber { return .go }
    guard let next = nextNonSpace(after: afterClosers) else { return isFinal ? .go : .wait }
    if next.properties.isLowercase { return .go }
    if isPlainPeriod {
      switch Abbreviations.kind(of: wordBeforeCursor) {
      case .none: break
      case .inner: return .go
      case .either:
        guard let word = nextWord(after: afterClosers) else { return .wait }
        let endsSentence = wordBeforeCursor.contains(".") || wordBeforeCursor.lowercased() == "etc"
        let isNumber = next.properties.numericType != nil
        if isNumber || !(endsSentence || Abbreviations.starters.contains(word)) { return .go }
      case .initialism:
        guard let word = nextWord(after: afterClosers) else { return .wait }
        if !Abbreviations.starters.contains(word) { return .go }
      }
    }
    return .cut(afterClosers, .sentence)
  }

  private func isTerminal(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar == "!" || scalar == "?" || scalar == "…"
  }

  /// Past quotes, brackets and emphasis marks that close what stands before; nil: cannot tell.
  private func endOfClosers(after start: Int) -> Int? {
    var end = start
    while end < buffer.count, "\"')]}”’»*_`~".unicodeScalars.contains(buffer[end]) { end += 1 }
    return end < buffer.count || isFinal ? end : nil
  }

  private func nextNonSpace(after start: Int) -> Unicode.Scalar? {
    buffer[min(start, buffer.count)...].first {
      !$0.properties.isWhitespace && !"\"'([“‘*_".unicodeScalars.contains($0)
    }
  }

  /// The next word in lowercase, "" at the end of the text; nil while it is incomplete.
  private func nextWord(after start: Int) -> String? {
    let rest = buffer[min(start, buffer.count)...].drop { $0.properties.isWhitespace }
    let word = rest.prefix { $0.properties.isAlphabetic || $0 == "'" || $0 == "’" }
    guard word.endIndex < buffer.count || isFinal else {
      return word.count > 20 ? "" : nil
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: word)
    return String(view).lowercased()
  }

  private var wordBeforeCursor: String {
    var view = String.UnicodeScalarView()
    let word = buffer[..<cursor].reversed().prefix {
      !$0.properties.isWhitespace && !"\"'([“‘*_".unicodeScalars.contains($0)
    }
    view.append(contentsOf: word.reversed())
    return String(view)
  }

  /// Whether the clause so far is only a number of up to three digits, as in a numbered list.
  private var isListNumber: Bool {
    let text = buffer[..<cursor].drop { $0.properties.isWhitespace }
    return (1...3).contains(text.count) && text.allSatisfy { ("0"..."9").contains($0) }
  }
}
