import RunAnywhere
import VoiceIO
import YoobFace
import YoobStudio

/// Keeps what the session reports, for the person who watches, the log and the film.
final class ConversationObserver: Sendable {
  struct Status {
    var isListening = true
    var isUnresolved = false
    var heardSpeech = false
    var lastActivity = -Double.infinity
    var fault: SDKException?
    /// The last recoverable error, until an answer is spoken.
    var failure: String?
    var logFailed = false
  }

  private struct State {
    var status = Status()
    var states: [FaceTimeline.StateChange] = []
    var turns: [TurnMetrics] = []
    /// What is written of the reply; nil when none is.
    var reply: String?
    var caption = CaptionText()
    /// What the history kept of her when the reply began.
    var heardBefore: [ChatMessage] = []
    var isStopAsked = false
    var silence = SilenceNotice()
    var isDropTold = false
    var isMuted = false
    var history: @Sendable () -> [ChatMessage] = { [] }
    var log: EventLog?
  }

  private let state: Guarded<State>
  private let captions: Captions
  private let clock: any PacingClock
  /// Whether somebody speaks into a microphone, who can mend what is wrong with it.
  private let isLive: Bool

  init(captions: Captions, clock: any PacingClock, log: EventLog?, isLive: Bool = false) {
    state = Guarded(State(log: log))
    self.isLive = isLive
    self.captions = captions
    self.clock = clock
  }

  var status: Status { state.withLock { $0.status } }
  var states: [FaceTimeline.StateChange] { state.withLock { $0.states } }
  var turns: [TurnMetrics] { state.withLock { $0.turns } }

  /// Closes the log; throws when a line could not be written.
  func closeLog() throws { try state.withLock { try $0.log?.close() } }

  /// Asks there how much of a reply was heard: the session's history keeps no more.
  func follow(_ history: @escaping @Sendable () -> [ChatMessage]) {
    state.withLock { $0.history = history }
  }

  /// The person wants her to stop; false when there is nothing to be stopped.
  func askToStop() -> Bool {
    state.withLock { state in
      guard !state.status.isListening else { return false }
      state.isStopAsked = true
      return true
    }
  }

  /// The person types.
  func typed() { state.withLock { $0.silence.typed(at: clock.now) } }

  /// The person mutes the microphone, whose silence is no news then, or wants to be heard again.
  func mute(_ isMuted: Bool) {
    state.withLock { state in
      state.isMuted = isMuted
      state.silence.heard()
    }
  }

  /// Takes the loudest sample since the last call, a magnitude, and says so when there was none for long.
  func microphone(peak: Float) {
    state.withLock { state in
      guard !state.isMuted else { return }
      if peak > 1e-5 { return state.silence.heard() }
      tellSilence(&state)
    }
  }

  func handle(_ event: VoiceEvent) {
    state.withLock { state in
      state.log?.write(event)
      state.status.logFailed = state.log?.failure != nil
      state.status.lastActivity = clock.now
      switch event {
      case .speechStarted, .speechEnded:
        state.status.isUnresolved = true
      case .userTranscribed(let text, let isFinal):
        guard isFinal else { return }
        state.status.isUnresolved = false
        state.status.heardSpeech = true
        endReply(&state)
        state.heardBefore = Self.heard(state.history())
        caption("\nYou:  \(text)\n")
      case .agentResponse(let text):
        if state.reply == nil { caption("Luna: ") }
        state.reply = (state.reply ?? "") + text
        caption(state.caption.take(text))
      case .agentStateChanged(let agentState):
        state.status.isListening = agentState == .listening
        if agentState == .speaking { state.status.failure = nil }
        if agentState == .listening { endReply(&state) }
        let face: FaceState =
          switch agentState {
          case .listening: .listening
          case .thinking: .thinking
          case .speaking: .speaking
          }
        state.states.append(.init(time: clock.now, state: face))
      case .error(let message, let recoverable):
        state.status.isUnresolved = false
        state.status.failure = message
        // Nobody waits for the end of a conversation to read why there was no answer.
        if isLive, recoverable {
          caption((state.reply == nil ? "" : "\n") + Program.namingQuoted(message) + "\n")
        }
        if !recoverable {
          state.status.fault = SDKException(.processingFailed, category: .component, message)
        }
      }
    }
  }

  func handle(_ diagnostic: VoiceDiagnostic) {
    state.withLock { state in
      state.log?.write(diagnostic)
      switch diagnostic {
      case .turn(let metrics): state.turns.append(metrics)
      case .played: state.status.lastActivity = clock.now
      case .silentInput(let seconds):
        guard !state.isMuted else { break }
        state.silence.silent(since: clock.now - seconds)
        tellSilence(&state)
      case .inputDropped:
        // Told once: on a machine that is too slow it would go on for ever.
        guard !state.isDropTold else { break }
        state.isDropTold = true
        caption(
          "\nThis machine is too busy: a part of what you said was lost. Close other programs, or take smaller "
            + "models (\(Program.name) models list).\n")
      default: break
      }
    }
  }

  private func caption(_ text: String) { captions.write(text) }

  private func tellSilence(_ state: inout State) {
    guard isLive, let seconds = state.silence.due(at: clock.now) else { return }
    caption(
      "\nThe microphone has given no sound at all for \(Int(seconds)) seconds. Look for its mute switch and "
        + "its level in the system's settings, or choose another: \(Program.name) devices, then --microphone "
        + "NAME.\n")
  }

  // MARK: The end of a reply

  /// Ends the caption of a reply, and says how much of it was heard when that is not all.
  private func endReply(_ state: inout State) {
    defer { (state.reply, state.isStopAsked) = (nil, false) }
    guard let reply = state.reply else {
      if state.isStopAsked { caption("(stopped)\n") }
      return
    }
    caption(state.caption.finish() + "\n")
    let heard = Self.heard(state.history())
    let isHeard = heard != state.heardBefore
    state.heardBefore = heard
    if let remark = Self.remark(reply: reply, heard: isHeard ? heard.last?.content ?? "" : "") {
      caption(remark + "\n")
    }
  }

  private static func heard(_ history: [ChatMessage]) -> [ChatMessage] {
    history.filter { $0.role == .assistant }
  }

  /// What is said of a reply of which only `heard` was heard; nil when that is all.
  private static func remark(reply: String, heard: String) -> String? {
    let (written, heard) = (words(reply), words(heard))
    guard heard.count < written.count else { return nil }
    guard !heard.isEmpty else { return "(stopped before a word of it was heard)" }
    let most = 4
    let end = (heard.count > most ? "… " : "") + heard.suffix(most).joined(separator: " ")
    return "(stopped after “\(end)”)"
  }

  private static func words(_ text: String) -> [String] {
    var caption = CaptionText()
    return (caption.take(text) + caption.finish()).split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
