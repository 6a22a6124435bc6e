/// A piece of a reply that is spoken in one go.
public struct Clause: Sendable, Equatable {
  public enum Ending: Sendable { case sentence, clause, code }
  /// The text as written. All clauses of a reply, joined, are the reply.
  public var text: String
  public var ending: Ending

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
  private var isInFence = false
  private var isFinal = false

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
    if !buffer.isEmpty { clauses.append(cut(at: buffer.count, isInFence ? .code : .sentence)) }
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
    if isInFence { return fenceVerdict(scalar) }
    if isLineStart && scalar == "`" {
      guard let opens = startsFence(at: cursor) else { return .wait }
      isLineStart = false
      if opens {
        isInFence = true
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
    default: return .go
    }
  }

  // MARK: Code

  /// Whether three backticks stand at `index`; nil when that cannot be told yet.
  private func startsFence(at index: Int) -> Bool? {
    for offset in 0..<3 {
      guard index + offset < buffer.count else { return isFinal ? false : nil }
      guard buffer[index + offset] == "`" else { return false }
    }
    return true
  }

  private mutating func fenceVerdict(_ scalar: Unicode.Scalar) -> Verdict {
    guard scalar == "\n" else { return .go }
    var next = cursor + 1
    while next < buffer.count, buffer[next] == " " { next += 1 }
    guard let closes = startsFence(at: next) else { return .wait }
    guard closes else { return .go }
    var end = next + 3
    while end < buffer.count, buffer[end] != "\n" { end += 1 }
    guard end < buffer.count || isFinal else { return .wait }
    isInFence = false
    return .cut(min(end + 1, buffer.count), .code)
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
