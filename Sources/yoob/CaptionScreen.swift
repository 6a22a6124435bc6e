/// The last rows of a terminal: captions that grow, and below them one row that is redrawn, with what
/// is being typed or how loud the microphone hears.
///
/// Each change gives the text that draws it. Captions are wrapped here, so that the open row is always
/// one row of the terminal and can be found again.
struct CaptionScreen {
  /// The caption row that may go on.
  private var open = ""
  private var meter = ""
  private var typed = ""
  private var isFooterShown = false

  /// Appends captions.
  mutating func write(_ text: String, width: Int) -> String {
    let width = max(20, width)
    var rows = (open + text).split(separator: "\n", omittingEmptySubsequences: false).flatMap {
      Self.wrapped(String($0), width: width - 1)
    }
    let start = hideFooter() + "\r\u{1B}[K"
    open = rows.popLast() ?? ""
    return start + rows.map { $0 + "\n" }.joined() + open + showFooter(width: width)
  }

  /// Draws how loud it is, unless something is being typed; "" takes the meter away.
  mutating func setMeter(_ meter: String, width: Int) -> String {
    guard meter != self.meter else { return "" }
    return changeFooter(width: width) { $0.meter = meter }
  }

  /// Draws what has been typed so far.
  mutating func setTyped(_ typed: String, width: Int) -> String {
    guard typed != self.typed else { return "" }
    return changeFooter(width: width) { $0.typed = typed }
  }

  private mutating func changeFooter(width: Int, _ change: (inout CaptionScreen) -> Void) -> String {
    let hidden = hideFooter()
    change(&self)
    return hidden + showFooter(width: max(20, width))
  }

  private mutating func hideFooter() -> String {
    guard isFooterShown else { return "" }
    isFooterShown = false
    return open.isEmpty ? "\r\u{1B}[K" : "\r\u{1B}[K\u{1B}[A\r\u{1B}[K" + open
  }

  private mutating func showFooter(width: Int) -> String {
    let footer = typed.isEmpty ? meter : "> " + Self.end(of: typed, width: width - 4)
    guard !footer.isEmpty else { return "" }
    isFooterShown = true
    return (open.isEmpty ? "\r\u{1B}[K" : "\n\r\u{1B}[K") + footer
  }

  /// Rows of at most `width` columns, cut at spaces where there are any.
  static func wrapped(_ line: String, width: Int) -> [String] {
    var rows: [String] = []
    var row = ""
    for character in line {
      if columns(row) + columns(character) > width {
        if character == " " {
          rows.append(row)
          row = ""
          continue
        }
        let space = row.lastIndex(of: " ").flatMap { $0 > row.startIndex ? $0 : nil }
        let cut = space ?? row.endIndex
        rows.append(String(row[..<cut]))
        row = space.map { String(row[row.index(after: $0)...]) } ?? ""
      }
      row.append(character)
    }
    return rows + [row]
  }

  private static func end(of text: String, width: Int) -> String {
    guard columns(text) > width else { return text }
    var end = Substring(text)
    while columns(String(end)) > width - 1 { end.removeFirst() }
    return "…" + end
  }

  private static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

  /// Columns that terminals give a character: two for East Asian ones and emoji.
  private static func columns(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    let properties = scalar.properties
    if properties.generalCategory == .nonspacingMark || properties.generalCategory == .format { return 0 }
    if properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
