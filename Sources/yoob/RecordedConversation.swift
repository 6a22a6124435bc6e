import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobFace
import YoobStudio

/// A conversation whose user is a recording, played in real time.
struct RecordedConversation {
  /// What came of it.
  struct Result {
    var heardSpeech: Bool
    /// What went wrong, when the last thing that was said got no answer.
    var unanswered: String?
    /// Her answers and states, in seconds since the recording began.
    var timeline: FaceTimeline
    /// Words of each utterance of the timeline, in samples of it.
    var words: [[WordTiming]]
    var turns: [TurnMetrics]
  }

  let engines: VoiceEngines
  let clip: AudioClip
  var generation = LlmOptions()
  var eventsPath: String?
  var quiet = false
  var clock: any PacingClock = MonotonicClock()

  /// Longest time that answers may take after the recording has ended, in seconds.
  private static let patience = 600.0

  /// Holds the conversation to its end: the recording was heard and the last answer spoken.
  func hold() async throws -> Result {
    let microphone = FileMicrophone(clip, tail: nil, clock: clock)
    let sink = RecordingSink(clock: clock)
    let began = clock.now
    let clock = clock
    let log = try eventsPath.map { path in
      try EventLog(path: path) { clock.now - (microphone.startTime ?? began) }
    }
    let observer = Observer(isQuiet: quiet, clock: clock, log: log)
    let session = RunAnywhere.voice.createSession(
      engines: engines, generation: generation,
      devices: VoiceDevices(microphone: microphone, sink: sink, clock: clock))
    let events = Task {
      for try await event in session.events { observer.handle(event) }
    }
    let diagnostics = Task {
      for await diagnostic in session.diagnostics { observer.handle(diagnostic) }
    }
    do {
      try session.start()
      try await wait(for: observer, from: microphone.startTime ?? clock.now)
    } catch {
      await session.close()
      throw error
    }
    await session.close()
    _ = await diagnostics.value
    try await events.value
    try observer.closeLog()
    return result(observer, sink: sink, origin: microphone.startTime ?? sink.origin)
  }

  /// Waits until the recording was played and everything that it asked for was answered.
  private func wait(for observer: Observer, from origin: Double) async throws {
    let end = origin + clip.duration
    await clock.sleep(until: end)
    while clock.now < end + Self.patience {
      let status = observer.status
      if let fault = status.fault { throw fault }
      if status.logFailed { return }
      // A pause inside the last sentence may be waited for; silence needs no such patience.
      let grace = status.isUnresolved ? 4.5 : 1.2
      if status.isListening, clock.now - max(end, status.lastActivity) >= grace { return }
      await clock.sleep(until: clock.now + 0.05)
    }
    throw FileFault(
      "The answer was not over \(Int(Self.patience)) s after the recording. Try a smaller language model.")
  }

  private func result(_ observer: Observer, sink: RecordingSink, origin: Double) -> Result {
    let segments = sink.segments
    let shift = sink.origin - origin
    let utterances = segments.map { segment in
      FaceTimeline.Utterance(
        start: max(0, segment.start + shift), clip: segment.clip,
        visemes: FilmMaker.visemes(
          of: segment.phones, count: segment.clip.samples.count, rate: segment.clip.sampleRate),
        prosody: segment.prosody.interleaved)
    }
    let end = max(clip.duration, utterances.last?.end ?? 0) + 0.5
    let states = observer.states.map {
      FaceTimeline.StateChange(time: max(0, $0.time - origin), state: $0.state)
    }
    return Result(
      heardSpeech: observer.status.heardSpeech, unanswered: observer.status.failure,
      timeline: FaceTimeline(utterances: utterances, states: states, duration: end),
      words: segments.map(\.words), turns: observer.turns)
  }
}

/// Keeps what the session reports, for the person who watches, the log and the film.
private final class Observer: Sendable {
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
    var log: EventLog?
  }

  private let state: Guarded<State>
  private let isQuiet: Bool
  private let clock: any PacingClock

  init(isQuiet: Bool, clock: any PacingClock, log: EventLog?) {
    state = Guarded(State(log: log))
    self.isQuiet = isQuiet
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
      if case .turn(let metrics) = diagnostic { state.turns.append(metrics) }
      if case .played = diagnostic { state.status.lastActivity = clock.now }
    }
  }

  private func caption(_ text: String) {
    if !isQuiet { Console.write(text, to: 2) }
  }
}
