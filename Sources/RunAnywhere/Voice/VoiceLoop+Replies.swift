import VoiceIO

/// The reply that is being made or heard.
struct ActiveReply {
  let run: ReplyRun
  let request: TurnMachine.Request
  let task: Task<Void, Never>
  let startTime: Double
  var filter = ReasoningFilter()
  var splitter = ClauseSplitter()
  /// What was written, reasoning removed.
  var text = ""
  var isCommitted = false
  /// Pieces that were written before the reply was committed.
  var held = ""
  var isWritten = false
  var metrics = TurnMetrics()
  var hasMetrics = false
  var audibleAt = 0
  /// Set when the sink has opened the utterance.
  var utterance: Int?
  var sampleRate = 16_000
  var played = 0
  var playedTime = 0.0
  /// Since when sound waits to be heard; nil when none does.
  var waitingTime: Double?
  var reportedTime = 0.0
  var isPaused = false
  /// Whether the sound is held, because the user may be interrupting.
  var isHeld = false
  /// Time of the first audible sample.
  var soundTime: Double?

  var lineID: Int? { if case .line(let id, _) = request { id } else { nil } }

  var userText: String? {
    switch request {
    case .spoken(let text), .typed(let text): text
    case .instructions, .line: nil
    }
  }
}

/// What the history says was heard of the last utterance, and why.
struct HeardReply {
  var ledger: HeardLedger
  var sampleRate: Int
  var text: String
  var played: Int
}

extension VoiceLoop {
  /// How often the sink is looked at before the first sample was heard, and after.
  private static let tickSeconds = 0.02
  private static let heardTickSeconds = 0.05
  private static let reportSeconds = 0.1
  /// Silence inside a reply after which the agent no longer counts as speaking.
  private static let pauseSeconds = 0.3
  /// Seconds of the reply among which its echo is looked for.
  private static let echoSeconds = 8.0
  /// A sink that makes no progress for so long is broken.
  private static let stallSeconds = 3.0

  // MARK: Start and end

