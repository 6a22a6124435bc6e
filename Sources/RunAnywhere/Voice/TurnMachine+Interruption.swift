/// Speech over the agent: the reply is held first, and what was said decides what becomes of it.
extension TurnMachine {
  /// Voiced sound, in the first moments of a reply, that holds it until it is clear whether the user
  /// goes on with the turn that it answers.
  static let earlyDoubt = VoicedRun.candidate
  /// Time between two looks at the words of somebody who goes on speaking over the agent.
  static let doubtInterval = 16 * 500
  /// Speech that interrupts though no words of it have come, because the recognizer is too slow.
  static let longestDoubt = 16 * 2000
  /// Silence after which the reply goes on, whatever becomes of the words.
  static let longestSilence = 16 * 1000
  /// Time that a reply is held at most for sound that has no words.
  static let longestHold = 16 * 6000

  /// Weighs a run of voice against the reply that is prepared or heard.
  mutating func weigh(_ current: VoicedRun, over reply: Reply) {
    let minSpeech = settings.vad.minSpeechMs
    let interruption = settings.turns.interruption
    let canReopen = reply.isSpoken && taken != nil
    if turn?.isDoubtful == true { return goOnDoubting(current) }
    guard let soundStart = reply.soundStart else {
      if canReopen {
        if current.lasts(minSpeech) { reopen(current) }
      } else if interruption.enabled && current.lasts(max(interruption.minDurationMs, 1)) {
        takeOver(current)
      }
      return
    }
    guard interruption.enabled else { return }
    let isEarly = canReopen && current.onset <= soundStart + Self.reopenWindow
    if isEarly && canHold {
      if current.lasts(minSpeech) {
        reopen(current)
      } else if current.voiced >= Self.earlyDoubt {
        holdReply()
      }
    } else if current.lasts(max(interruption.minDurationMs, 1)) {
      if isEarly {
        reopen(current)
      } else if canHold {
        doubt(current)
      } else {
        takeOver(current)
      }
    }
  }

  private mutating func takeOver(_ current: VoicedRun) {
    stopReply()
    beginTurn(current)
    enter(.listening)
  }

  // MARK: Doubt

  /// The user speaks over the agent: it holds, and listens for words.
  private mutating func doubt(_ current: VoicedRun) {
    let start = audioStart(of: current)
    turn = UserTurn(
      id: makeID(), onset: current.onset, start: start, audioStart: start, voicedEnd: current.end,
      isDoubtful: true)
    run?.isJoined = true
    holdReply()
  }

  /// More voice while the words before it are not known yet.
  private mutating func goOnDoubting(_ current: VoicedRun) {
    guard current.isCandidate else { return }
    turn?.voicedEnd = current.end
    run?.isJoined = true
  }

  /// Looks at what was said over the agent: words interrupt, and all else lets it go on.
  mutating func evaluateDoubt() {
    guard var turn, turn.isDoubtful else { return }
    let silence = position - turn.voicedEnd
    let isPausing = silence >= Self.pause
    if isPausing && turn.isTextCurrent { return dismiss(turn) }
    if job == nil, !turn.isTextCurrent, isPausing || isLookDue(turn) {
      startJob(&turn, isFinal: isPausing)
      self.turn = turn
    }
    if turn.text == nil, turn.voicedEnd - turn.onset >= Self.longestDoubt { return confirm() }
    guard reply != nil else { return }
    if let heldSince {
      if silence >= Self.longestSilence || position - heldSince >= Self.longestHold { resumeReply() }
    } else if silence == 0, let run, run.isJoined, run.onset > turn.onset,
      run.lasts(max(settings.turns.interruption.minDurationMs, 1))
    {
      holdReply()
    }
  }

  private func isLookDue(_ turn: UserTurn) -> Bool {
    turn.lastJobStart.map { position - $0 >= Self.doubtInterval } ?? true
  }

  /// The user interrupts.
  mutating func confirm() {
    guard var turn else { return }
    turn.isDoubtful = false
    stopReply()
    act(.emit(.speechStarted))
    act(.diagnose(.speechOnset(sample: turn.onset)))
    enter(.listening)
    tell(&turn)
    self.turn = turn
  }

  /// The user did not interrupt: the reply goes on.
  private mutating func dismiss(_ turn: UserTurn) {
    act(.diagnose(.falseInterruption(durationMs: (turn.voicedEnd - turn.onset) / 16)))
    previousEnd = turn.voicedEnd
    self.turn = nil
    run = nil
    resumeReply()
  }

  // MARK: The sound

  private mutating func holdReply() {
    guard heldSince == nil, let reply else { return }
    heldSince = position
    act(.hold(reply: reply.id))
  }

  mutating func resumeReply() {
    guard heldSince != nil, let reply else { return }
    heldSince = nil
    act(.resume(reply: reply.id))
  }
}
