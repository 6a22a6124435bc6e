import VoiceIO

/// What an utterance says and when, in samples, so that it can be told what was heard of it.
struct HeardLedger: Sendable, Equatable {
  private struct Entry: Equatable {
    var text: String
    /// Nil for a written word that is not spoken.
    var span: Range<Int>?
  }
  private var entries: [Entry] = []
  /// Samples queued so far.
  private(set) var total = 0

  /// Adds a clause whose sound takes `sampleCount` samples from the end of what was added before.
  /// `words` are the voice's times of `speech.words`, counted from the clause's first sample.
  /// Returns the written words with their times in samples of the utterance.
  mutating func append(
    _ speech: SpeechText, words: [WordTiming], sampleCount: Int
  ) -> [WordTiming] {
    let spans = Self.spans(of: speech, words: words, sampleCount: sampleCount)
    var timings: [WordTiming] = []
    for (index, text) in speech.written.enumerated() {
      let span = spans[index].map { ($0.lowerBound + total)..<($0.upperBound + total) }
      entries.append(Entry(text: text, span: span))
      if let span {
        let word = text.trimmingSpace()
        timings.append(WordTiming(text: word, start: span.lowerBound, end: span.upperBound))
      }
    }
    total += max(0, sampleCount)
    return timings
  }

  /// The written words heard when `played` samples were; a word counts from its half on.
  func heardText(played: Int) -> String {
    var heard = ""
    var unspoken = ""
    for entry in entries {
      guard let span = entry.span else {
        unspoken += entry.text
        continue
      }
      guard played > span.lowerBound, 2 * (played - span.lowerBound) >= span.count else { break }
      heard += unspoken + entry.text
      unspoken = ""
    }
    return heard.trimmingSpace()
  }

  /// The written words that sounded between two samples.
  func text(from start: Int, to end: Int) -> String {
    entries.filter { entry in
      entry.span.map { $0.upperBound > start && $0.lowerBound < end } ?? false
    }.map(\.text).joined().trimmingSpace()
  }

  /// Whether the sentence that is heard at a sample, or was heard just before it, asks something.
  func isInQuestion(at played: Int) -> Bool {
    var last = entries.startIndex
    for (index, entry) in entries.enumerated() {
      guard let span = entry.span else { continue }
      if span.lowerBound >= played { break }
      last = index
    }
    for entry in entries[min(last, entries.count)...] {
      let word = entry.text.trimmingSpace().reversed().drop {
        !$0.isLetter && !$0.isNumber && !".!?".contains($0)
      }
      if let mark = word.first, ".!?".contains(mark) { return mark == "?" }
    }
    return false
  }

  /// Times of each written word, by the spoken words that come from it.
  private static func spans(
    of speech: SpeechText, words: [WordTiming], sampleCount: Int
  ) -> [Int: Range<Int>] {
    var spans: [Int: Range<Int>] = [:]
    let times = spokenTimes(of: speech.words.map(\.text), words: words, sampleCount: sampleCount)
    for (word, time) in zip(speech.words, times) {
      let start = min(spans[word.source]?.lowerBound ?? time.lowerBound, time.lowerBound)
      let end = max(spans[word.source]?.upperBound ?? time.upperBound, time.upperBound)
      spans[word.source] = start..<end
    }
    return spans
  }

  /// The voice's own times where it gives one for each word; else by the share of letters.
  private static func spokenTimes(
    of spoken: [String], words: [WordTiming], sampleCount: Int
  ) -> [Range<Int>] {
    if words.count == spoken.count {
      return words.map { word in
        let start = min(max(0, word.start), sampleCount)
        return start..<min(max(start, word.end), sampleCount)
      }
    }
    let weights = spoken.map { $0.count + 1 }
    let sum = max(1, weights.reduce(0, +))
    var done = 0
    return weights.map { weight in
      let start = sampleCount * done / sum
      done += weight
      return start..<(sampleCount * done / sum)
    }
  }
}

extension String {
  /// Without white space at both ends.
  func trimmingSpace() -> String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