  func prepare(_ id: Int, _ request: TurnMachine.Request) {
    let run = ReplyRun(id: id)
    let speaker = ReplySpeaker(
      run: run, tts: core.engines.tts, options: speech, port: core.port, clock: core.clock
    ) { [core] progress in core.post(.spoken(reply: id, progress)) }
    let now = core.clock.now
    core.port.grant(id)
    prefilling?.cancel()
    if case .line(_, let text) = request {
      let task = start { await speaker.speak() }
      reply = ActiveReply(run: run, request: request, task: task, startTime: now)
      reply?.metrics.isTyped = true
      takePiece(id, text)
      finishText(id, GenerationResult(text: text))
      return
    }
    let messages = prompt(for: request)
    var options = generation
    options.systemPrompt = nil
    // Once the turn is taken it does not matter whether the message is whole.
    let judges = machine.turn != nil && machine.weighsWords
    let task = start { [core, options] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          if judges { await Self.judge(run, messages, options, core) }
          await Self.write(run, messages, options, core)
        }
        group.addTask { await speaker.speak() }
      }
    }
    reply = ActiveReply(run: run, request: request, task: task, startTime: now)
  }

  private func prompt(for request: TurnMachine.Request) -> [ChatMessage] {
    core.history.withLock { history in
      let next: ChatMessage? =
        switch request {
        case .spoken(let text), .typed(let text): ChatMessage(role: .user, content: text)
        case .instructions(let text) where !history.hasUserMessage:
          // A model answers only where it was spoken to; the history does not keep this.
          ChatMessage(role: .user, content: text ?? "Greet the user.")
        case .instructions(let text): text.map { ChatMessage(role: .system, content: $0) }
        case .line: nil
        }
      return history.prompt(adding: next)
    }
  }

  /// Asks the model, which reads the prompt for the reply anyway, whether the user's message is whole.
  private static func judge(
    _ run: ReplyRun, _ messages: [ChatMessage], _ options: LlmOptions, _ core: SessionCore
  ) async {
    let begin = core.clock.now
    guard let judge = core.engines.llm as? any MessageEndJudging,
      let value = await judge.endLikelihood(of: messages, options: options)
    else { return }
    let milliseconds = (core.clock.now - begin) * 1000
    core.diagnosticsInlet.yield(.messageEndJudged(likelihood: value, milliseconds: milliseconds))
    core.post(.machine(.endLikelihood(reply: run.id, value: value)))
  }

  private static func write(
    _ run: ReplyRun, _ messages: [ChatMessage], _ options: LlmOptions, _ core: SessionCore
  ) async {
    do {
      let result = try await core.engines.llm.generate(messages, options: options) { piece in
        guard !run.isStopped else { return false }
        core.post(.piece(reply: run.id, text: piece))
        return true
      }
      core.post(.written(reply: run.id, result: result))
    } catch {
      guard !run.isStopped else { return }
      let message = "The reply could not be written: \(ReplySpeaker.message(error))"
      core.post(.machine(.replyFailed(reply: run.id, message: message)))
    }
  }

  func commit(_ id: Int) {
    guard var current = reply, current.run.id == id else { return }
    current.isCommitted = true
    lastHeard = nil
    if let text = current.userText {
      turnNumber += 1
      current.metrics.turn = turnNumber
      if case .typed = current.request { current.metrics.isTyped = true }
      if !current.metrics.isTyped {
        current.metrics.isSpeculative = core.clock.now > current.startTime
        current.metrics.endpointMs = max(0, core.clock.now - lastVoicedTime) * 1000
        current.metrics.sttMs = finalSttMs
      }
      core.history.withLock { $0.append(ChatMessage(role: .user, content: text)) }
    }
    if !current.held.isEmpty { core.events.append(.agentResponse(text: current.held)) }
    current.held = ""
    reply = current
  }

  func release(_ id: Int) {
    guard let current = reply, current.run.id == id else { return }
    current.run.gate.fire()
  }

  /// Ends the reply now. With `keepsHeard` the history keeps what was heard, else neither the reply
  /// nor the message it answers has been.
  func stop(_ id: Int, keepsHeard: Bool) {
    guard let current = reply, current.run.id == id else { return }
    core.port.grant(0)
    // Once it is released the sink may be at it, whether or not word of that has come. What opens
    // the sink after the interruption must find the run stopped.
    let isReleased = current.run.gate.isFired
    current.run.stop()
    var played = isReleased ? core.port.sink.interrupt() : 0
    if !current.run.opened.isFired { played = 0 }  // the position of an earlier utterance
    current.task.cancel()
    if let claimedHeardMs {
      played = min(played, Self.samples(claimedHeardMs, rate: current.sampleRate))
    }
    let heard = keepsHeard ? current.run.ledger.withLock { $0.heardText(played: played) } : ""
    if !keepsHeard, current.isCommitted, let text = current.userText {
      core.history.withLock { $0.retractUser(text) }
    }
    close(current, heard: heard, played: played, isInterrupted: true)
  }

  /// Holds the sound of a reply that may be being interrupted.
  func hold(_ id: Int) {
    guard reply?.run.id == id, let sink = core.port.pausable else { return }
    let played = sink.pause()
    checkSound(id)
    reply?.isHeld = true
    if let utterance = reply?.utterance {
      diagnose(.playbackPaused(utterance: utterance, samples: played))
    }
  }

  /// Goes on with a held reply.
  func resume(_ id: Int) {
    guard let current = reply, current.run.id == id, current.isHeld else { return }
    reply?.isHeld = false
    reply?.playedTime = core.clock.now
    reply?.waitingTime = nil
    if let utterance = current.utterance {
      diagnose(.playbackResumed(utterance: utterance, samples: current.played))
    }
    core.port.pausable?.resume()
  }

  /// What words are that were said over the agent.
  func overlap(of text: String) -> SpeechOverlap {
    guard machine.turn?.isDoubtful == true else { return .words }
    guard let current = reply else {
      // The reply has ended since.
      let asked = lastHeard?.text.hasSuffix("?") ?? false
      return SpeechOverlap(
        of: text, over: lastHeard?.text ?? "", isQuestion: asked, language: speech.language)
    }
    let played = core.port.sink.playedSamples
    let (recent, asks) = current.run.ledger.withLock { ledger in
      let from = played - Int(Self.echoSeconds * Double(current.sampleRate))
      return (ledger.text(from: from, to: played), ledger.isInQuestion(at: played))
    }
    return SpeechOverlap(of: text, over: recent, isQuestion: asks, language: speech.language)
  }

  private func finish(_ id: Int) {
    guard let current = reply, current.run.id == id else { return }
    if current.utterance == nil, current.lineID == nil {
      core.events.append(
        .error(message: "The language model gave no words to speak.", recoverable: true))
    }
    checkSound(id)
    guard let current = reply else { return }
    close(current, heard: current.text.trimmingSpace(), played: current.run.ledger.withLock(\.total))
    feed(.replyEnded(reply: id))
  }

  private func close(
    _ current: ActiveReply, heard: String, played: Int, isInterrupted: Bool = false
  ) {
    reply = nil
    if !heard.isEmpty {
      lastHeard = HeardReply(
        ledger: current.run.ledger.withLock { $0 }, sampleRate: current.sampleRate, text: heard,
        played: played)
      core.history.withLock { $0.append(ChatMessage(role: .assistant, content: heard)) }
    }
    if let utterance = current.utterance {
      diagnose(
        .utteranceEnded(
          utterance: utterance, heardText: heard, playedSamples: played,
          interrupted: isInterrupted))
    }
    if let line = current.lineID { lineTickets.removeValue(forKey: line)?.complete() }
  }

  /// The listener tells late how much it heard of the last utterance: if that is less, the history
  /// keeps less.
  func correctHeard(_ heardMs: Int) {
    guard var last = lastHeard else { return }
    let played = Self.samples(heardMs, rate: last.sampleRate)
    guard played < last.played else { return }
    let heard = last.ledger.heardText(played: played)
    core.history.withLock { $0.shortenReply(last.text, to: heard) }
    (last.text, last.played) = (heard, played)
    lastHeard = heard.isEmpty ? nil : last
  }

  private static func samples(_ milliseconds: Int, rate: Int) -> Int {
    min(max(0, milliseconds), 86_400_000) * rate / 1000
  }

  // MARK: Text

  func takePiece(_ id: Int, _ piece: String) {
    guard var current = reply, current.run.id == id, !piece.isEmpty else { return }
    if current.metrics.llmFirstTokenMs == 0 {
      current.metrics.llmFirstTokenMs = (core.clock.now - current.startTime) * 1000
    }
    add(current.filter.process(piece), to: &current)
    reply = current
  }

  private func add(_ text: String, to current: inout ActiveReply) {
    guard !text.isEmpty else { return }
    current.text += text
    if current.isCommitted {
      core.events.append(.agentResponse(text: text))
    } else {
      current.held += text
    }
    give(current.splitter.process(text), &current)
  }

  private func give(_ clauses: [Clause], _ current: inout ActiveReply) {
    for clause in clauses {
      if current.metrics.llmFirstClauseMs == 0 {
        current.metrics.llmFirstClauseMs = (core.clock.now - current.startTime) * 1000
      }
      current.run.clauseInlet.yield(clause)
    }
  }

  func finishText(_ id: Int, _ result: GenerationResult) {
    guard var current = reply, current.run.id == id else { return }
    add(current.filter.finish(), to: &current)
    give(current.splitter.finish(), &current)
    current.run.clauseInlet.finish()
    current.isWritten = true
    current.metrics.tokensPerSecond = result.tokensPerSecond
    current.metrics.inputTokens = result.inputTokens
    current.metrics.cachedTokens = result.cachedTokens
    current.metrics.outputTokens = result.outputTokens
    reply = current
    reportMetrics()
  }

  // MARK: Sound

  func takeProgress(_ id: Int, _ progress: ReplySpeaker.Progress) {
    guard reply?.run.id == id else { return }
    switch progress {
    case .synthesized(let milliseconds, let audibleAt):
      reply?.metrics.ttsFirstAudioMs = milliseconds
      reply?.audibleAt = audibleAt
      feed(.soundReady(reply: id))
    case .soundless: feed(.soundReady(reply: id))
    case .began(let sampleRate):
      utteranceNumber += 1
      reply?.utterance = utteranceNumber
      reply?.sampleRate = max(1, sampleRate)
      reply?.playedTime = core.clock.now
      diagnose(.utteranceStarted(utterance: utteranceNumber, sampleRate: sampleRate))
      scheduleTick(id)
    case .queued(let text, let words):
      guard let utterance = reply?.utterance else { return }
      diagnose(.utteranceText(utterance: utterance, text: text))
      diagnose(.words(utterance: utterance, words: words))
    case .finished: finish(id)
    case .failed(let message):
      let explained = "The reply could not be spoken: \(message)"
      if let line = reply?.lineID {
        lineTickets.removeValue(forKey: line)?.fail(
          SDKException(.processingFailed, category: .component, explained))
      }
      feed(.replyFailed(reply: id, message: explained))
    }
  }

  private func scheduleTick(_ id: Int) {
    let interval = reply?.soundTime == nil ? Self.tickSeconds : Self.heardTickSeconds
    core.clock.schedule(at: core.clock.now + interval) { [core] in
      core.post(.tick(reply: id))
    }
  }

  /// Looks where the sink is: the agent speaks while its position moves.
  func tick(_ id: Int) {
    guard reply?.run.id == id else { return }
    checkSound(id)
    guard let current = reply, current.run.id == id else { return }
    let now = core.clock.now
    guard !current.isHeld else { return scheduleTick(id) }
    let still = now - current.playedTime
    let queued = current.run.ledger.withLock(\.total) - current.played
    let waitingTime = queued > 0 ? current.waitingTime ?? now : nil
    reply?.waitingTime = waitingTime
    if let waitingTime, now - max(waitingTime, current.playedTime) > Self.stallSeconds {
      let message = "The loudspeaker made no progress for \(Int(Self.stallSeconds)) seconds."
      feed(.replyFailed(reply: id, message: message))
      return
    }
    if queued <= 0 && still > Self.pauseSeconds && !current.isPaused && current.soundTime != nil {
      reply?.isPaused = true
      feed(.soundPaused(reply: id))
    }
    scheduleTick(id)
  }

  private func checkSound(_ id: Int) {
    guard var current = reply, current.run.id == id, let utterance = current.utterance else { return }
    let now = core.clock.now
    let played = core.port.sink.playedSamples
    guard played > current.played else { return }
    current.played = played
    current.playedTime = now
    let isNews = current.soundTime == nil || current.isPaused
    if current.soundTime == nil {
      let start = now - Double(played - current.audibleAt) / Double(current.sampleRate)
      current.soundTime = start
      current.metrics.firstAudioMs = max(0, start - lastVoicedTime) * 1000
    }
    current.isPaused = false
    if now - current.reportedTime >= Self.reportSeconds - 1e-6 {
      current.reportedTime = now
      diagnose(.played(utterance: utterance, samples: played))
    }
    reply = current
    if isNews { feed(.soundStarted(reply: id)) }
    reportMetrics()
  }

  /// A turn's metrics are complete once it is heard and written.
  private func reportMetrics() {
    guard var current = reply, !current.hasMetrics, current.isWritten, current.soundTime != nil,
      current.userText != nil
    else { return }
    reply?.hasMetrics = true
    counts.move(to: &current.metrics)
    diagnose(.turn(current.metrics))
  }
}
