/// Who speaks when: a pure state machine over the microphone's sample clock.
///
/// It is told of windows of sound, of transcripts and of what the listener heard, and answers with
/// what is to be done. It has no clock, no I/O and no tasks.
struct TurnMachine {
  /// Samples at 16 kHz.
  static let pause = 16 * 200
  static let firstPartial = 16 * 500
  static let partialInterval = 16 * 1000
  static let reopenWindow = 16 * 300
  static let settleLength = 16 * 15_000
  static let longestAudio = 16 * 28_000
  static let maxLines = 16
  /// Newest samples of a turn that its detector is given.
  static let detectorLength = 16 * 8000
  /// Runs of the recognizer over a whole turn that may fail before the turn is given up.
  static let maxFailures = 2

  var settings: Settings { didSet { settings = settings.clamped } }
  var position = 0
  var isVoiced = false
  var run: VoicedRun?
  private var onsets = OnsetFinder()
  /// What the user is saying, and what is being answered and may still go on.
  var turn: UserTurn?
  var taken: UserTurn?
  var reply: Reply?
  /// Whether the loudspeaker can hold the reply and go on with it.
  var canHold = false
  /// Since when the reply's sound is held, because the user may be interrupting it.
  var heldSince: Int?
  var job: Job?
  /// The question that the turn detector is at.
  var detectionJob: Int?
  var phase = AgentState.listening
  var lines: [(id: Int, text: String)] = []
  var previousEnd = 0
  var nextID = 0
  private var actions: [Action] = []

  init(settings: Settings) { self.settings = settings.clamped }

  /// Oldest sample that may still be wanted.
  var audioNeededFrom: Int {
    let preroll = (run?.onset ?? position) - settings.vad.prefixPaddingMs * 16 - 1024
    return max(
      0,
      [
        turn?.audioStart, taken?.audioStart, job?.range.lowerBound, preroll, turn.map(detectionStart),
        taken.map(detectionStart),
      ].compactMap { $0 }.min() ?? 0)
  }

  /// Takes one input and returns what is to be done, in order.
  mutating func handle(_ input: Input) -> [Action] {
    actions = []
    switch input {
    case .window(let probability, let count, let level): hear(probability, count, level)
    case .lost(let count): passOver(count)
    case .transcript(let job, let text, let overlap): take(text, overlap, of: job)
    case .transcriptionFailed(let job, let message): failJob(job, message)
    case .turnProbability(let job, let value): takeDetection(job, value)
    case .turnDetectionFailed(let job, let message):
      if detectionJob == job { act(.diagnose(.turnDetectionFailed(message: message))) }
      takeDetection(job, nil)
    case .endLikelihood(let id, let value):
      if reply?.id == id, value.isFinite { reply?.endLikelihood = min(max(value, 0), 1) }
    case .soundReady(let id): if reply?.id == id { reply?.isReady = true }
    case .soundStarted(let id): soundStarted(id)
    case .soundPaused(let id): if reply?.id == id && phase == .speaking { enter(.thinking) }
    case .replyEnded(let id): if reply?.id == id { endReply() }
    case .replyFailed(let id, let message): failReply(id, message)
    case .interruptRequested: interrupt()
    case .typed(let text): answer(.typed(text: text))
    case .asked(let instructions): answer(.instructions(instructions))
    case .line(let id, let text): queueLine(id, text)
    }
    evaluateTurn()
    startNextLine()
    releaseReply()
    return actions
  }

  mutating func act(_ action: Action) { actions.append(action) }

  mutating func makeID() -> Int {
    nextID += 1
    return nextID
  }

  mutating func enter(_ state: AgentState) {
    guard phase != state else { return }
    phase = state
    act(.emit(.agentStateChanged(state)))
  }

  // MARK: Hearing

