import RunAnywhere
import Testing
import VoiceAudio
import VoiceIO
import YoobTesting

@Suite("Interruptions")
struct InterruptionTests {
  private static let story =
    "One two three. Four five six seven eight nine ten. Eleven twelve thirteen fourteen."
  private static let transcripts: [Character: String] = ["A": "tell me a story", "B": "stop it now please"]

  private func bench(_ interruption: Interruption = Interruption()) throws -> SessionBench {
    var turns = TurnHandlingOptions()
    turns.interruption = interruption
    let bench = SessionBench(transcripts: Self.transcripts, turnHandling: turns) { messages in
      messages.last?.content.contains("story") == true ? Self.story : "All right then."
    }
    try bench.session.start()
    return bench
  }

  /// The user has asked and the story has been heard for a second.
  private func inTheStory(_ interruption: Interruption = Interruption()) throws -> SessionBench {
    let bench = try bench(interruption)
    bench.hear("..AAAAAAAAAA")
    bench.listen(upTo: 3000) { bench.isSpeaking }
    bench.hear("..........")
    return bench
  }

  @Test("the sound ends within 200 ms of minDurationMs of the user's speech", arguments: [200, 500, 800])
  func speed(milliseconds: Int) throws {
    let bench = try inTheStory(Interruption(minDurationMs: milliseconds))
    let onset = bench.clock.now
    bench.hear(String(repeating: "B", count: milliseconds / 100 + 4))
    let end = try #require(bench.sink.segments.last.map { $0.start + $0.clip.duration })
    #expect(end >= onset + Double(milliseconds) / 1000 - 0.001)
    #expect(end <= onset + Double(milliseconds) / 1000 + 0.2)
    #expect(bench.events.contains(.agentStateChanged(.listening)))
  }

  @Test("what interrupts becomes the next message, from its first word on")
  func nextTurn() throws {
    let bench = try inTheStory()
    bench.hear("BBBBBBBBBB........................................")
    #expect(bench.finals == ["tell me a story", "stop it now please"])
    #expect(bench.session.history.last?.content == "All right then.")
  }

  @Test("the history keeps only the words that were heard")
  func heardWords() throws {
    let bench = try inTheStory()
    bench.hear("BBBBBBBBBB........................................")
    let contents = bench.session.history.dropFirst().map(\.content)
    #expect(contents.count == 4)
    let heard = try #require(contents.dropFirst().first)
    #expect(Self.story.hasPrefix(heard))
    #expect(heard.count < Self.story.count)
    #expect(bench.heardTexts.first == heard)
  }

  @Test("after an interruption the model is asked with all it was asked before, and what was heard")
  func promptGrows() throws {
    let bench = try inTheStory()
    bench.hear("BBBBBBBBBB........................................")
    bench.hear("AAAAAAAAAA....................")
    let prompts = bench.llm.calls
    #expect(prompts.count >= 3)
    for (before, after) in zip(prompts, prompts.dropFirst()) {
      #expect(after.starts(with: before))
      #expect(after.count > before.count)
    }
    let heard = try #require(prompts[1].last { $0.role == .assistant }?.content)
    #expect(Self.story.hasPrefix(heard))
  }

  @Test("a cough does not interrupt, and is reported")
  func cough() throws {
    let bench = try inTheStory()
    bench.hear("BB..........................................................")
    #expect(bench.session.history.last?.content == Self.story)
    #expect(bench.diagnostics.contains { if case .falseInterruption = $0 { true } else { false } })
    #expect(bench.finals == ["tell me a story"])
  }

  @Test("the metrics of a turn count what was cut off and what was no interruption since the last turn")
  func counts() throws {
    let bench = try inTheStory()
    bench.hear("BB..........BBBBBBBBBB........................................")
    #expect(bench.metrics.map(\.falseInterruptions) == [0, 1])
    #expect(bench.metrics.map(\.interruptions) == [0, 1])
    #expect(bench.metrics.map(\.reopenings) == [0, 0])
  }

  @Test("with interruptions off the agent goes on to the end")
  func disabled() throws {
    let bench = try inTheStory(Interruption(enabled: false))
    bench.hear("BBBBBBBBBB..................................................")
    #expect(bench.session.history.last?.content == Self.story)
    #expect(bench.finals == ["tell me a story"])
  }

  @Test("interrupt() ends the sound at that sample")
  func immediate() throws {
    let bench = try inTheStory()
    let before = bench.soundingSamples
    bench.session.interrupt()
    bench.hear("....................")
    #expect(bench.soundingSamples == before)
    #expect(bench.events.last == .agentStateChanged(.listening))
  }

  @Test("an interruption before the first sound leaves the question alone in the history")
  func nothingHeard() throws {
    let bench = try bench()
    let session = bench.session
    bench.perform { await session.send(text: "tell me a story") }
    session.interrupt()
    bench.hear("....................")
    #expect(session.history.map(\.role) == [.system, .user])
    #expect(bench.soundingSamples == 0)
  }

  @Test("a remote listener that heard less decides what is kept")
  func heardByListener() throws {
    let bench = try inTheStory()
    bench.session.interrupt(heardMs: 400)
    bench.hear(".")
    #expect(bench.session.history.last?.content == "One two")
  }

  @Test("a listener that tells later how little it heard shortens the history, once more if need be")
  func correction() throws {
    let bench = try inTheStory()
    bench.session.interrupt()
    bench.hear(".")
    let before = try #require(bench.session.history.last?.content)
    bench.session.interrupt(heardMs: 400)
    bench.hear(".")
    #expect(bench.session.history.last?.content == "One two")
    #expect(before.count > "One two".count)
    bench.session.interrupt(heardMs: 60_000)
    bench.hear(".")
    #expect(bench.session.history.last?.content == "One two")
    bench.session.interrupt(heardMs: 0)
    bench.hear(".")
    #expect(bench.session.history.map(\.role) == [.system, .user])
  }

