import RunAnywhere

/// When a client that has stopped sending sound inside a turn is to be taken for silent.
struct InputPause: Equatable {
  /// Seconds without sound after which silence stands in for it, more where the pieces of sound are
  /// long; and seconds of one piece of silence. A packet that the network lost and sent again comes
  /// sooner, and is no silence; a turn that ends here ends no later, for the silence covers the wait.
  private static let patience = 0.4...1.5
  private static let step = 0.1
  private static let sampleRate = 24_000.0

  /// Longest silence that stands in, in milliseconds.
  var longestMs = 4000
  private(set) var isWatched = false
  private var isTurnOpen = false
  private var isClosed = false
  /// Time of the newest sound, and the end of the silence that was given after it.
  private var soundTime = 0.0
  private var patience = Self.patience.lowerBound
  private var filledTime = 0.0

  /// Returns whether a turn has begun.
  mutating func take(_ event: VoiceEvent) -> Bool {
    switch event {
    case .speechStarted:
      isTurnOpen = true
      return true
    case .userTranscribed(_, isFinal: true), .agentStateChanged(.thinking),
      .agentStateChanged(.speaking):
      isTurnOpen = false
    default: break
    }
    return false
  }

  mutating func soundCame(_ samples: Int, at now: Double) {
    let length = Double(samples) / Self.sampleRate
    patience = min(max(1.5 * length, Self.patience.lowerBound), Self.patience.upperBound)
    soundTime = now
    filledTime = now
  }

  mutating func close() { isClosed = true }

  private var limit: Double { soundTime + Double(max(0, longestMs)) / 1000 }

  /// The time at which to look for missing sound; nil when none can be missing.
  mutating func watch(at now: Double) -> Double? {
    isWatched = isTurnOpen && !isClosed && filledTime < limit
    guard isWatched else { return nil }
    return max(soundTime + patience, now + Self.step)
  }

  /// Samples of silence, at 24 kHz, that stand in for what has not come by now.
  mutating func missingSamples(at now: Double) -> Int {
    guard isTurnOpen, !isClosed, now - soundTime >= patience - 1e-6 else { return 0 }
    let end = min(now, limit)
    let count = max(0, Int((end - filledTime) * Self.sampleRate))
    filledTime = end
    return count
  }
}