  private mutating func hear(_ probability: Float, _ count: Int, _ level: Float) {
    position += count
    let threshold = settings.vad.activationThreshold
    isVoiced = probability >= (isVoiced ? max(0.01, threshold - 0.15) : threshold)
    onsets.add(level: level, from: position - count)
    if isVoiced {
      let start = position - count
      let onset = run == nil ? max(onsets.onset, min(start, previousEnd)) : start
      var current = run ?? VoicedRun(onset: onset, end: position, voiced: start - onset)
      current.end = position
      current.voiced += count
      run = current
      weighRun(current)
      if let joined = run, joined.isJoined, turn != nil {
        turn?.voicedEnd = joined.end
        dropSpeculation()
      }
    } else if let current = run, position - current.end > VoicedRun.maxGap {
      if !current.isJoined && current.isCandidate && phase == .speaking {
        act(.diagnose(.falseInterruption(durationMs: (current.end - current.onset) / 16)))
      }
      if turn?.isDoubtful != true { resumeReply() }
      if current.isJoined { previousEnd = current.end }
      run = nil
    }
    if let start = reply?.soundStart, taken != nil, position > start + Self.reopenWindow,
      run.map({ $0.onset > start + Self.reopenWindow }) ?? true
    {
      taken = nil
    }
  }

  private mutating func passOver(_ count: Int) {
    position += max(0, count)
    guard isVoiced, var current = run else { return }
    current.end = position
    if current.isJoined { turn?.voicedEnd = position }
    run = current
  }

  /// Whether a run that is no part of the turn yet becomes one, or interrupts the agent.
  private mutating func weighRun(_ current: VoicedRun) {
    guard !current.isJoined else { return }
    let minSpeech = settings.vad.minSpeechMs
    if let reply, reply.isCommitted, phase != .listening || reply.soundStart != nil {
      weigh(current, over: reply)
    } else if let turn {
      if turn.isEnded ? current.lasts(minSpeech) : current.isCandidate { join(current) }
    } else if current.lasts(minSpeech) {
      if reply != nil { stopReply() }  // a line that is not heard yet gives way
      beginTurn(current)
    }
  }

  func audioStart(of run: VoicedRun) -> Int {
    max(0, previousEnd, run.onset - max(0, settings.vad.prefixPaddingMs) * 16)
  }

  mutating func beginTurn(_ current: VoicedRun) {
    let start = audioStart(of: current)
    turn = UserTurn(
      id: makeID(), onset: current.onset, start: start, audioStart: start, voicedEnd: current.end)
    run?.isJoined = true
    taken = nil
    act(.emit(.speechStarted))
    act(.diagnose(.speechOnset(sample: current.onset)))
  }

  private mutating func join(_ current: VoicedRun) {
    guard var turn else { return }
    dropSpeculation()
    if turn.isTextCurrent && turn.voicedEnd - turn.audioStart > Self.settleLength {
      turn.settled = turn.fullText
      turn.text = nil
      turn.audioStart = max(turn.voicedEnd, current.onset - settings.vad.prefixPaddingMs * 16)
    }
    if turn.isEnded { act(.emit(.speechStarted)) }
    turn.isEnded = false
    turn.voicedEnd = current.end
    self.turn = turn
    run?.isJoined = true
  }

  /// The user goes on: a reply that was prepared for what was said so far has never been.
  private mutating func dropSpeculation() {
    guard let reply, !reply.isCommitted else { return }
    act(.undo(reply: reply.id))
    act(.diagnose(.speculationDropped))
    self.reply = nil
  }

  /// The user goes on with a turn that was taken: both parts become one message.
  mutating func reopen(_ current: VoicedRun) {
    if let reply { act(.undo(reply: reply.id)) }
    act(.diagnose(.turnReopened))
    reply = nil
    heldSince = nil
    turn = taken
    turn?.isSpeculationSpoilt = false
    taken = nil
    join(current)
    enter(.listening)
  }

  // MARK: Transcripts

