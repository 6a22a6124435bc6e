import RunAnywhere
import Testing
import VoiceIO
import YoobTesting

/// Somebody speaks while the agent does: M is "mm-hm", N a noise without words, B words, Y "yes",
/// E the agent's own words.
@Suite("Speech over the agent")
struct SpeechOverTheAgentTests {
  private static let story =
    "One two three. Four five six seven eight nine ten. Eleven twelve thirteen fourteen."
  private static let transcripts: [Character: String] = [
    "A": "tell me a story", "B": "stop it now please", "M": "Mm-hm.", "N": "", "Y": "Yes.",
    "E": "four five six seven",
  ]

  private func bench(
    _ reply: String = story, delays: SessionBench.Delays = SessionBench.Delays(),
    endpointing: Endpointing = Endpointing()
  ) throws -> SessionBench {
    var turns = TurnHandlingOptions()
    turns.endpointing = endpointing
    let bench = SessionBench(transcripts: Self.transcripts, turnHandling: turns, delays: delays) { messages in
      messages.last?.content.contains("story") == true ? reply : "All right then."
    }
    try bench.session.start()
    return bench
  }

  /// The user has asked and the story has been heard for a second.
  private func inTheStory(
    _ reply: String = story, delays: SessionBench.Delays = SessionBench.Delays()
  ) throws -> SessionBench {
    let bench = try bench(reply, delays: delays)
    bench.hear("..AAAAAAAAAA")
    bench.listen(upTo: 3000) { bench.isSpeaking }
    bench.hear("..........")
    return bench
  }

  /// All samples of the story that were heard, in order.
  private func heard(_ bench: SessionBench) -> [Float] { bench.sink.segments.flatMap(\.clip.samples) }

  private func count(_ bench: SessionBench, _ isWanted: (VoiceDiagnostic) -> Bool) -> Int {
    bench.diagnostics.filter(isWanted).count
  }
  private func pauses(_ bench: SessionBench) -> Int {
    count(bench) { if case .playbackPaused = $0 { true } else { false } }
  }
  private func falseInterruptions(_ bench: SessionBench) -> Int {
    count(bench) { if case .falseInterruption = $0 { true } else { false } }
  }

  @Test(
    "what is no interruption holds the reply, which then goes on with the next sample",
    arguments: ["MMMMMMM", "NNNNNNNNN", "NNNNNNNNNNNNNNNNNNNNN", "MMMMMM..MMMMMM", "EEEEEEEEE"])
  func goesOn(script: String) throws {
    let alone = try inTheStory()
    alone.hear(String(repeating: ".", count: 100))
    let bench = try inTheStory()
    bench.hear(script)
    bench.hear(String(repeating: ".", count: 100))
    #expect(heard(bench) == heard(alone))
    #expect(bench.sink.segments.count > alone.sink.segments.count)
    #expect(pauses(bench) >= 1)
    #expect(falseInterruptions(bench) >= 1)
    #expect(bench.session.history.last?.content == Self.story)
    #expect(bench.finals == ["tell me a story"])
    #expect(bench.events.filter { $0 == .speechStarted }.count == 1)
    #expect(!bench.isSpeaking)
  }

