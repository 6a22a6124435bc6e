import VoiceAudio

/// A virtual loudspeaker: plays in real time by a clock and remembers what was heard, and when.
///
/// It keeps every sample of the conversation in memory (about 6 MB a minute of speech).
public final class RecordingSink: PausableSpeechSink {
  /// An unbroken run of heard sound.
  public struct Segment: Sendable, Equatable {
    /// Seconds from the sink's creation to the first sample.
    public var start: Double
    /// The samples that were heard.
    public var clip: AudioClip
    /// Phones that began to be heard, in samples of `clip`.
    public var phones: [PhoneTiming]
    /// Words that began to be heard, in samples of `clip`.
    public var words: [WordTiming]
    /// Hz every 12.5 ms of `clip`, 0 where unvoiced; empty when the voice gives none.
    public var pitch: [Float]
    /// Number of the utterance, from 1.
    public var utterance: Int

    /// Pitch and marks at 50 frames a second; empty when the voice gives no pitch.
    public var prosody: SpeechProsody {
      SpeechProsody(
        phones: phones, words: words, pitch: pitch, sampleCount: clip.samples.count,
        sampleRate: clip.sampleRate)
    }
  }

  /// Time of `clock` at which the recording begins.
  public let origin: Double
  private let clock: any PacingClock
  private let utterance: PacedUtterance
  private let rate = Guarded(16_000)
  private let recorded = Guarded(Recorded())

  private struct Recorded {
    /// What was heard, and what is queued behind it.
    var segments: [Segment] = []
    /// What waits while the sound is held.
    var held: Segment?
  }

  /// A sink that plays at the pace of `clock` into memory.
  public init(clock: any PacingClock = MonotonicClock()) {
    self.clock = clock
    origin = clock.now
    utterance = PacedUtterance(clock: clock)
  }

  public func begin(sampleRate: Int) async {
    interrupt()
    rate.withLock { $0 = sampleRate }
    _ = utterance.begin(sampleRate: sampleRate)
  }

  public func write(_ chunk: SpeechChunk) async {
    await utterance.waitForSpace()
    _ = utterance.append(chunk.samples.count) { queued in
      let rate = rate.withLock { $0 }
      recorded.withLock { recorded in
        if queued.isHeld {
          if var held = recorded.held {
            recorded.held = nil  // one owner, so that the samples are not copied
            Self.append(chunk, to: &held)
            recorded.held = held
          }
        } else {
          Self.record(chunk, queued, rate: rate, origin: origin, into: &recorded.segments)
        }
      }
    }
    await utterance.waitForSpace()
  }

  public func finish() async {
    await utterance.waitUntilHeard()
    _ = utterance.close()
  }

  @discardableResult public func interrupt() -> Int { interrupt(atMost: .max) }

  /// Interrupts as of sample `heard` of the utterance, where another loudspeaker got no further.
  @discardableResult package func interrupt(atMost heard: Int) -> Int {
    _ = utterance.interrupt(limit: heard) { played in
      recorded.withLock { recorded in
        if recorded.held == nil { Self.cut(&recorded.segments, toPlayed: played) }
        recorded.held = nil
      }
    }
    return utterance.playedSamples
  }

  @discardableResult public func pause() -> Int { pause(atMost: .max) }

  /// Holds the sound as of sample `heard` of the utterance, where another loudspeaker got no further.
  @discardableResult package func pause(atMost heard: Int) -> Int {
    let rate = rate.withLock { $0 }
    _ = utterance.pause(limit: heard) { number, played in
      recorded.withLock { recorded in
        let runs = recorded.segments.filter { $0.utterance == number }
        guard let newest = runs.last else {
          recorded.held = Segment(
            start: 0, clip: AudioClip(samples: [], sampleRate: rate), phones: [], words: [], pitch: [],
            utterance: number)
          return
        }
        // Only the newest run can have sound that was not heard.
        let before = runs.dropLast().reduce(0) { $0 + $1.clip.samples.count }
        recorded.held = newest.rest(from: max(0, played - before))
        Self.cut(&recorded.segments, toPlayed: played)
      }
    }
    return utterance.playedSamples
  }

  public func resume() {
    _ = utterance.resume { now in
      recorded.withLock { recorded in
        guard var held = recorded.held else { return }
        recorded.held = nil
        held.start = now - origin
        if !held.clip.samples.isEmpty { recorded.segments.append(held) }
      }
    }
  }

  public var playedSamples: Int { utterance.playedSamples }