  private mutating func take(_ text: String, _ overlap: SpeechOverlap, of id: Int) {
    guard let done = job, done.id == id else { return }
    job = nil
    guard var turn, turn.id == done.turn, done.range.lowerBound == turn.audioStart else { return }
    turn.failures = 0
    if done.settles {
      turn.settled = [turn.settled, text].filter { !$0.isEmpty }.joined(separator: " ")
      turn.audioStart = done.range.upperBound
      turn.text = turn.voicedEnd <= done.range.upperBound ? "" : nil
      turn.textEnd = done.voicedEnd
    } else {
      turn.text = text
      turn.textEnd = done.voicedEnd
    }
    if turn.isDoubtful {
      self.turn = turn
      if overlap == .words || !settings.turns.readsWords, !turn.fullText.isEmpty { confirm() }
      return
    }
    tell(&turn)
    self.turn = turn
  }

  /// Emits what is understood so far where it is news.
  mutating func tell(_ turn: inout UserTurn) {
    let full = turn.fullText
    guard !full.isEmpty && full != turn.lastPartial else { return }
    turn.lastPartial = full
    act(.emit(.userTranscribed(text: full, isFinal: false)))
  }

  private mutating func failJob(_ id: Int, _ message: String) {
    guard let done = job, done.id == id else { return }
    job = nil
    guard turn?.id == done.turn else { return }
    // The user has gone on since, or has not finished: a later run covers this one's sound.
    guard done.settles || (done.isFinal && turn?.voicedEnd == done.voicedEnd) else { return }
    turn?.failures += 1
    guard let turn, turn.failures >= Self.maxFailures else { return }
    if turn.isDoubtful { return confirm() }  // whoever is not understood has the word
    act(.emit(.error(message: message, recoverable: true)))
    dropTurn(turn)
  }

  private mutating func dropTurn(_ dropped: UserTurn) {
    if let reply, !reply.isCommitted {
      act(.undo(reply: reply.id))
      self.reply = nil
    }
    turn = nil
    run = nil
    previousEnd = dropped.voicedEnd
    if dropped.isEnded { act(.emit(.agentStateChanged(.listening))) }
  }

  mutating func startJob(
    _ turn: inout UserTurn, isFinal: Bool = false, settles: Bool = false
  ) {
    let id = makeID()
    let range = turn.audioStart..<max(turn.audioStart + 1, position)
    job = Job(
      id: id, turn: turn.id, range: range, voicedEnd: turn.voicedEnd, isFinal: isFinal,
      settles: settles)
    turn.lastJobStart = position
    act(.transcribe(job: id, range: range))
  }

  // MARK: The end of a turn

  private mutating func evaluateTurn() {
    if turn?.isDoubtful == true { return evaluateDoubt() }
    guard var turn, phase == .listening else { return }
    let silence = position - turn.voicedEnd
    let pause = min(Self.pause, max(0, settings.turns.endpointing.minDelayMs) * 16)
    let isPausing = silence >= pause && silence > 0
    if isPausing { detect(&turn) }
    if job == nil {
      if isPausing && !turn.isTextCurrent {
        startJob(&turn, isFinal: true)
      } else if position - turn.audioStart >= Self.longestAudio && !isPausing && isSettlingDue(turn) {
        startJob(&turn, settles: true)
      } else if !isPausing && isPartialDue(turn) {
        startJob(&turn)
      }
    }
    if turn.isTextCurrent && isPausing && reply == nil && !turn.isSpeculationSpoilt
      && !turn.fullText.isEmpty
    {
      prepare(.spoken(text: turn.fullText))
    }
    if silence >= settings.vad.minSilenceMs * 16 && !turn.isEnded { end(&turn) }
    self.turn = turn
    let isResuming = run.map { !$0.isJoined && $0.isCandidate } ?? false
    guard turn.isTextCurrent, !isResuming else { return }
    let delay = EndpointRule.delayMs(
      after: settings.turns.readsWords || turn.fullText.isEmpty ? turn.fullText : nil,
      completeness: turn.completeness, endLikelihood: reply?.endLikelihood, settings.turns.endpointing)
    if silence >= delay * 16 && silence > 0 { takeTurn(turn) }
  }

