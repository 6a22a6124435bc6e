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
    var spoken: SpokenTimeline
    var turns: [TurnMetrics]
    /// Time of the clock at which the recording began.
    var origin: Double
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
    let observer = ConversationObserver(captions: Captions(isQuiet: quiet), clock: clock, log: log)
    let session = RunAnywhere.voice.createSession(
      engines: engines, generation: generation,
      devices: VoiceDevices(microphone: microphone, sink: sink, clock: clock))
    observer.follow { session.history }
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
  private func wait(for observer: ConversationObserver, from origin: Double) async throws {
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

  private func result(_ observer: ConversationObserver, sink: RecordingSink, origin: Double) -> Result {
    let spoken = SpokenTimeline(
      sink, states: observer.states, origin: origin, duration: clip.duration)
    return Result(
      heardSpeech: observer.status.heardSpeech, unanswered: observer.status.failure,
      spoken: spoken, turns: observer.turns, origin: origin)
  }
}

/// What she said and how she looked, on one timeline, as films need it.
struct SpokenTimeline {
  var timeline: FaceTimeline
  /// Words of each utterance of the timeline, in samples of it.
  var words: [[WordTiming]]

  /// `origin` is the moment of the sink's clock at which the conversation began; `duration`, in
  /// seconds, the least that it lasts.
  init(_ sink: RecordingSink, states: [FaceTimeline.StateChange], origin: Double, duration: Double) {
    let segments = sink.segments
    let shift = sink.origin - origin
    let utterances = segments.map { segment in
      FaceTimeline.Utterance(
        start: max(0, segment.start + shift), clip: segment.clip,
        visemes: FilmMaker.visemes(
          of: segment.phones, count: segment.clip.samples.count, rate: segment.clip.sampleRate),
        prosody: segment.prosody.interleaved)
    }
    let end = max(duration, utterances.last?.end ?? 0) + 0.5
    timeline = FaceTimeline(
      utterances: utterances,
      states: states.map { .init(time: max(0, $0.time - origin), state: $0.state) }, duration: end)
    words = segments.map(\.words)
  }
}
