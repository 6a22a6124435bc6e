/// The text of a reply, and how much of it has been heard.
struct HeardText: Sendable, Equatable {
  /// The longest text that is kept, in bytes of UTF-8.
  static let maximumBytes = 64 << 10
  static let maximumWords = 4096
  /// Bytes of text that a second of speech has at most: while a reply still arrives its text may be far
  /// ahead of its sound.
  static let bytesPerSecond = 30.0
  /// Bytes of the longest word that is shown as a whole.
  static let longestWord = 60

  private(set) var text = ""
  /// The words' times, where the server tells them.
  private(set) var words: [SpeechWord] = []
  /// Bytes that were shown.
  private(set) var shown = 0

  mutating func append(_ more: String) {
    let room = Self.maximumBytes - text.utf8.count
    guard room > 0 else { return }
    text += more.utf8.count <= room ? more : more.trimmedPrefix(maximumBytes: room)
  }

  /// Takes the whole text in place of its pieces.
  mutating func replace(_ whole: String) {
    guard !whole.isEmpty, whole != text else { return }
    text = ""
    append(whole)
    shown = characterBoundary(before: min(shown, text.utf8.count))
  }

  mutating func append(_ more: [SpeechWord]) { words += more.prefix(Self.maximumWords - words.count) }

  /// The text that belongs to the sound heard so far. A word counts from its half on.
  func text(heard: Int, of received: Int, sampleRate: Int, isComplete: Bool) -> String {
    prefix(bytes: max(shown, heardBytes(heard, received, sampleRate, isComplete)))
  }

  /// The same, when it is more than was shown before; else nil.
  mutating func advance(heard: Int, of received: Int, sampleRate: Int, isComplete: Bool) -> String? {
    let bytes = heardBytes(heard, received, sampleRate, isComplete)
    guard bytes > shown else { return nil }
    shown = bytes
    return prefix(bytes: bytes)
  }

  private func prefix(bytes: Int) -> String {
    String(decoding: text.utf8.prefix(bytes), as: UTF8.self)
  }

  private func heardBytes(_ heard: Int, _ received: Int, _ sampleRate: Int, _ isComplete: Bool) -> Int {
    let count = text.utf8.count
    guard heard > 0, received > 0, count > 0 else { return 0 }
    if isComplete, heard >= received { return count }
    if !words.isEmpty { return timedBytes(heardMs: heard * 1000 / max(1, sampleRate)) }
    var place = Double(count) * Double(min(heard, received)) / Double(received)
    if !isComplete {
      place = min(place, Double(heard) / Double(max(1, sampleRate)) * Self.bytesPerSecond)
    }
    return wordEnd(near: Int(place))
  }

  /// Bytes up to the end of the word at `place`, when half of it lies before; else up to its beginning.
  private func wordEnd(near place: Int) -> Int {
    let bytes = text.utf8
    let space = UInt8(ascii: " ")
    let middle = bytes.index(bytes.startIndex, offsetBy: min(place, bytes.count))
    let start = bytes[..<middle].lastIndex(of: space) ?? bytes.startIndex
    let end = bytes[middle...].firstIndex(of: space) ?? bytes.endIndex
    let before = bytes.distance(from: start, to: middle)
    let after = bytes.distance(from: middle, to: end)
    guard before + after <= Self.longestWord else {
      // A language that is written without spaces: up to the character.
      return characterBoundary(before: min(place, bytes.count))
    }
    return bytes.distance(from: bytes.startIndex, to: before > 0 && before >= after ? end : start)
  }

  /// The largest number of bytes, up to `count`, that cuts no character of Unicode.
  private func characterBoundary(before count: Int) -> Int {
    var count = count
    while text.utf8.index(text.startIndex, offsetBy: count).samePosition(in: text.unicodeScalars) == nil {
      count -= 1
    }
    return count
  }

  /// Bytes up to the last word that was heard. Words are found in the text one after the other, each near the end
  /// of the one before; one that is not there, as a number that is spoken otherwise, is passed over.
  private func timedBytes(heardMs: Int) -> Int {
    let bytes = Array(text.utf8)
    var place = 0
    for word in words {
      guard heardMs > word.startMs, 2 * (heardMs - word.startMs) >= word.endMs - word.startMs else { break }
      let wanted = Array(word.text.utf8)
      let last = min(place + Self.longestWord, bytes.count - wanted.count)
      guard !wanted.isEmpty, place <= last else { continue }
      let found = (place...last).first { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
      if let found { place = found + wanted.count }
    }
    return place
  }
}
