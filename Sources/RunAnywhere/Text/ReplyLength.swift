/// Tells when a reply that has grown long enough may end, behind a sentence.
package struct ReplyLength: Sendable {
  private let limit: Int?
  /// Pieces that have text for the listener.
  private var pieces = 0
  private var filter = ReasoningFilter()
  private var splitter = ClauseSplitter()
  /// Text behind the last cut.
  private var rest = ""
  /// Whether the last cut ended a sentence.
  private var endsSentence = false

  /// `limit` is `LlmOptions.softOutputTokens`.
  package init(limit: Int?) { self.limit = limit }

  /// Whether the reply should end before the next piece, one token of the model. Reasoning counts for nothing.
  package mutating func ends(before piece: String) -> Bool {
    guard let limit else { return false }
    if pieces >= limit, endsSentence, rest.isEmpty { return true }
    let said = rest
    let visible = filter.process(piece)
    let clauses = splitter.process(visible)
    rest += visible
    for clause in clauses { rest.unicodeScalars.removeFirst(clause.text.unicodeScalars.count) }
    if let last = clauses.last { endsSentence = last.ending == .sentence }
    if pieces >= limit, let first = clauses.first, first.ending == .sentence,
      first.text.trimmingSpace() == said.trimmingSpace()
    {
      return true
    }
    if !visible.isEmpty { pieces += 1 }
    return false
  }
}
