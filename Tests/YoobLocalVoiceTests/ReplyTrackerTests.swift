import RunAnywhere
import Testing
import VoiceIO
import YoobWire

@testable import YoobLocalVoice

@Suite("Reply tracker")
struct ReplyTrackerTests {
  private var tracker = ReplyTracker()

  private static let sound = SocketSink.Event.audio(utterance: 1, pcm: [1, 2])
  private static let begin = SocketSink.Event.began(utterance: 1, sampleRate: 24_000)
  private static let heardSound = SpeechAgentEvent.responseAudio(responseID: "reply1", pcm: [1, 2])

  @Test("a spoken turn and its reply")
  mutating func turn() {
    #expect(tracker.take(.speechOnset(sample: 1600)) == [])
    #expect(tracker.take(.speechStarted) == [.speechStarted(audioMs: 100)])
    #expect(
      tracker.take(.userTranscribed(text: "hi", isFinal: false)) == [
        .userTranscript(text: "hi", isFinal: false)
      ])
    _ = tracker.take(.speechOffset(sample: 16_000))
    #expect(tracker.take(.speechEnded) == [.speechStopped(audioMs: 1000)])
    #expect(
      tracker.take(.userTranscribed(text: "hi", isFinal: true)) == [
        .userTranscript(text: "hi", isFinal: true)
      ])
    #expect(tracker.take(.agentStateChanged(.thinking)) == [.responseStarted(responseID: "reply1")])
    #expect(
      tracker.take(.agentResponse(text: "Hello.")) == [.responseText(responseID: "reply1", text: "Hello.")])
    #expect(tracker.take(Self.begin) == [])
    #expect(tracker.take(Self.sound) == [Self.heardSound])
    #expect(tracker.take(.agentStateChanged(.speaking)) == [])
    #expect(tracker.take(.finished(utterance: 1)) == [])
    #expect(
      tracker.take(.agentStateChanged(.listening)) == [
        .responseFinished(responseID: "reply1", status: .completed)
      ])
  }

  @Test("sound that is there before the reply was announced waits for it")
  mutating func earlySound() {
    #expect(tracker.take(Self.begin) == [])
    #expect(tracker.take(Self.sound) == [])
    #expect(
      tracker.take(.words(utterance: 1, words: [WordTiming(text: "Hi", start: 240, end: 2400)])) == [])
    #expect(
      tracker.take(.agentStateChanged(.thinking)) == [
        .responseStarted(responseID: "reply1"), Self.heardSound,
        .responseWords(responseID: "reply1", words: [SpeechWord(text: "Hi", startMs: 10, endMs: 100)]),
      ])
    #expect(tracker.take(Self.sound) == [Self.heardSound])
  }

  @Test("sound of the next reply is never taken for this one's")
  mutating func nextReply() {
    _ = tracker.take(.agentStateChanged(.thinking))
    _ = tracker.take(Self.begin)
    _ = tracker.take(.finished(utterance: 1))
    _ = tracker.take(.began(utterance: 2, sampleRate: 24_000))
    #expect(tracker.take(.audio(utterance: 2, pcm: [3])) == [])
    _ = tracker.take(.agentStateChanged(.listening))
    #expect(
      tracker.take(.agentStateChanged(.thinking)) == [
        .responseStarted(responseID: "reply2"), .responseAudio(responseID: "reply2", pcm: [3]),
      ])
  }

  @Test("the user's voice ends the reply; its late sound is dropped")
  mutating func bargeIn() {
    _ = tracker.take(.agentStateChanged(.thinking))
    _ = tracker.take(Self.begin)
    _ = tracker.take(.interrupted(utterance: 1))
    let ending = SpeechAgentEvent.responseFinished(
      responseID: "reply1", status: .cancelled(reason: "turn_detected"))
    #expect(tracker.take(.speechStarted).contains(ending))
    #expect(tracker.take(.agentStateChanged(.listening)) == [])
    #expect(tracker.take(Self.sound) == [])
    #expect(tracker.take(.agentResponse(text: "late")) == [])
  }

  @Test("the client's stop is told as the client's")
  mutating func clientStop() {
    _ = tracker.take(.agentStateChanged(.thinking))
    tracker.willInterrupt()
    #expect(
      tracker.take(.agentStateChanged(.listening)) == [
        .responseFinished(responseID: "reply1", status: .cancelled(reason: "client_cancelled"))
      ])
  }

  @Test("the echo of a typed message is no transcript, and ends the reply that runs")
  mutating func typed() {
    _ = tracker.take(.agentStateChanged(.thinking))
    tracker.willSend("stop")
    #expect(
      tracker.take(.userTranscribed(text: "stop", isFinal: true)) == [
        .responseFinished(responseID: "reply1", status: .cancelled(reason: "turn_detected"))
      ])
    #expect(tracker.take(.agentStateChanged(.thinking)) == [.responseStarted(responseID: "reply2")])
    #expect(
      tracker.take(.userTranscribed(text: "stop", isFinal: true)).last
        == .userTranscript(text: "stop", isFinal: true))
  }

  @Test("a pause inside a reply is no new reply")
  mutating func pause() {
    _ = tracker.take(.agentStateChanged(.thinking))
    _ = tracker.take(.agentStateChanged(.speaking))
    #expect(tracker.take(.agentStateChanged(.thinking)) == [])
  }

  @Test("a reply that was asked for takes the place of the one that runs")
  mutating func asked() {
    _ = tracker.take(.agentStateChanged(.thinking))
    tracker.willRespond()
    #expect(
      tracker.take(.agentStateChanged(.thinking)) == [
        .responseFinished(responseID: "reply1", status: .cancelled(reason: "turn_detected")),
        .responseStarted(responseID: "reply2"),
      ])
  }

  @Test("trouble fails the reply that runs, or is told by itself")
  mutating func trouble() {
    _ = tracker.take(.agentStateChanged(.thinking))
    #expect(tracker.take(.error(message: "No words.", recoverable: true)) == [])
    #expect(
      tracker.take(.agentStateChanged(.listening)) == [
        .responseFinished(responseID: "reply1", status: .failed(message: "No words."))
      ])
    #expect(
      tracker.take(.error(message: "Not understood.", recoverable: true)) == [
        .error(code: "voice_error", message: "Not understood.", isFatal: false)
      ])
    #expect(
      tracker.take(.error(message: "Broken.", recoverable: false)) == [
        .error(code: "voice_failed", message: "Broken.", isFatal: true)
      ])
  }

  @Test("a turn that was reopened is told before its new text, once")
  mutating func reopened() {
    _ = tracker.take(.turnReopened)
    let final = VoiceEvent.userTranscribed(text: "one two", isFinal: true)
    #expect(tracker.take(final) == [.turnReopened, .userTranscript(text: "one two", isFinal: true)])
    #expect(tracker.take(final) == [.userTranscript(text: "one two", isFinal: true)])
  }

  @Test("without a measurement the times of speech follow from the sound so far")
  mutating func estimatedTimes() {
    tracker.input.hear(1000 * 24 - tracker.input.samples)
    #expect(tracker.take(.speechStarted) == [.speechStarted(audioMs: 750)])
    tracker.input.hear(3000 * 24 - tracker.input.samples)
    #expect(tracker.take(.speechEnded) == [.speechStopped(audioMs: 2500)])
  }

  @Test("a measurement that comes too late is not taken for the next speech")
  mutating func lateMeasurement() {
    tracker.input.hear(1000 * 24 - tracker.input.samples)
    #expect(tracker.take(.speechStarted) == [.speechStarted(audioMs: 750)])
    _ = tracker.take(.speechOnset(sample: 740 * 16))
    tracker.input.hear(9000 * 24 - tracker.input.samples)
    #expect(tracker.take(.speechStarted) == [.speechStarted(audioMs: 8750)])
  }

  @Test("a turn's timings keep the names that commands print")
  mutating func metrics() {
    var metrics = TurnMetrics()
    metrics.firstAudioMs = 480
    metrics.endpointMs = 500
    metrics.cachedTokens = 40
    metrics.interruptions = 1
    guard case .metrics(let stages) = tracker.take(.turn(metrics)).first else {
      Issue.record("no metrics")
      return
    }
    #expect(stages["first_audio_ms"] == 480)
    #expect(stages["endpoint_ms"] == 500)
    #expect(stages["cached_tokens"] == 40)
    #expect(stages["interruptions"] == 1)
    #expect(stages["false_interruptions"] == 0 && stages["reopenings"] == 0)
    #expect(stages.keys.contains("stt_ms") && stages.keys.contains("llm_first_token_ms"))
    #expect(stages.keys.contains("tts_first_audio_ms"))
  }
}
