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
    var isAnswering = false
    var isDropTold = false
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
        caption("\nYou:  \(text)\n")
      case .agentResponse(let text):
        if !state.isAnswering { caption("Luna: ") }
        state.isAnswering = true
        caption(text)
      case .agentStateChanged(let agentState):
        state.status.isListening = agentState == .listening
        if agentState == .speaking { state.status.failure = nil }
        if agentState == .listening, state.isAnswering {
          state.isAnswering = false
          caption("\n")
        }
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
        guard isLive else { break }
        caption(
          "\nThe microphone has given no sound at all for \(Int(seconds)) seconds. Look for its mute switch and "
            + "its level in the system's settings, or choose another: yoob devices, then --microphone NAME.\n"
        )
      case .inputDropped:
        // Told once: on a machine that is too slow it would go on for ever.
        guard !state.isDropTold else { break }
        state.isDropTold = true
        caption(
          "\nThis machine is too busy: a part of what you said was lost. Close other programs, or take smaller "
            + "models (yoob models list).\n")
      default: break
      }
    }
  }

  private func caption(_ text: String) { captions.write(text) }
}
