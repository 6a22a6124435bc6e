/// Turns the bytes of a model's tokens into text that may be shown.
///
/// Bytes of an unfinished character and text that may become a stop sequence are held back.
package struct TextStream: Sendable {
  private let stops: [[UInt8]]
  private var held: [UInt8] = []
  /// All text handed out so far.
  package private(set) var text = ""
  /// Whether a stop sequence was met; nothing follows it.
  package private(set) var isStopped = false

  package init(stopSequences: [String]) {
    stops = stopSequences.map { Array($0.utf8) }.filter { !$0.isEmpty }
  }

  /// Takes the bytes of one token and returns the text that is now certain.
  package mutating func append(_ bytes: some Sequence<UInt8>) -> String {
    guard !isStopped else { return "" }
    held.append(contentsOf: bytes)
    if let stop = firstStop() {
      isStopped = true
      let kept = held[..<stop]
      held = []
      return emit(kept)
    }
    var safe = held.count - heldForStops()
    safe = completeCharacters(held[..<safe])
    let ready = held[..<safe]
    held.removeFirst(safe)
    return emit(ready)
  }

  /// Returns what was held back, at the end of the reply.
  package mutating func finish() -> String {
    guard !isStopped else { return "" }
    let rest = held[..<completeCharacters(held[...])]
    held = []
    return emit(rest)
  }

  private mutating func emit(_ bytes: ArraySlice<UInt8>) -> String {
    let piece = String(decoding: bytes, as: UTF8.self)
    text += piece
    return piece
  }

  private func firstStop() -> Int? {
    for start in held.indices where stops.contains(where: { held[start...].starts(with: $0) }) {
      return start
    }
    return nil
  }

  /// Length of the longest end of `held` that begins a stop sequence.
  private func heldForStops() -> Int {
    let longest = stops.map { $0.count - 1 }.max() ?? 0
    var length = min(longest, held.count)
    while length > 0 {
      let tail = held.suffix(length)
      if stops.contains(where: { $0.count > length && $0.starts(with: tail) }) { return length }
      length -= 1
    }
    return 0
  }

  /// Length of `bytes` without a character at its end that wants more bytes.
  private func completeCharacters(_ bytes: ArraySlice<UInt8>) -> Int {
    for back in 1...4 where back <= bytes.count {
      let byte = bytes[bytes.endIndex - back]
      if byte & 0xC0 == 0x80 { continue }
      let wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return wanted > back ? bytes.count - back : bytes.count
    }
    return bytes.count
  }
}
