/// The position of a loudspeaker that plays what it is given at its own rate, without I/O.
///
/// Playing begins with the first samples; where they run out, and while it is held, the position
/// stands still.
struct PlaybackPacer: Equatable {
  /// Samples per second.
  let sampleRate: Int
  /// Samples queued so far.
  private(set) var written = 0
  private var anchorTime = 0.0
  private var anchorPlayed = 0
  private(set) var isHeld = false

  init(sampleRate: Int) { self.sampleRate = max(1, sampleRate) }

  /// Queues samples at `now` (seconds). Returns whether they begin a new run after a silence.
  @discardableResult
  mutating func append(_ count: Int, now: Double) -> Bool {
    let isNewRun = !isHeld && played(now) >= written
    if isNewRun {
      anchorTime = now
      anchorPlayed = written
    }
    written += max(0, count)
    return isNewRun
  }

  /// Samples heard at `now`.
  func played(_ now: Double) -> Int {
    if isHeld { return anchorPlayed }
    let elapsed = max(0, now - anchorTime) * Double(sampleRate)
    guard elapsed < Double(written) else { return written }
    return min(written, anchorPlayed + Int(elapsed + 1e-6))
  }

  /// Holds the sound, at sample `limit` where that was heard before; returns the samples heard.
  mutating func hold(_ now: Double, limit: Int = .max) -> Int {
    anchorPlayed = max(0, min(limit, played(now)))
    isHeld = true
    return anchorPlayed
  }

  /// Goes on from the sample that was heard last.
  mutating func resume(_ now: Double) {
    guard isHeld else { return }
    anchorTime = now
    isHeld = false
  }

  /// Seconds of sound that wait to be heard.
  func queued(_ now: Double) -> Double { Double(written - played(now)) / Double(sampleRate) }

  /// The time at which only `seconds` of the queue are left.
  func time(whenQueuedIs seconds: Double, now: Double) -> Double {
    now + max(0, queued(now) - seconds)
  }
}