  /// A run that failed is not tried again at once.
  private func isSettlingDue(_ turn: UserTurn) -> Bool {
    turn.failures == 0 || position - (turn.lastJobStart ?? 0) >= Self.partialInterval
  }

  private func isPartialDue(_ turn: UserTurn) -> Bool {
    guard turn.textEnd != turn.voicedEnd else { return false }
    if let last = turn.lastJobStart { return position - last >= Self.partialInterval }
    return position - turn.onset >= Self.firstPartial
  }

  private mutating func end(_ turn: inout UserTurn) {
    turn.isEnded = true
    act(.emit(.speechEnded))
    act(.diagnose(.speechOffset(sample: turn.voicedEnd)))
  }

  private mutating func takeTurn(_ current: UserTurn) {
    let text = current.fullText
    guard !text.isEmpty else { return dropTurn(current) }
    var current = current
    if !current.isEnded { end(&current) }
    act(.emit(.userTranscribed(text: text, isFinal: true)))
    turn = nil
    taken = current
    run = nil
    previousEnd = current.voicedEnd
    enter(.thinking)
    if reply == nil { prepare(.spoken(text: text)) }
    commit()
  }

  // MARK: Replies

  private mutating func prepare(_ request: Request) {
    let id = makeID()
    reply = Reply(id: id, request: request)
    act(.prepare(reply: id, request))
  }

  private mutating func commit() {
    guard let id = reply?.id else { return }
    reply?.isCommitted = true
    act(.commit(reply: id))
  }

  /// Nobody is spoken over: a reply waits while the user may be about to go on.
  private mutating func releaseReply() {
    guard let current = reply, current.isCommitted, current.isReady, !current.isReleased else { return }
    let isUserVoiced = run.map { !$0.isJoined && $0.isCandidate } ?? false
    let canWin = settings.turns.interruption.enabled || (current.isSpoken && taken != nil)
    if isUserVoiced && canWin { return }
    reply?.isReleased = true
    act(.release(reply: current.id))
  }

  private mutating func soundStarted(_ id: Int) {
    guard reply?.id == id else { return }
    if reply?.soundStart == nil { reply?.soundStart = position }
    enter(.speaking)
  }

  private mutating func endReply() {
    reply = nil
    taken = nil
    heldSince = nil
    enter(.listening)
  }

  private mutating func failReply(_ id: Int, _ message: String) {
    guard let failed = reply, failed.id == id else { return }
    if failed.isCommitted {
      act(.emit(.error(message: message, recoverable: true)))
      act(.stop(reply: id))
      endReply()
    } else {
      act(.undo(reply: id))
      reply = nil
      turn?.isSpeculationSpoilt = true
    }
  }

  mutating func stopReply() {
    guard let current = reply else { return }
    act(current.isCommitted ? .stop(reply: current.id) : .undo(reply: current.id))
    reply = nil
    heldSince = nil
    taken = nil
  }

  private mutating func interrupt() {
    for line in lines { act(.dropLine(id: line.id)) }
    lines = []
    guard reply?.isCommitted == true else { return }
    stopReply()
    enter(.listening)
  }

  /// A message or a request that did not come by voice takes over at once.
  private mutating func answer(_ request: Request) {
    stopReply()
    if let turn { previousEnd = turn.voicedEnd }
    turn = nil
    run = nil
    if case .typed(let text) = request { act(.emit(.userTranscribed(text: text, isFinal: true))) }
    phase = .thinking
    act(.emit(.agentStateChanged(.thinking)))
    prepare(request)
    commit()
  }

  private mutating func queueLine(_ id: Int, _ text: String) {
    guard lines.count < Self.maxLines else { return act(.dropLine(id: id)) }
    lines.append((id, text))
  }

  private mutating func startNextLine() {
    guard phase == .listening, reply == nil, turn == nil, !(run?.isCandidate ?? false),
      !lines.isEmpty
    else { return }
    let line = lines.removeFirst()
    prepare(.line(id: line.id, text: line.text))
    commit()
  }
}
