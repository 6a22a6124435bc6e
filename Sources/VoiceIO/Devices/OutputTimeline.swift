import VoiceAudio

/// One utterance on a loudspeaker that never stops: what waits, what was rendered, what was heard.
///
/// Positions of the loudspeaker count rendered samples, silence included.
struct OutputTimeline {
  private struct Span {
    var position: Int
    var content: Int
    var count: Int
  }
  private struct Utterance {
    let sampleRate: Int
    var resampler: StreamingResampler
    var written = 0
    /// Samples at the loudspeaker's rate that were not heard yet; the first is number `base`.
    var samples: [Float] = []
    var base = 0
    var next = 0
    var heard = 0
    var isComplete = false
    var isHeld = false
    var end: Int { base + samples.count }
  }
  let outputRate: Int
  /// Samples rendered since the streams were opened.
  private(set) var rendered = 0
  private var utterance: Utterance?
  private var spans: [Span] = []
  private var lastPlayed = 0

  init(outputRate: Int) { self.outputRate = outputRate }

  var isOpen: Bool { utterance != nil }

  mutating func begin(sampleRate: Int) {
    let rate = max(1, sampleRate)
    utterance = Utterance(
      sampleRate: rate, resampler: StreamingResampler(from: rate, to: outputRate))
    spans = []
    lastPlayed = 0
  }

  /// Queues samples at the utterance's rate; false when none is open.
  mutating func append(_ samples: [Float]) -> Bool {
    guard var current = utterance else { return false }
    utterance = nil  // one owner, so that the queue is not copied
    current.written += samples.count
    current.samples += current.resampler.process(samples)
    utterance = current
    return true
  }

  /// No more samples follow.
  mutating func complete() {
    guard var current = utterance, !current.isComplete else { return }
    current.samples += current.resampler.finish()
    current.isComplete = true
    utterance = current
  }

  /// The next `count` samples for the loudspeaker.
  mutating func render(_ count: Int) -> [Float] {
    defer { rendered += count }
    guard let current = utterance, !current.isHeld, current.next < current.end else {
      return [Float](repeating: 0, count: count)
    }
    let length = min(count, current.end - current.next)
    let start = current.next - current.base
    var output = Array(current.samples[start..<start + length])
    output += [Float](repeating: 0, count: count - length)
    spans.append(Span(position: rendered, content: current.next, count: length))
    utterance?.next += length
    return output
  }

  /// Learns that the loudspeaker's position `heard` has reached the ear.
  mutating func advance(toHeard heard: Double) {
    guard let current = utterance else { return }
    while spans.count > 1, Double(spans[1].position) <= heard { spans.removeFirst() }
    guard let span = spans.first, heard >= Double(span.position) else { return }
    let content = span.content + min(span.count, Int(heard) - span.position)
    guard content > current.heard else { return }
    utterance?.heard = content
    // Removed in large steps; a step for each sample would move the queue each time.
    let done = content - current.base
    if done > outputRate / 4 {
      utterance?.samples.removeFirst(done)
      utterance?.base = content
    }
  }

  /// Samples of the open or last utterance that were heard, at its own rate.
  var played: Int {
    guard let current = utterance else { return lastPlayed }
    if current.isComplete, current.heard >= current.end { return current.written }
    let exact = Double(current.heard) * Double(current.sampleRate) / Double(outputRate)
    return min(current.written, Int(exact))
  }

  /// Seconds that wait to be heard.
  var queued: Double {
    guard let current = utterance else { return 0 }
    return Double(current.end - current.heard) / Double(outputRate)
  }

  /// Closes the utterance; returns what was heard of it.
  @discardableResult mutating func end() -> Int {
    lastPlayed = played
    utterance = nil
    spans = []
    return lastPlayed
  }

  /// Holds the utterance: what was rendered and not heard is rendered again when it goes on. The
  /// loudspeaker's own buffer is to be emptied. False when none is open or it is held already.
  mutating func hold() -> Bool {
    guard let current = utterance, !current.isHeld else { return false }
    spans = []
    utterance?.next = current.heard
    utterance?.isHeld = true
    return true
  }

  /// Goes on with a held utterance; false when there is none.
  mutating func release() -> Bool {
    guard utterance?.isHeld == true else { return false }
    utterance?.isHeld = false
    return true
  }

  var isHeld: Bool { utterance?.isHeld ?? false }

  /// The streams are new: what was rendered and not heard is rendered again.
  mutating func restart() {
    rendered = 0
    spans = []
    if let current = utterance { utterance?.next = current.heard }
  }
}