  @Test("the reply is held at minDurationMs, and stopped there when words follow")
  func words() throws {
    let bench = try inTheStory()
    let onset = bench.clock.now
    bench.hear("BBBBBBBBBB....................")
    let end = try #require(bench.sink.segments.first { $0.start < onset }.map { $0.start + $0.clip.duration })
    #expect(end - onset >= 0.5 - 1e-9 && end - onset <= 0.56)
    #expect(bench.finals == ["tell me a story", "stop it now please"])
    #expect(falseInterruptions(bench) == 0)
    let events = Timeline.events(bench.events).filter { !$0.hasPrefix("reply") }
    #expect(
      events.dropFirst(7).prefix(4) == ["speaking", "speech started", "listening", "partial: stop it now"])
  }

  @Test("a sign of listening, a breath, then words: the words interrupt")
  func signThenWords() throws {
    let bench = try inTheStory()
    bench.hear("MMMMMM..BBBBBBBBBB....................")
    #expect(bench.finals.count == 2)
    #expect(bench.finals.last?.contains("stop it now please") == true)
    #expect(bench.session.history.count == 5)
  }

  @Test("a yes to a question that the agent is asking is an answer")
  func answers() throws {
    let question = "One two three four. Would you like to hear the rest of it now or later today?"
    let bench = try inTheStory(question)
    bench.hear(".....YYYYYY....................")
    #expect(bench.finals == ["tell me a story", "Yes."])
    let other = try inTheStory()
    other.hear("MMMMMM....................")
    #expect(other.finals == ["tell me a story"])
  }

  @Test("a recognizer that takes two seconds delays neither the hold nor the reply, and words still count")
  func slowRecognizer() throws {
    var delays = SessionBench.Delays()
    delays.stt = 2
    let bench = try bench(delays: delays)
    bench.hear("..AAAAAAAAAA")
    bench.listen(upTo: 6000) { bench.isSpeaking }
    bench.hear("..........")
    let onset = bench.clock.now
    bench.hear("BBBBBBBB..............................")
    let segments = bench.sink.segments.filter { $0.start + $0.clip.duration > onset }
    // Held at half a second, on again a second after the voice ended, stopped when the words came.
    #expect(segments.count == 2)
    #expect(segments.first.map { $0.start + $0.clip.duration - onset <= 0.56 } == true)
    #expect(segments.last.map { $0.start - onset >= 1.7 && $0.start - onset <= 1.9 } == true)
    bench.hear("........................................")
    #expect(bench.finals.count == 2)
  }

  @Test("a recognizer that fails leaves the word to the user")
  func failingRecognizer() throws {
    let bench = try inTheStory()
    bench.stt.fail(SDKException(.processingFailed, category: .component, "no"))
    bench.hear("BBBBBBBBBB....................")
    #expect(
      bench.session.history.last.map { Self.story.hasPrefix($0.content) && $0.content != Self.story } == true)
    bench.stt.fail(nil)
    bench.hear("BBBBBBBBBB........................................")
    #expect(bench.finals.last == "stop it now please")
  }

  @Test("a noise that does not end is not waited for for ever")
  func endlessNoise() throws {
    let bench = try inTheStory()
    bench.hear(String(repeating: "N", count: 200))
    #expect(bench.session.history.last?.content == Self.story)
    #expect(pauses(bench) == 1)
  }

  @Test("interrupt() during the hold ends the reply where it was held")
  func interruptWhileHeld() throws {
    let bench = try inTheStory()
    bench.hear("MMMMMM")
    let before = heard(bench).count
    bench.session.interrupt()
    bench.hear("....................")
    #expect(heard(bench).count == before)
    #expect(bench.events.last == .agentStateChanged(.listening))
    #expect(bench.finals == ["tell me a story"])
    let session = bench.session
    bench.perform { await session.send(text: "go on") }
    bench.hear("....................")
    #expect(bench.session.history.last?.content == "All right then.")
  }

  @Test("a typed message during the hold takes over")
  func typedWhileHeld() throws {
    let bench = try inTheStory()
    bench.hear("MMMMMM")
    let session = bench.session
    bench.perform { await session.send(text: "go on") }
    bench.hear("..............................")
    #expect(bench.finals == ["tell me a story", "go on"])
    #expect(bench.session.history.last?.content == "All right then.")
  }

  @Test("close during the hold ends all of it")
  func closeWhileHeld() throws {
    let bench = try inTheStory()
    bench.hear("MMMMMM")
    let session = bench.session
    let isClosed = Guarded(false)
    bench.executor.task {
      await session.close()
      isClosed.withLock { $0 = true }
    }
    bench.wait(milliseconds: 100)
    #expect(isClosed.withLock { $0 })
  }

  @Test("a user who goes on just as the reply begins is let speak, and both parts are one message")
  func reopening() throws {
    let bench = try bench(endpointing: Endpointing(minDelayMs: 300, maxDelayMs: 300))
    bench.hear("..AAAAAAAAAA")
    bench.listen(upTo: 3000) { bench.isSpeaking }
    bench.hear("BBBBBBBBBB..................................................")
    #expect(
      bench.session.history.filter { $0.role == .user }.map(\.content) == [
        "tell me a story stop it now please"
      ])
    let wrong = try #require(bench.sink.segments.first)
    #expect(wrong.clip.duration <= 0.25)
    #expect(bench.finals.last == "tell me a story stop it now please")
  }

  @Test("a click in the first moments of a reply delays it and loses nothing")
  func earlyClick() throws {
    let alone = try inTheStory()
    alone.hear(String(repeating: ".", count: 100))
    let bench = try bench()
    bench.hear("..AAAAAAAAAA")
    bench.listen(upTo: 3000) { bench.isSpeaking }
    bench.hear("N" + String(repeating: ".", count: 120))
    #expect(heard(bench) == heard(alone))
    #expect(bench.session.history.last?.content == Self.story)
    #expect(bench.finals == ["tell me a story"])
  }

  @Test("a loudspeaker that cannot be held is stopped at once")
  func withoutHold() throws {
    /// A loudspeaker far away.
    final class FarSink: SpeechSink {
      let base: RecordingSink
      init(clock: any PacingClock) { base = RecordingSink(clock: clock) }
      func begin(sampleRate: Int) async { await base.begin(sampleRate: sampleRate) }
      func write(_ chunk: SpeechChunk) async { await base.write(chunk) }
      func finish() async { await base.finish() }
      func interrupt() -> Int { base.interrupt() }
      var playedSamples: Int { base.playedSamples }
    }
    let bench = try bench()
    let sink = FarSink(clock: bench.clock)
    let microphone = PushMicrophone()
    let executor = bench.executor
    var devices = VoiceDevices(microphone: microphone, sink: sink, clock: bench.clock)
    devices.tasks = TaskSpawner { body in Task(executorPreference: executor) { await body() } }
    let session = RunAnywhere.voice.createSession(
      engines: VoiceEngines(vad: ScriptedVad(), stt: bench.stt, llm: bench.llm, tts: bench.tts),
      devices: devices)
    try session.start()
    bench.perform { await session.send(text: "tell me a story") }
    bench.wait(milliseconds: 1000)
    let samples = ScriptedSound.samples("MMMMMM...")
    for start in stride(from: 0, to: samples.count, by: 320) {
      bench.wait(milliseconds: 20)
      microphone.push(Array(samples[start..<start + 320]), sampleRate: 16_000)
      bench.executor.drain()
    }
    #expect(sink.base.segments.count == 1)
    #expect(session.history.last.map { Self.story.hasPrefix($0.content) && $0.content != Self.story } == true)
  }
}
