/// What stands for a message while a chat template is written, so that the template's text and the
/// messages' can be told apart afterwards.
enum TemplateMark {
  enum Piece: Equatable {
    /// The template's own text.
    case template(String)
    /// The content of the message with this index.
    case message(Int)
  }

  // Private use: no template and no role has them, and no template trims them.
  private static let start: Unicode.Scalar = "\u{F0000}"
  private static let end: Unicode.Scalar = "\u{F0001}"

  static func text(for index: Int) -> String { "\(start)\(index)\(end)" }

  /// The pieces of a written template, in order; none is empty.
  static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var part = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case start:
        if !part.isEmpty { pieces.append(.template(String(part))) }
        part = .init()
      case end:
        if let index = Int(String(part)) { pieces.append(.message(index)) }
        part = .init()
      default: part.append(scalar)
      }
    }
    if !part.isEmpty { pieces.append(.template(String(part))) }
    return pieces
  }
}
