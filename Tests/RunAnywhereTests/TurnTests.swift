import RunAnywhere
import Testing
import VoiceIO
import YoobTesting

@Suite("Turns")
struct TurnTests {
  private static let answer: @Sendable ([ChatMessage]) -> String = { _ in "I am fine. Thank you for asking." }

  private func bench(
    _ transcripts: [Character: String] = ["A": "how are you today", "B": "my friend"],
    endpointing: Endpointing = Endpointing(), delays: SessionBench.Delays = SessionBench.Delays()
  ) throws -> SessionBench {
    var turns = TurnHandlingOptions()
    turns.endpointing = endpointing
    let bench = SessionBench(
      transcripts: transcripts, turnHandling: turns, delays: delays, reply: Self.answer)
    try bench.session.start()
    return bench
  }

  @Test("a question is transcribed, answered and heard, in this order")
  func question() throws {
    let bench = try bench()
    bench.hear("..AAAAAAAAAA........................................")
    #expect(
      Timeline.events(bench.events) == [
        "listening", "speech started", "partial: how are you", "partial: how are you today",
        "speech ended", "final: how are you today", "thinking",
        "reply: I am fine. Thank you for asking.", "speaking", "listening",
      ])
    #expect(
      Timeline.agent(bench.sink, seconds: 5.2)
        == ".................======...========..................")
  }

  @Test("the history holds the system prompt, the question and the answer")
  func history() throws {
    let bench = try bench()
    bench.hear("..AAAAAAAAAA........................................")
    #expect(bench.session.history.map(\.role) == [.system, .user, .assistant])
    #expect(
      bench.session.history.dropFirst().map(\.content)
        == ["how are you today", "I am fine. Thank you for asking."])
  }

  @Test("the first partial transcript comes within a second of speech, then about one a second")
  func partials() throws {
    let bench = try bench(["A": "one two three four five six seven eight nine ten eleven twelve"])
    var positions: [Int] = []
    for tenth in 0..<30 {
      bench.hear("A")
      let count = bench.events.filter {
        if case .userTranscribed(_, isFinal: false) = $0 { true } else { false }
      }.count
      while positions.count < count { positions.append(tenth) }
    }
    #expect(positions.count == 3)
    #expect(positions.first.map { $0 < 10 } == true)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { (9...12).contains($1 - $0) })
  }

  @Test("the turn is taken when minDelayMs has passed, whatever minSilenceMs is", arguments: [300, 500, 900])
  func minDelay(milliseconds: Int) throws {
    let bench = try bench(endpointing: Endpointing(minDelayMs: milliseconds))
    bench.hear("..AAAAAAAAAA....................")
    let metrics = try #require(bench.metrics.first)
    #expect((Double(milliseconds)...Double(milliseconds + 60)).contains(metrics.endpointMs))
  }

  @Test("the first clause is prepared during the wait and heard as soon as the turn is taken")
  func speculation() throws {
    let bench = try bench()
    bench.hear("..AAAAAAAAAA....................")
    let metrics = try #require(bench.metrics.first)
    #expect(metrics.isSpeculative)
    #expect(metrics.firstAudioMs - metrics.endpointMs < 40)
  }

  @Test("a sentence that sounds unfinished is waited for until maxDelayMs")
  func unfinished() throws {
    let bench = try bench(
      ["A": "I would like to"], endpointing: Endpointing(minDelayMs: 500, maxDelayMs: 2000))
    bench.hear("..AAAAAAAAAA...............")
    #expect(!bench.events.contains(.userTranscribed(text: "I would like to", isFinal: true)))
    bench.hear("...........")
    #expect(bench.events.contains(.userTranscribed(text: "I would like to", isFinal: true)))
  }

  @Test("a pause that is shorter than minDelayMs does not split a sentence")
  func pause() throws {
    let bench = try bench(["A": "how are you today", "B": "my friend"])
    bench.hear("..AAAAAAAAAA....BBBBBBB....................................")
    #expect(bench.finals == ["how are you today my friend"])
    #expect(bench.diagnostics.contains(.speculationDropped))
    #expect(bench.llm.calls.last?.filter { $0.role == .user }.count == 1)
  }

  @Test("a reply that was prepared in vain leaves no event, no history and no sound")
  func droppedSpeculation() throws {
    let bench = try bench()
    bench.hear("..AAAAAAAAAA....BBBBBBB")
    #expect(bench.llm.calls.count == 1)
    #expect(!Timeline.events(bench.events).contains { $0.hasPrefix("reply") || $0 == "thinking" })
    #expect(bench.session.history.map(\.role) == [.system])
    #expect(bench.sink.segments.isEmpty)
  }

  @Test("a turn reopens when the user goes on before the reply is heard")
  func reopened() throws {
    var delays = SessionBench.Delays()
    delays.firstToken = 1.5
    let bench = try bench(delays: delays)
    bench.hear("..AAAAAAAAAA.......BBBBBBB..............................................")
    #expect(bench.finals == ["how are you today", "how are you today my friend"])
    #expect(bench.diagnostics.contains(.turnReopened))
    #expect(
      bench.session.history.dropFirst().map(\.content)
        == ["how are you today my friend", "I am fine. Thank you for asking."])
    #expect(Timeline.agent(bench.sink, seconds: 2.6).contains("=") == false)
  }

  @Test("a turn reopens when the user went on as the first sound was heard")
  func reopenedAtFirstSound() throws {
    let bench = try bench()
    bench.hear("..AAAAAAAAAA......BBBBBBBBB.............................................")
    #expect(bench.finals.last == "how are you today my friend")
    #expect(bench.diagnostics.contains(.turnReopened))
    #expect(bench.session.history.map(\.role) == [.system, .user, .assistant])
  }

  @Test("nobody is spoken over: a reply waits while the user begins to go on")
  func waitsForUser() throws {
    var delays = SessionBench.Delays()
    delays.firstToken = 0.7
    let bench = try bench(delays: delays)
    // The reply is ready about 1.1 s after the voice, when a short sound has just begun.
    bench.hear("..AAAAAAAAAA.........BB")
    bench.hear("..")
    #expect(bench.sink.segments.isEmpty)
    bench.hear("..........")
    #expect(!bench.sink.segments.isEmpty)
  }

  @Test("sound shorter than minSpeechMs is no turn and starts no recognizer")
  func shortNoise() throws {
    let bench = try bench()
    bench.hear("..AA..............A.........AA.............")
    #expect(Timeline.events(bench.events) == ["listening"])
    #expect(bench.stt.calls.isEmpty)
  }

  @Test("speech without words leaves no transcript and leads back to listening")
  func emptyTranscript() throws {
    let bench = try bench(["A": "[BLANK_AUDIO]"])
    bench.hear("..AAAAAAAAAA..............................................")
    #expect(
      Timeline.events(bench.events) == ["listening", "speech started", "speech ended", "listening"])
    #expect(bench.llm.calls.isEmpty)
  }

  @Test("the recognizer gets 300 ms from before the first voiced sample")
  func preroll() throws {
    let bench = try bench()
    bench.hear("..........AAAAAAAAAA...........")
    let sound = try #require(bench.stt.calls.last)
    let silent = sound.firstIndex { $0 != 0 } ?? 0
    #expect((4800...4800 + 512).contains(silent))
  }

  @Test("the pre-roll does not reach into what was heard before")
  func prerollClamped() throws {
    let bench = SessionBench(
      transcripts: ["A": "how are you", "B": "good bye"],
      vad: {
        var options = VadOptions()
        options.prefixPaddingMs = 2000
        return options
      }(), reply: { _ in "Fine." })
    try bench.session.start()
    bench.hear("..........AAAAAAAAAA............BBBBBBBBBB...............")
    #expect(bench.finals == ["how are you", "good bye"])
    #expect(bench.stt.calls.last?.contains { ScriptedSound.letter(of: $0) == "A" } == false)
  }

  @Test("a very long turn is transcribed in parts and answered as one message")
  func longTurn() throws {
    let words = (1...400).map { "w\($0)" }.joined(separator: " ")
    let bench = try bench(["A": words, "B": "done"])
    bench.hear(String(repeating: "A", count: 350) + "BBBBB....................")
    let final = try #require(bench.finals.first)
    #expect(final.hasSuffix("done"))
    #expect(final.split(separator: " ").count > 170)
    #expect(bench.stt.calls.allSatisfy { $0.count <= 16_000 * 29 })
  }

  @Test("a typed message is a turn")
  func typed() throws {
    let bench = try bench()
    let session = bench.session
    bench.perform { await session.send(text: "hello") }
    bench.hear("..............................")
    #expect(
      Timeline.events(bench.events) == [
        "listening", "final: hello", "thinking", "reply: I am fine. Thank you for asking.",
        "speaking", "listening",
      ])
    #expect(bench.metrics.first?.isTyped == true)
  }

  @Test("a reply on request has no message of the user, and the history keeps what was heard")
  func respond() throws {
    let bench = try bench()
    let session = bench.session
    bench.perform { await session.respond(instructions: "Greet the user.") }
    bench.hear("..............................")
    #expect(bench.llm.calls.first?.last == ChatMessage(role: .user, content: "Greet the user."))
    #expect(session.history.map(\.role) == [.system, .assistant])
  }

  @Test("a reply that is asked for without a word has a message to answer")
  func respondWithoutInstructions() throws {
    let bench = try bench()
    let session = bench.session
    bench.perform { await session.respond(instructions: nil) }
    bench.hear("..............................")
    #expect(bench.llm.calls.first?.contains { $0.role == .user } == true)
    #expect(session.history.map(\.role) == [.system, .assistant])
  }

  @Test("instructions in a conversation are no message of the user")
  func respondLater() throws {
    let bench = try bench()
    let session = bench.session
    bench.perform { await session.send(text: "hello") }
    bench.hear("..............................")
    bench.perform { await session.respond(instructions: "Say good bye.") }
    bench.hear(".")
    #expect(bench.llm.calls.last?.last == ChatMessage(role: .system, content: "Say good bye."))
  }

  @Test("five seconds that are pushed at once are heard from end to end")
  func burst() throws {
    let bench = try bench(["A": (1...20).map { "w\($0)" }.joined(separator: " "), "B": "done"])
    let sound = String(repeating: "A", count: 40) + "BBBBB....."
    bench.microphone.push(ScriptedSound.samples(sound), sampleRate: 16_000)
    bench.executor.drain()
    bench.hear("....................")
    let final = try #require(bench.finals.first)
    #expect(final.hasPrefix("w1 ") && final.hasSuffix("w20 done"))
    #expect(!bench.diagnostics.contains { if case .inputDropped = $0 { true } else { false } })
  }

  @Test("after sound was lost the sample clock is right again")
  func lostSound() throws {
    let bench = try bench()
    bench.microphone.push([Float](repeating: 0, count: 100 * 16_000), sampleRate: 16_000)
    bench.executor.drain()
    bench.hear("AAAAAAAAAA..........")
    let onsets = bench.diagnostics.compactMap { diagnostic in
      if case .speechOnset(let sample) = diagnostic { sample } else { nil }
    }
    let onset = try #require(onsets.first)
    #expect(abs(onset - 100 * 16_000) <= 512)
    #expect(bench.diagnostics.contains(.inputDropped(samples: 40 * 16_000)))
  }

  @Test("speech begins before the reply is written")
  func streaming() throws {
    var delays = SessionBench.Delays()
    delays.token = 0.4
    let bench = try bench(delays: delays)
    bench.hear("..AAAAAAAAAA")
    bench.listen(upTo: 6000) { bench.events.contains(.agentStateChanged(.speaking)) }
    let written = bench.events.compactMap { event in
      if case .agentResponse(let text) = event { text } else { nil }
    }.joined()
    #expect(!written.isEmpty && written.count < "I am fine. Thank you for asking.".count)
  }

  @Test("reasoning, markup and emoji are not spoken; the transcript keeps the markup")
  func cleaned() throws {
    let bench = SessionBench(transcripts: ["A": "how are you"]) { _ in
      "<think>He asks. I must answer</think>**Fine** 😀 for $5."
    }
    try bench.session.start()
    bench.hear("..AAAAAAAAAA..............................")
    #expect(bench.tts.clauses == ["Fine for five dollars."])
    #expect(bench.session.history.last?.content == "**Fine** 😀 for $5.")
  }

  @Test("every generation option reaches the model")
  func options() throws {
    var generation = LlmOptions()
    generation.systemPrompt = "Be brief."
    generation.maxOutputTokens = 3
    generation.temperature = 0.1
    generation.stopSequences = ["X"]
    let bench = SessionBench(transcripts: ["A": "how are you"], generation: generation, reply: Self.answer)
    try bench.session.start()
    bench.hear("..AAAAAAAAAA..............................")
    #expect(bench.llm.calls.first?.first == ChatMessage(role: .system, content: "Be brief."))
    #expect(bench.llm.options?.temperature == 0.1)
    #expect(bench.llm.options?.stopSequences == ["X"])
    #expect(bench.session.history.last?.content == "I am fine.")
  }

  @Test("a voice at another rate is heard for as long")
  func otherRate() throws {
    let bench = SessionBench(
      transcripts: ["A": "how are you"], ttsRate: 24_000, reply: Self.answer)
    try bench.session.start()
    bench.hear("..AAAAAAAAAA........................................")
    #expect(bench.sink.segments.first?.clip.sampleRate == 24_000)
    #expect(bench.events.last == .agentStateChanged(.listening))
  }

  @Test("eight seconds of zeros are reported once")
  func deadAir() throws {
    let bench = try bench()
    bench.hear(String(repeating: ".", count: 200))
    #expect(bench.diagnostics == [.silentInput(seconds: 8)])
  }
}