  @Test("a correction reaches a reply that ended by itself, but none before it")
  func lateCorrection() throws {
    let bench = try bench()
    let session = bench.session
    bench.perform { await session.send(text: "tell me a story") }
    bench.hear(String(repeating: ".", count: 60))
    bench.perform { await session.send(text: "stop it") }
    bench.hear(String(repeating: ".", count: 30))
    session.interrupt(heardMs: 250)
    bench.hear(".")
    #expect(session.history.dropFirst().map(\.content) == ["tell me a story", Self.story, "stop it", "All"])
  }

  @Test("a correction stops no reply that has begun since, and says nothing of it")
  func correctionDuringNextReply() throws {
    let bench = try inTheStory()
    let session = bench.session
    session.interrupt()
    bench.hear(".")
    session.correctHeard(ms: 400)
    bench.hear(".")
    #expect(session.history.last?.content == "One two")
    bench.perform { await session.send(text: "stop it") }
    bench.listen(upTo: 3000) { bench.isSpeaking }
    session.correctHeard(ms: 0)
    bench.hear(String(repeating: ".", count: 30))
    #expect(session.history.dropFirst(2).map(\.content) == ["One two", "stop it", "All right then."])
  }

  @Test("a clause that takes four seconds to make is no stall of the loudspeaker")
  func slowVoice() throws {
    var delays = SessionBench.Delays()
    delays.tts = 4
    let bench = SessionBench(transcripts: [:], delays: delays) { _ in Self.story }
    try bench.session.start()
    let session = bench.session
    bench.perform { await session.send(text: "tell me a story") }
    bench.hear(String(repeating: ".", count: 250))
    #expect(session.history.last?.content == Self.story)
    #expect(!bench.events.contains { if case .error = $0 { true } else { false } })
  }

  /// A loudspeaker that something happens to while it opens.
  private final class OpeningSink: SpeechSink {
    let base: RecordingSink
    let opening = Guarded<(@Sendable () async -> Void)?>(nil)
    let writes = Guarded(0)

    init(clock: any PacingClock) { base = RecordingSink(clock: clock) }

    func begin(sampleRate: Int) async {
      await opening.withLock { $0 }?()
      await base.begin(sampleRate: sampleRate)
    }
    func write(_ chunk: SpeechChunk) async {
      writes.withLock { $0 += 1 }
      await base.write(chunk)
    }
    func finish() async { await base.finish() }
    func interrupt() -> Int { base.interrupt() }
    var playedSamples: Int { base.playedSamples }
  }

  @Test("a loudspeaker that is interrupted while it opens is given no sound", arguments: [false, true])
  func interruptedOpening(isLate: Bool) throws {
    let bench = try bench()
    let sink = OpeningSink(clock: bench.clock)
    let executor = bench.executor
    var devices = VoiceDevices(microphone: PushMicrophone(), sink: sink, clock: bench.clock)
    devices.tasks = TaskSpawner { body in Task(executorPreference: executor) { await body() } }
    let session = RunAnywhere.voice.createSession(
      engines: VoiceEngines(vad: ScriptedVad(), stt: bench.stt, llm: bench.llm, tts: bench.tts),
      devices: devices)
    let goOn = OneShot()
    sink.opening.withLock {
      $0 = {
        session.interrupt()
        if isLate { await goOn.value() }
      }
    }
    bench.perform { await session.send(text: "tell me a story") }
    bench.wait(milliseconds: 500)
    goOn.fire()
    bench.wait(milliseconds: 500)
    #expect(sink.writes.withLock { $0 } == 0)
    #expect(session.history.map(\.role) == [.system, .user])
  }

  @Test("after an interruption the next reply is heard in full")
  func afterwards() throws {
    let bench = try inTheStory()
    for _ in 0..<5 {
      bench.session.interrupt()
      let session = bench.session
      bench.perform { await session.send(text: "go on") }
      bench.hear("....................")
    }
    #expect(
      bench.heardTexts.dropFirst() == [
        "All right then.", "All right then.", "All right then.", "All right then.", "All right then.",
      ])
  }

  @Test("at 100 random cuts the history is the words whose half was heard")
  func randomCuts() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<100 {
      let bench = try bench()
      let session = bench.session
      bench.perform { await session.send(text: "tell me a story") }
      bench.wait(milliseconds: 10 * Int.random(in: 0..<420, using: &random))
      session.interrupt()
      bench.wait(milliseconds: 50)
      let heard = bench.sink.segments.reduce(0.0) { $0 + $1.clip.duration }
      let words = bench.diagnostics.flatMap { diagnostic in
        if case .words(_, let words) = diagnostic { words } else { [WordTiming]() }
      }
      let expected = words.filter { Double($0.start + $0.end) / 2 <= heard * 16_000 + 0.5 }.map(\.text)
        .joined(separator: " ")
      let kept = session.history.last.flatMap { $0.role == .assistant ? $0.content : nil } ?? ""
      #expect(kept == expected)
      #expect(Self.story.hasPrefix(kept))
    }
  }

  @Test("the agent does not stay in speaking while nothing is heard")
  func watchdog() throws {
    var delays = SessionBench.Delays()
    delays.tts = 2
    let bench = SessionBench(transcripts: [:], delays: delays) { _ in Self.story }
    try bench.session.start()
    let session = bench.session
    bench.perform { await session.send(text: "tell me a story") }
    bench.listen(upTo: 4000) { bench.isSpeaking }
    bench.hear("...............")
    #expect(!bench.isSpeaking)
    bench.listen(upTo: 4000) { bench.isSpeaking }
    #expect(bench.isSpeaking)
  }
}
