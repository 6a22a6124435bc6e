import RunAnywhere
import VoiceIO
import YoobWire

/// Tells a voice session's events, its sink's and its measurements, which come on three ways at
/// different times, as one agent's events in one order.
///
/// A reply begins with the session's word that it thinks, which follows the user's final words;
/// sound that arrives before that word was read is held until then.
struct ReplyTracker {
  struct Reply: Equatable {
    var id: String
    var utterance: Int?
    var failure: String?
    var isCancelledByClient = false
  }

  /// How the sink's last utterance ended.
  private enum Ending { case finished, interrupted }

  /// Where places of the session's sound lie in the user's.
  var input = InputPlaces()
  /// Silence after which speech counts as ended, and speech before it counts as begun.
  var minSilenceMs = 500
  var minSpeechMs = 250
  private(set) var reply: Reply?
  private var replies = 0
  private var typed: [String] = []
  private var asked = 0
  private var isReopened = false
  /// The place that was told last, in milliseconds.
  private var lastPlaceMs = 0
  private var onset: Int?
  private var offset: Int?
  private var rates: [Int: Int] = [:]
  private var endings: [Int: Ending] = [:]
  /// Events of utterances that no reply has claimed yet.
  private var unclaimed: [(utterance: Int, event: (String) -> SpeechAgentEvent)] = []

  // MARK: Calls

  /// A message is about to be handed to the session; its echo is no transcript.
  mutating func willSend(_ text: String) { typed.append(text) }

  mutating func willRespond() { asked += 1 }

  mutating func willInterrupt() { reply?.isCancelledByClient = true }

  // MARK: The session

  mutating func take(_ event: VoiceEvent) -> [SpeechAgentEvent] {
    switch event {
    case .speechStarted:
      let start = place(onset, orBefore: minSpeechMs)
      onset = nil
      return [.speechStarted(audioMs: start)] + finish(.cancelled(reason: "turn_detected"))
    case .speechEnded:
      let end = place(offset, orBefore: minSilenceMs)
      offset = nil
      return [.speechStopped(audioMs: end)]
    case .userTranscribed(let text, let isFinal): return transcript(text, isFinal: isFinal)
    case .agentResponse(let text):
      guard let reply else { return [] }
      return [.responseText(responseID: reply.id, text: text)]
    case .agentStateChanged(.thinking): return think()
    case .agentStateChanged(.speaking): return []
    case .agentStateChanged(.listening): return finish(status)
    case .error(let message, true):
      guard reply != nil else {
        return [.error(code: "voice_error", message: message, isFatal: false)]
      }
      reply?.failure = message
      return []
    case .error(let message, false):
      return [.error(code: "voice_failed", message: message, isFatal: true)]
    }
  }

  /// Where in the input speech began or ended: as measured, or estimated where the measurement has
  /// not come yet. One that comes late belongs to what was told already, and is not used again.
  private mutating func place(_ sample: Int?, orBefore delayMs: Int) -> Int {
    let measured = sample.map { input.milliseconds(atSessionSample: $0) }
    let place =
      measured.flatMap { $0 > lastPlaceMs ? $0 : nil } ?? max(lastPlaceMs, input.milliseconds - delayMs)
    lastPlaceMs = place
    return place
  }

  private mutating func transcript(_ text: String, isFinal: Bool) -> [SpeechAgentEvent] {
    guard isFinal else { return [.userTranscript(text: text, isFinal: false)] }
    let ended = finish(.cancelled(reason: "turn_detected"))
    if let place = typed.firstIndex(of: text) {
      typed.removeSubrange(...place)
      return ended
    }
    defer { isReopened = false }
    return ended + (isReopened ? [.turnReopened] : []) + [.userTranscript(text: text, isFinal: true)]
  }

  /// A pause inside a reply counts as thinking too: then the reply goes on.
  private mutating func think() -> [SpeechAgentEvent] {
    var events: [SpeechAgentEvent] = []
    if asked > 0 {
      asked -= 1
      events += finish(.cancelled(reason: "turn_detected"))
    }
    guard reply == nil else { return events }
    replies += 1
    let id = "reply\(replies)"
    reply = Reply(id: id, utterance: unclaimed.first?.utterance)
    events.append(.responseStarted(responseID: id))
    events += unclaimed.filter { $0.utterance == reply?.utterance }.map { $0.event(id) }
    unclaimed.removeAll { $0.utterance == reply?.utterance }
    return events
  }

