/// A client session of one protocol: how it takes what happens is here, what it says to its provider is its own.
protocol ConversationClient: ConversationSession {
  var core: ConversationCore { get set }
  /// The state while the connection is ready and nothing sounds.
  var readyState: ConversationState { get }

  // MARK: What the driver reported, checked

  /// The socket is open: asks for the session.
  mutating func setUp() -> [ConversationAction]
  /// The socket, which was open, is closed.
  mutating func disconnected(code: Int?, reason: String, at now: Double) -> [ConversationAction]
  /// A message of the provider. What is nothing that is known is ignored.
  mutating func receive(_ message: JSONObject, at now: Double) -> [ConversationAction]
  /// The microphone is muted or off, and the connection ready: the provider answers what it has heard.
  mutating func stopListening() -> [ConversationAction]
  /// The user has typed something: it interrupts a reply and is answered.
  mutating func type(_ text: String, at now: Double) -> [ConversationAction]
  /// The user wants the reply to stop.
  mutating func stopReply(at now: Double) -> [ConversationAction]
  /// Does what is due by now, but for the connection's and the interruption's own deadlines.
  mutating func passTime(at now: Double) -> [ConversationAction]

  // MARK: What the provider is told

  func audioMessage(_ pcm: [UInt8]) -> ConversationAction
  /// Asks for a greeting, unless somebody has begun to speak.
  mutating func greet(at now: Double) -> [ConversationAction]
  /// Asks for a response when one is wanted and the provider is free.
  mutating func respondIfDue(at now: Double) -> [ConversationAction]
  mutating func answer(
    _ call: ConversationCore.ToolCall, _ output: String, at now: Double
  ) -> [ConversationAction]
  /// Tells what was heard of the replies that were interrupted.
  mutating func cut(_ interruption: ConversationCore.Interruption) -> [ConversationAction]

  // MARK: What is over

  /// All of the item was heard, or read.
  mutating func finish(_ itemID: String) -> [ConversationAction]
  /// Forgets what only the lost provider knew.
  mutating func forgetConnection() -> [ConversationAction]
  /// The conversation ends: forgets what is the protocol's own.
  mutating func forgetAll() -> [ConversationAction]
}

extension ConversationClient {
  /// For protocols whose providers answer by themselves.
  mutating func respondIfDue(at now: Double) -> [ConversationAction] { [] }

  /// Does what `ConversationSession.take(_:at:)` promises.
  mutating func advance(_ event: ConversationEvent, at now: Double) -> [ConversationAction] {
    let actions = handle(event, at: now)
    let new = currentState
    guard new != core.state else { return actions }
    core.state = new
    return actions + [.state(new)]
  }

  private var currentState: ConversationState {
    if core.link.isEnded { return .ended }
    if core.link.phase == .idle { return .idle }
    if core.ledger.isSounding { return .speaking }
    return core.link.isReady ? readyState : .connecting
  }

  private mutating func handle(_ event: ConversationEvent, at now: Double) -> [ConversationAction] {
    switch event {
    case .start: return start(now)
    case .socketOpened, .connectionFailed, .socketClosed, .text, .binary:
      return handle(socket: event, at: now)
    case .microphoneStarted, .microphoneStopped, .microphone: return handle(microphone: event, at: now)
    case .played, .utteranceFinished, .playbackInterrupted: return handle(playback: event, at: now)
    case .typed(let text):
      let text = text.trimmedPrefix(maximumBytes: ConversationLimits.text)
      return text.isEmpty || !core.isRunning ? [] : type(text, at: now)
    case .userInterrupts: return core.link.isEnded ? [] : stopReply(at: now)
    case .toolResult(let id, let output):
      let output = output.trimmedPrefix(maximumBytes: ConversationLimits.text)
      guard let call = core.answered(id, output) else { return [] }
      return answer(call, output, at: now) + respondIfDue(at: now)
    case .stop: return end(nil, at: now)
    case .fail(let failure): return end(failure, at: now)
    case .tick: return core.isRunning ? handleTick(at: now) : []
    }
  }

  private mutating func start(_ now: Double) -> [ConversationAction] {
    guard core.link.phase == .idle else { return [] }
    core.link.start(after: 0, at: now)
    return [.connect(after: 0)]
  }

