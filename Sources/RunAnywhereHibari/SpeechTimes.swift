import VoiceIO

/// Turns the durations of tokens into the times of phones and words.
struct SpeechTimes {
  /// At speed 1 the voice sounds this many samples (55 ms) before its durations say so, faster speech
  /// accordingly less and slow speech at most 70 ms: the shifts at which its own voicing agrees best
  /// with voiced and voiceless phones.
  private static let lead = 1320
  private static let longestLead = 1680

  private(set) var phones: [PhoneTiming] = []
  /// Times of the words that have phones, by their index.
  private(set) var words: [Int: Range<Int>] = [:]

  /// - Parameters:
  ///   - durations: Samples of the silence before, of each token, and of the silence after.
  ///   - range: Where the speech lies in the sound that the durations describe.
  ///   - speed: Pace of the speech; 1 is the voice's own.
  init(tokens: [FrontEnd.Token], durations: [Int], range: SoundingRange, speed: Float) {
    guard durations.count == tokens.count + 2 else { return }
    let length = range.kept.count
    let speech =
      range.sound.lowerBound - range.kept.lowerBound..<range.sound.upperBound
      - range.kept.lowerBound
    var spans = Self.spans(tokens, durations)
    let lead = min(Int(Float(Self.lead) / max(speed, 0.1)), Self.longestLead)
    let offset = lead + range.kept.lowerBound
    for index in spans.indices {
      spans[index].start = min(max(spans[index].start - offset, speech.lowerBound), speech.upperBound)
      spans[index].end = min(max(spans[index].end - offset, speech.lowerBound), speech.upperBound)
    }
    if let first = spans.firstIndex(where: { !$0.symbol.isEmpty }),
      let last = spans.lastIndex(where: { !$0.symbol.isEmpty })
    {
      spans[first].start = speech.lowerBound
      spans[last].end = speech.upperBound
      spans = Array(spans[first...last])
      append("", 0, speech.lowerBound)
      for span in spans { append(span.symbol, span.start, span.end, isStressed: span.isStressed) }
      append("", speech.upperBound, length)
    } else {
      append("", 0, length)
    }
    words = Self.times(of: spans)
  }

  private struct Span {
    var symbol: String
    var word: Int?
    var start: Int
    var end: Int
    var isStressed = false
  }

  private mutating func append(_ symbol: String, _ start: Int, _ end: Int, isStressed: Bool = false) {
    guard end > start else { return }
    phones.append(PhoneTiming(symbol: symbol, start: start, end: end, isStressed: isStressed))
  }

  /// Phones with the stress marks before them, and pauses; spaces without a pause are divided
  /// between their neighbours.
  private static func spans(_ tokens: [FrontEnd.Token], _ durations: [Int]) -> [Span] {
    var spans: [Span] = []
    var at = durations.first ?? 0
    var markStart: Int?
    var isStressed = false
    var gap: (start: Int, isPause: Bool)?
    for (token, duration) in zip(tokens, durations.dropFirst()) {
      let end = at + duration
      defer { at = end }
      if PhoneClass.isStress(token.symbol) {
        markStart = markStart ?? at
        isStressed = isStressed || token.symbol == PhoneClass.primary
        continue
      }
      let isPhone =
        !PhoneClass.pauses.contains(token.symbol) && !" (\")“”".unicodeScalars.contains(token.symbol)
      guard isPhone else {
        let isPause = PhoneClass.pauses.contains(token.symbol)
        gap = (gap?.start ?? at, gap?.isPause == true || isPause)
        continue
      }
      var start = markStart ?? at
      if let gap {
        if gap.isPause {
          spans.append(Span(symbol: "", word: nil, start: gap.start, end: start))
        } else {
          let middle = (gap.start + start) / 2
          if !spans.isEmpty { spans[spans.count - 1].end = middle }
          start = spans.isEmpty ? gap.start : middle
        }
      }
      spans.append(
        Span(
          symbol: String(Character(token.symbol)), word: token.word, start: start, end: end,
          isStressed: isStressed))
      gap = nil
      markStart = nil
      isStressed = false
    }
    return spans
  }

  /// Takes better times for the same phones, as `PhoneAligner` makes them; the words follow.
  mutating func move(to better: [PhoneTiming]) {
    guard better.count == phones.count else { return }
    let starts = Dictionary(zip(phones.map(\.start), better.map(\.start))) { first, _ in first }
    let ends = Dictionary(zip(phones.map(\.end), better.map(\.end))) { _, last in last }
    words = words.mapValues { time in
      let start = starts[time.lowerBound] ?? time.lowerBound
      return start..<max(start, ends[time.upperBound] ?? time.upperBound)
    }
    phones = better
  }

  /// The time of each word that has phones, by its index.
  private static func times(of spans: [Span]) -> [Int: Range<Int>] {
    var times: [Int: Range<Int>] = [:]
    for span in spans {
      guard let word = span.word, span.end >= span.start else { continue }
      let known = times[word]
      times[word] = min(known?.lowerBound ?? span.start, span.start)..<max(known?.upperBound ?? 0, span.end)
    }
    return times
  }
}
