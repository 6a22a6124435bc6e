import VoiceAudio

/// What a room's loudspeaker plays and when, without a clock; times are seconds of the room.
struct RoomLoudspeaker {
  /// Sound that was given without a break, at 16 kHz too.
  struct Piece {
    var utterance: Int
    /// Number of the first sample in the utterance.
    var position: Int
    /// Time of the first sample.
    var start: Double
    var samples: [Float]
    var sampleRate: Int
    /// The same at 16 kHz, and the room's sample that its first lies at.
    var samples16: [Float]
    var place16: Int
    /// Whether it goes on where the piece before it ended.
    var continues: Bool
  }

  /// From a time on the sound goes on from a sample.
  private struct Run {
    var time: Double
    var position: Int
    var given16: Int
    var hasBegun = false
  }
  private struct Utterance {
    let number: Int
    let rate: Int
    var resampler: StreamingResampler
    var written = 0
    var heard = 0
    /// Samples from `base` on; those before were heard.
    var samples: [Float] = []
    var base = 0
    var samples16: [Float] = []
    var base16 = 0
    var runs: [Run] = []
    var isHeld = false
  }

  /// Seconds from the taking of a sample to its sound.
  let latency: Double
  private(set) var number = 0
  private var utterance: Utterance?
  private var lastPlayed = 0

  init(latency: Double) { self.latency = max(0, latency) }

  var isOpen: Bool { utterance != nil }
  var isHeld: Bool { utterance?.isHeld ?? false }
  /// Samples of the open or the last utterance that were heard.
  var played: Int { utterance?.heard ?? lastPlayed }
  /// Seconds of sound that were not heard yet.
  var queued: Double { utterance.map { Double($0.written - $0.heard) / Double($0.rate) } ?? 0 }

  mutating func begin(sampleRate: Int) {
    number += 1
    let rate = max(1, sampleRate)
    utterance = Utterance(
      number: number, rate: rate, resampler: StreamingResampler(from: rate, to: VirtualRoom.sampleRate))
    lastPlayed = 0
  }

  /// Queues samples; where the queue has run dry they are heard after `latency`.
  mutating func append(_ samples: [Float], now: Double) {
    guard var current = utterance, !samples.isEmpty else { return }
    utterance = nil  // one owner, so that the queue is not copied
    let position = current.written
    current.written += samples.count
    current.samples += samples
    current.samples16 += current.resampler.process(samples)
    if !current.isHeld {
      let end = current.runs.last.map { $0.time + Double(position - $0.position) / Double(current.rate) }
      if end.map({ $0 < now + latency - 1e-9 }) ?? true {
        current.runs.append(Self.run(at: now + latency, position, current.rate))
      }
    }
    utterance = current
  }

  /// No more samples follow.
  mutating func complete() {
    guard var current = utterance else { return }
    utterance = nil
    current.samples16 += current.resampler.finish()
    utterance = current
  }

  /// Plays up to `now`.
  mutating func play(until now: Double) -> [Piece] {
    guard var current = utterance else { return [] }
    utterance = nil
    defer { utterance = current }
    var pieces: [Piece] = []
    while let run = current.runs.first {
      let limit = current.runs.count > 1 ? current.runs[1].position : current.written
      let elapsed = Int(max(0, now - run.time) * Double(current.rate) + 1e-6)
      let reached = min(limit, run.position + elapsed)
      if reached > current.heard { pieces.append(Self.piece(&current, to: reached)) }
      guard reached >= limit, current.runs.count > 1 else { break }
      current.runs.removeFirst()
    }
    return pieces
  }

  /// Stops at what was heard; what follows waits.
  mutating func hold() {
    utterance?.isHeld = true
    utterance?.runs = []
  }

  mutating func resume(now: Double) {
    guard let current = utterance, current.isHeld else { return }
    utterance?.isHeld = false
    guard current.written > current.heard else { return }
    utterance?.runs = [Self.run(at: now + latency, current.heard, current.rate)]
  }

  /// Closes the utterance at what was heard.
  mutating func end() {
    lastPlayed = played
    utterance = nil
  }

  private static func run(at time: Double, _ position: Int, _ rate: Int) -> Run {
    Run(time: time, position: position, given16: at16k(position, rate))
  }

  private static func at16k(_ position: Int, _ rate: Int) -> Int {
    position * VirtualRoom.sampleRate / rate
  }

  /// Takes the samples from what was heard to `reached`, all of them of the first run.
  private static func piece(_ current: inout Utterance, to reached: Int) -> Piece {
    let run = current.runs[0]
    let from = current.heard
    let end16 = max(run.given16, at16k(reached, current.rate))
    let place = Int((run.time * Double(VirtualRoom.sampleRate)).rounded())
    let first16 = at16k(run.position, current.rate)
    let low = min(max(0, run.given16 - current.base16), current.samples16.count)
    let high = min(max(low, end16 - current.base16), current.samples16.count)
    let piece = Piece(
      utterance: current.number, position: from,
      start: run.time + Double(from - run.position) / Double(current.rate),
      samples: Array(current.samples[from - current.base..<reached - current.base]),
      sampleRate: current.rate, samples16: Array(current.samples16[low..<high]),
      place16: place + run.given16 - first16, continues: run.hasBegun)
    current.runs[0].given16 = end16
    current.runs[0].hasBegun = true
    current.heard = reached
    // Removed in large steps; a step for each frame would move the queue each time.
    if reached - current.base > current.rate {
      current.samples.removeFirst(reached - current.base)
      current.base = reached
      let done = min(current.samples16.count, max(0, end16 - current.base16))
      current.samples16.removeFirst(done)
      current.base16 += done
    }
    return piece
  }
}