  /// What was heard up to now, run by run.
  public var segments: [Segment] {
    let all = recorded.withLock { $0.segments }
    guard var last = all.last else { return [] }
    let heard = Int(max(0, clock.now - origin - last.start) * Double(last.clip.sampleRate) + 1e-6)
    Self.truncate(&last, to: heard)
    return all.dropLast() + (last.clip.samples.isEmpty ? [] : [last])
  }

  /// The whole conversation on one timeline that begins at `origin`, silent where nothing was
  /// heard; `duration` in seconds pads or cuts it.
  public func recording(sampleRate: Int = 24_000, duration: Double? = nil) -> AudioClip {
    let parts = segments.map { segment in
      (
        start: Int((segment.start * Double(sampleRate)).rounded()),
        samples: StreamingResampler.convert(segment.clip, to: sampleRate).samples
      )
    }
    let end = parts.map { $0.start + $0.samples.count }.max() ?? 0
    let count = duration.map { Int(($0 * Double(sampleRate)).rounded()) } ?? end
    var samples = [Float](repeating: 0, count: max(0, count))
    for part in parts {
      for (index, sample) in part.samples.enumerated() {
        let position = part.start + index
        if position >= 0, position < samples.count { samples[position] += sample }
      }
    }
    return AudioClip(samples: samples, sampleRate: sampleRate)
  }

  private static func record(
    _ chunk: SpeechChunk, _ queued: PacedUtterance.Queued, rate: Int, origin: Double,
    into segments: inout [Segment]
  ) {
    let isContinuation = !queued.isNewRun && segments.last?.utterance == queued.number
    if !isContinuation {
      segments.append(
        Segment(
          start: queued.time - origin, clip: AudioClip(samples: [], sampleRate: rate), phones: [],
          words: [], pitch: [], utterance: queued.number))
    }
    append(chunk, to: &segments[segments.count - 1])
  }

  private static func append(_ chunk: SpeechChunk, to segment: inout Segment) {
    let offset = segment.clip.samples.count
    segment.clip.samples += chunk.samples
    if !chunk.pitch.isEmpty {
      let place = SpeechChunk.pitchCount(samples: offset, sampleRate: segment.clip.sampleRate)
      let gap = max(0, place - segment.pitch.count)
      segment.pitch = segment.pitch.prefix(place) + [Float](repeating: 0, count: gap) + chunk.pitch
    }
    segment.phones += chunk.phones.map {
      PhoneTiming(
        symbol: $0.symbol, start: $0.start + offset, end: $0.end + offset,
        isStressed: $0.isStressed)
    }
    segment.words += chunk.words.map {
      WordTiming(text: $0.text, start: $0.start + offset, end: $0.end + offset)
    }
  }

  /// Keeps the first `played` samples of the newest utterance.
  private static func cut(_ segments: inout [Segment], toPlayed played: Int) {
    guard let number = segments.last?.utterance else { return }
    var left = played
    var kept: [Segment] = []
    while let segment = segments.last, segment.utterance == number {
      kept.append(segments.removeLast())
    }
    for var segment in kept.reversed() {
      let count = min(left, segment.clip.samples.count)
      left -= count
      truncate(&segment, to: count)
      if count > 0 { segments.append(segment) }
    }
  }

  private static func truncate(_ segment: inout Segment, to count: Int) {
    guard count < segment.clip.samples.count else { return }
    segment.clip.samples.removeLast(segment.clip.samples.count - max(0, count))
    let pitchCount = SpeechChunk.pitchCount(samples: max(0, count), sampleRate: segment.clip.sampleRate)
    segment.pitch.removeLast(max(0, segment.pitch.count - pitchCount))
    segment.phones.removeAll { $0.start >= count }
    segment.words.removeAll { $0.start >= count }
    for index in segment.phones.indices {
      segment.phones[index].end = min(segment.phones[index].end, count)
    }
    for index in segment.words.indices {
      segment.words[index].end = min(segment.words[index].end, count)
    }
  }
}

extension RecordingSink.Segment {
  /// What follows the first `count` samples. A phone at the border is in both parts, a word in the
  /// first only.
  fileprivate func rest(from count: Int) -> Self {
    var rest = self
    let count = min(count, clip.samples.count)
    rest.clip.samples.removeFirst(count)
    rest.pitch.removeFirst(
      min(pitch.count, SpeechChunk.pitchCount(samples: count, sampleRate: clip.sampleRate)))
    rest.phones = phones.filter { $0.end > count }.map {
      PhoneTiming(
        symbol: $0.symbol, start: max(0, $0.start - count), end: $0.end - count,
        isStressed: $0.isStressed && $0.start >= count)
    }
    rest.words = words.filter { $0.start >= count }.map {
      WordTiming(text: $0.text, start: $0.start - count, end: $0.end - count)
    }
    return rest
  }
}
