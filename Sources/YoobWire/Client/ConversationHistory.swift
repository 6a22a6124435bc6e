/// What was said, to be told again to a provider that has lost it. Bounded: the oldest goes first.
struct ConversationHistory: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var role: ConversationTranscript.Role
    var text: String
    /// Whether the user interrupted it: the text is what was heard.
    var isCut = false
    /// The provider's name for it.
    var itemID: String?
  }

  static let maximumEntries = 40
  /// Bytes of UTF-8 of all entries together.
  static let maximumBytes = 16 << 10

  private(set) var entries: [Entry] = []
  /// Entries ever added: where an entry stands stays the same when older ones go.
  private(set) var total = 0

  mutating func add(
    _ role: ConversationTranscript.Role, _ text: String, isCut: Bool = false, itemID: String? = nil
  ) {
    let text = text.trimmedPrefix(maximumBytes: Self.maximumBytes / 2)
    guard !text.isEmpty else { return }
    entries.append(Entry(role: role, text: text, isCut: isCut, itemID: itemID))
    total += 1
    var bytes = entries.reduce(0) { $0 + $1.text.utf8.count }
    while let first = entries.first, entries.count > Self.maximumEntries || bytes > Self.maximumBytes {
      bytes -= first.text.utf8.count
      entries.removeFirst()
    }
  }

  /// Takes an entry back. Returns false when there is none of that name.
  mutating func remove(_ itemID: String) -> Bool {
    guard let place = entries.lastIndex(where: { $0.itemID == itemID }) else { return false }
    entries.remove(at: place)
    return true
  }

  /// The entries that were added after the first `count` ones ever.
  func entries(after count: Int) -> [Entry] { entries.suffix(max(0, total - count)) }

  /// Whether the user had the last word.
  var endsWithUser: Bool { entries.last?.role == .user }
}

extension String {
  /// The beginning of the text in so many bytes of UTF-8, without white space around it.
  func trimmedPrefix(maximumBytes: Int) -> String {
    var text = self[...]
    if text.utf8.count > maximumBytes {
      var end = text.utf8.index(text.startIndex, offsetBy: maximumBytes)
      while end > text.startIndex, end.samePosition(in: unicodeScalars) == nil {
        end = utf8.index(before: end)
      }
      text = text[..<end]
    }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }
}
