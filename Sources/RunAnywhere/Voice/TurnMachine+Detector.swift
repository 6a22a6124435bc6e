// What the machine asks the turn detector, and when.
extension TurnMachine {
  /// First sample of the turn that its detector is given.
  func detectionStart(_ turn: UserTurn) -> Int {
    settings.hasDetector ? max(turn.start, position - Self.detectorLength) : position
  }

  /// Asks once for each silence, where the answer can change something. One question at a time: an
  /// answer that comes late, or never, leaves the decision to the words.
  mutating func detect(_ turn: inout UserTurn) {
    let options = settings.turns.endpointing
    guard settings.hasDetector, options.maxDelayMs > options.minDelayMs, detectionJob == nil,
      turn.detection?.voicedEnd != turn.voicedEnd
    else {
      return
    }
    let id = makeID()
    detectionJob = id
    turn.detection = TurnDetection(job: id, voicedEnd: turn.voicedEnd)
    act(.detectTurn(job: id, range: detectionStart(turn)..<position))
  }

  /// Whether words can change when a turn is taken.
  var weighsWords: Bool {
    let options = settings.turns.endpointing
    return settings.turns.readsWords && options.maxDelayMs > options.minDelayMs
  }

  mutating func takeDetection(_ id: Int, _ value: Float?) {
    guard detectionJob == id else { return }
    detectionJob = nil
    guard turn?.detection?.job == id, let value, value.isFinite else { return }
    turn?.detection?.completeness = min(max(value, 0), 1)
  }
}
