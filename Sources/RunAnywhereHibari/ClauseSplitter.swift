/// Splits what is too long for the voice's network.
enum ClauseSplitter {
  /// Most tokens of one run.
  static let limit = 400

  /// Consecutive runs of tokens, cut after pauses where there are any, else at spaces.
  static func split(_ tokens: [FrontEnd.Token]) -> [[FrontEnd.Token]] {
    var runs: [[FrontEnd.Token]] = []
    var rest = tokens[...]
    while rest.count > limit {
      let window = rest.prefix(limit)
      let earliest = window.startIndex + limit / 3
      let cut =
        window.lastIndex { PhoneClass.pauses.contains($0.symbol) } ?? window.lastIndex { $0.symbol == " " }
      let end = cut.flatMap { $0 >= earliest ? $0 + 1 : nil } ?? window.endIndex
      runs.append(trimmed(rest[..<end]))
      rest = rest[end...]
    }
    runs.append(trimmed(rest))
    return runs.filter { !$0.isEmpty }
  }

  private static func trimmed(_ tokens: ArraySlice<FrontEnd.Token>) -> [FrontEnd.Token] {
    var tokens = tokens
    while tokens.first?.symbol == " " { tokens.removeFirst() }
    while tokens.last?.symbol == " " { tokens.removeLast() }
    return Array(tokens)
  }
}
