import VoiceIO

/// What happened to turns since the metrics of the last one.
struct TurnCounts {
  private var interruptions = 0
  private var falseInterruptions = 0
  private var reopenings = 0

  mutating func count(_ diagnostic: VoiceDiagnostic) {
    switch diagnostic {
    case .utteranceEnded(_, _, _, interrupted: true): interruptions += 1
    case .falseInterruption: falseInterruptions += 1
    case .turnReopened: reopenings += 1
    default: break
    }
  }

  /// Writes the counts into the metrics of a turn, and begins anew.
  mutating func move(to metrics: inout TurnMetrics) {
    metrics.interruptions = interruptions
    metrics.falseInterruptions = falseInterruptions
    metrics.reopenings = reopenings
    self = TurnCounts()
  }
}

extension VoiceDiagnostic {
  init(_ change: DeviceChange) {
    switch change {
    case .lost(let reason): self = .deviceLost(reason: reason)
    case .returned(let microphone, let loudspeaker):
      self = .deviceReturned(microphone: microphone, loudspeaker: loudspeaker)
    }
  }
}