  private mutating func handle(socket event: ConversationEvent, at now: Double) -> [ConversationAction] {
    switch event {
    case .socketOpened where core.link.isOpening:
      core.link.socketOpened()
      return setUp()
    case .connectionFailed(let status) where core.link.isOpening:
      core.link.dropped(at: now)
      let failure = ConversationFailure.refused(status: status)
      let isTemporary = status.map { $0 == 429 || $0 >= 500 } ?? true
      return isTemporary ? lose(failure, at: now) : end(failure, at: now)
    case .socketClosed(let code, let reason) where core.link.isOpen:
      return disconnected(code: code, reason: reason, at: now)
    case .text(let text) where core.link.isOpen:
      return (try? JSONValue(parsing: text))?.object.map { receive($0, at: now) } ?? []
    case .binary(let bytes) where core.link.isOpen:
      return (try? JSONValue(parsing: bytes))?.object.map { receive($0, at: now) } ?? []
    default: return []
    }
  }

  private mutating func handle(microphone event: ConversationEvent, at now: Double) -> [ConversationAction] {
    switch event {
    case .microphoneStarted where !core.link.isEnded:
      core.isMicrophoneLive = true
      return greetIfDue(at: now)
    case .microphoneStopped:
      core.packets.clear()
      return core.link.isReady ? stopListening() : []
    case .microphone(let pcm) where core.isRunning: return sound(pcm)
    default: return []
    }
  }

  /// Passes on the user's sound, and what is held of it.
  mutating func sound(_ pcm: [UInt8] = []) -> [ConversationAction] {
    core.packets.take(pcm, isReady: core.link.isReady).map(audioMessage)
  }

  /// Greets once, when both the session and the microphone are there and nothing was said.
  mutating func greetIfDue(at now: Double) -> [ConversationAction] {
    guard core.greetsLater, core.isMicrophoneLive, core.link.isReady else { return [] }
    core.greetsLater = false
    return core.history.entries.isEmpty ? greet(at: now) : []
  }

  // MARK: Playback

  private mutating func handle(playback event: ConversationEvent, at now: Double) -> [ConversationAction] {
    switch event {
    case .played(let samples, let itemID): return core.played(samples: samples, of: itemID)
    case .utteranceFinished(let itemID):
      guard !core.link.isEnded, let id = itemID ?? core.ledger.currentID,
        core.ledger[id]?.hasSound == true
      else { return [] }
      return finish(id) + respondIfDue(at: now)
    case .playbackInterrupted(let samples, let itemID):
      guard let pending = core.interruption else { return [] }
      let actions = resolve(pending, heardSamples: samples, of: itemID ?? pending.currentID)
      return actions + (core.link.isEnded ? [] : respondIfDue(at: now))
    default: return []
    }
  }

  /// Ends an interruption: the provider learns what was heard.
  private mutating func resolve(
    _ interruption: ConversationCore.Interruption, heardSamples: Int, of current: String?
  ) -> [ConversationAction] {
    core.interruption = nil
    var interruption = interruption
    if let place = interruption.entries.firstIndex(where: { $0.itemID == current }) {
      let received = interruption.entries[place].received
      interruption.entries[place].heard = min(received, max(0, heardSamples))
    }
    return cut(interruption)
  }

  /// The sink never answered: what is known of the sound has to do.
  mutating func resolveUnanswered() -> [ConversationAction] {
    guard let pending = core.interruption else { return [] }
    let current = pending.entries.first { $0.itemID == pending.currentID }
    return resolve(pending, heardSamples: current?.heard ?? 0, of: pending.currentID)
  }

  // MARK: Time and the connection

  /// When the common part has something to do.
  var commonDeadlines: [Double?] { [core.link.deadline, core.replyDeadline, core.interruption?.deadline] }

  private mutating func handleTick(at now: Double) -> [ConversationAction] {
    if let deadline = core.link.deadline, now >= deadline {
      core.link.dropped(at: now)
      return [.close(code: 1000, reason: "no answer")] + lose(.refused(status: nil), at: now)
    }
    var actions: [ConversationAction] = []
    if let pending = core.interruption, now >= pending.deadline { actions = resolveUnanswered() }
    return actions + passTime(at: now)
  }

  /// The connection is gone: what has arrived is played to its end, and a new connection is tried.
  mutating func lose(_ failure: ConversationFailure, at now: Double) -> [ConversationAction] {
    let actions = forgetConnection()
    guard let delay = core.link.lost(at: now) else { return actions + end(failure, at: now) }
    return actions + [.connect(after: delay)]
  }

  mutating func end(_ failure: ConversationFailure?, at now: Double) -> [ConversationAction] {
    guard !core.link.isEnded else { return [] }
    var actions = forgetAll() + core.calls.map { .cancelTool(id: $0.id) }
    // What was heard is still to be told to the app.
    if core.ledger.isSounding { actions += core.silence(until: now) }
    if core.link.isOpen || core.link.isOpening { actions.append(.close(code: 1000, reason: "")) }
    if let failure { actions.append(.failure(failure)) }
    core.link.end()
    _ = core.ledger.removeAll()
    core.packets.clear()
    core.calls = []
    core.results = []
    return actions
  }
}