  /// The session has ended: so has the reply.
  mutating func end() -> [SpeechAgentEvent] {
    unclaimed = []
    return finish(reply?.failure.map { .failed(message: $0) } ?? .cancelled(reason: "client_cancelled"))
  }

  private var status: ResponseStatus {
    guard let reply else { return .completed }
    if reply.isCancelledByClient { return .cancelled(reason: "client_cancelled") }
    if let failure = reply.failure { return .failed(message: failure) }
    if let utterance = reply.utterance, endings[utterance] == .interrupted {
      return .cancelled(reason: "turn_detected")
    }
    return .completed
  }

  private mutating func finish(_ status: ResponseStatus) -> [SpeechAgentEvent] {
    guard let ended = reply else { return [] }
    reply = nil
    if let utterance = ended.utterance {
      rates = rates.filter { $0.key > utterance }
      endings = endings.filter { $0.key > utterance }
    }
    return [.responseFinished(responseID: ended.id, status: status)]
  }

  // MARK: The sink

  mutating func take(_ event: SocketSink.Event) -> [SpeechAgentEvent] {
    switch event {
    case .began(let utterance, let sampleRate):
      rates[utterance] = sampleRate
      if reply != nil, reply?.utterance == nil { reply?.utterance = utterance }
      return []
    case .audio(let utterance, let pcm):
      return assign(utterance) { .responseAudio(responseID: $0, pcm: pcm) }
    case .visemes(let utterance, let startMs, let frames):
      return assign(utterance) {
        .responseVisemes(responseID: $0, startMs: startMs, rate: 100, frames: frames)
      }
    case .prosody(let utterance, let startMs, let prosody):
      return assign(utterance) {
        .responseProsody(
          responseID: $0, startMs: startMs, rate: SpeechProsody.rate, pitch: prosody.pitch,
          marks: prosody.marks.map(\.rawValue))
      }
    case .held(let utterance, let isHeld):
      return assign(utterance) { .responseHeld(responseID: $0, isHeld: isHeld) }
    case .finished(let utterance):
      endings[utterance] = .finished
      return []
    case .interrupted(let utterance):
      endings[utterance] = .interrupted
      unclaimed.removeAll { $0.utterance == utterance }
      return []
    }
  }

  /// The event for the reply that the utterance belongs to, now or when it begins.
  private mutating func assign(
    _ utterance: Int, _ event: @escaping (String) -> SpeechAgentEvent
  ) -> [SpeechAgentEvent] {
    if let reply, reply.utterance == utterance { return [event(reply.id)] }
    // Late news of a reply that is over find no reply; the sink's pace bounds the early ones.
    if utterance > (reply?.utterance ?? 0), endings[utterance] == nil, rates[utterance] != nil {
      unclaimed.append((utterance, event))
    }
    return []
  }

  // MARK: Measurements

  mutating func take(_ diagnostic: VoiceDiagnostic) -> [SpeechAgentEvent] {
    switch diagnostic {
    case .turn(let metrics): return [.metrics(Self.stages(metrics))]
    case .speechOnset(let sample):
      onset = sample
      return []
    case .speechOffset(let sample):
      offset = sample
      return []
    case .words(let utterance, let words):
      guard let rate = rates[utterance], rate > 0 else { return [] }
      let timed = words.map {
        SpeechWord(text: $0.text, startMs: $0.start * 1000 / rate, endMs: $0.end * 1000 / rate)
      }
      return assign(utterance) { .responseWords(responseID: $0, words: timed) }
    case .turnReopened:
      isReopened = true
      return []
    default: return []
    }
  }

  private static func stages(_ metrics: TurnMetrics) -> [String: Double] {
    [
      "endpoint_ms": metrics.endpointMs, "stt_ms": metrics.sttMs,
      "llm_first_token_ms": metrics.llmFirstTokenMs,
      "llm_first_clause_ms": metrics.llmFirstClauseMs,
      "tts_first_audio_ms": metrics.ttsFirstAudioMs, "first_audio_ms": metrics.firstAudioMs,
      "tokens_per_second": metrics.tokensPerSecond, "input_tokens": Double(metrics.inputTokens),
      "cached_tokens": Double(metrics.cachedTokens), "output_tokens": Double(metrics.outputTokens),
      "interruptions": Double(metrics.interruptions),
      "false_interruptions": Double(metrics.falseInterruptions), "reopenings": Double(metrics.reopenings),
    ]
  }
}
