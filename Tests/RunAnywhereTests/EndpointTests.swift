import Testing
import VoiceIO
import YoobTesting

@testable import RunAnywhere

@Suite("End of a turn")
struct EndpointTests {
  // MARK: Words

  @Test(
    "numbers and letters that are being dictated are waited for",
    arguments: [
      "My phone number is 555", "My number is five five five", "It's 555-123", "Call me at 0 1 6",
      "My name is spelled J-O-H", "It is spelled s m", "B A R", "B-A-R-T.", "My zip code is 94",
      "The card number is 4111 1111", "The order number is 4B7", "Five, five, five.",
    ])
  func dictated(text: String) {
    #expect(Dictation(text).isOpen)
    #expect(EndpointRule.delayMs(after: text, completeness: 0.9, Endpointing()) == 1375)
    #expect(EndpointRule.delayMs(after: text, Endpointing(minDelayMs: 200, maxDelayMs: 900)) == 445)
  }

  @Test(
    "whole numbers and ordinary sentences are not dictation",
    arguments: [
      "My phone number is 555-123-4567.", "My number is five five five one two three four",
      "I was born in 1985.", "There were twenty five of them", "It opens at 7.", "Wake me at 7:30.",
      "I live in the U.S.", "That is plan B.", "So do I.", "The pin is 1234", "My zip code is 94110.",
      "See you on the 3rd.", "Music of the 1980s", "", "...", "Hello there.", "I have two",
    ])
  func ordinary(text: String) {
    #expect(!Dictation(text).isOpen)
  }

  // MARK: Words and sound together

  @Test(
    "the sound decides where the words leave the turn closed",
    arguments: [
      (Float?.none, 500), (0.9, 500), (0.5, 500), (0.1, 1750),
    ])
  func sound(completeness: Float?, expected: Int) {
    let text = "I would like a table for two."
    #expect(EndpointRule.delayMs(after: text, completeness: completeness, Endpointing()) == expected)
  }

  @Test(
    "open words are waited for whatever the sound says, and longest where it agrees",
    arguments: [(Float?.none, 3000), (0.1, 3000), (0.99, 1750)])
  func openWords(completeness: Float?, expected: Int) {
    let delay = EndpointRule.delayMs(
      after: "I would like to", completeness: completeness, Endpointing())
    #expect(delay == expected)
    #expect(EndpointRule.delayMs(after: "", completeness: completeness, Endpointing()) == 3000)
  }

  // MARK: Meaning

  @Test(
    "with a judge of the meaning the wait grows with the doubt",
    arguments: [
      (Float?(0.9), Float(0.5), 500), (0.97, 0.05, 715), (0.9, 0.1, 693), (0.9, 0.001, 868), (0.9, 0, 868),
      (0.03, 0.9, 500), (0, 0, 929), (nil, 0.5, 500), (nil, 0.001, 868), (0.2, 0.2, 694),
    ])
  func meaning(completeness: Float?, endLikelihood: Float, expected: Int) {
    let delay = EndpointRule.delayMs(
      after: "I would like a table for two.", completeness: completeness, endLikelihood: endLikelihood,
      Endpointing())
    #expect(abs(delay - expected) <= 1)
  }

  @Test("whether a dictated number is whole, the number tells, not the meaning")
  func dictatedWhole() {
    for text in ["My number is 555 219 7461.", "It is four two one nine."] {
      #expect(
        EndpointRule.delayMs(after: text, completeness: 0.9, endLikelihood: 0.01, Endpointing())
          == EndpointRule.delayMs(after: text, completeness: 0.9, Endpointing()))
    }
    #expect(
      EndpointRule.delayMs(after: "My number is 555 219 7461.", completeness: 0.9, Endpointing()) == 500)
  }

  @Test("the judge's wait never shrinks with less evidence, and lies between the bounds")
  func monotone() {
    let options = Endpointing(minDelayMs: 300, maxDelayMs: 1300)
    var last = Int.max
    for step in 0...50 {
      let likelihood = Float(step) / 50
      let delay = EndpointRule.delayMs(
        after: "Tell me more.", completeness: 0.4, endLikelihood: likelihood, options)
      #expect(delay <= last)
      #expect((300...800).contains(delay))
      last = delay
    }
  }

  @Test("open words and dictation are waited for whatever the judge says")
  func meaningOfOpenWords() {
    func delay(_ text: String?) -> Int {
      EndpointRule.delayMs(after: text, completeness: 0.9, endLikelihood: 1, Endpointing())
    }
    #expect(delay("I would like to") == 1750)
    #expect(delay("My phone number is 555") == 1375)
    #expect(delay("") == 3000)
    #expect(delay(nil) == 500)
  }

  @Test("maxDelayMs below minDelayMs counts as minDelayMs")
  func crossed() {
    let options = Endpointing(minDelayMs: 800, maxDelayMs: 100)
    for text in ["I would like to", "Hello."] {
      #expect(EndpointRule.delayMs(after: text, completeness: 0, options) == 800)
    }
  }

  // MARK: Sessions

  private func bench(
    _ completeness: [Character: Float]?, minDelayMs: Int = 500,
    delays: SessionBench.Delays = SessionBench.Delays()
  ) throws -> SessionBench {
    var turns = TurnHandlingOptions()
    turns.endpointing = Endpointing(minDelayMs: minDelayMs, maxDelayMs: 2000)
    let bench = SessionBench(
      transcripts: ["A": "how are you today", "B": "my friend"], completeness: completeness,
      turnHandling: turns, delays: delays
    ) { _ in "I am fine." }
    try bench.session.start()
    return bench
  }

  private func agent(_ bench: SessionBench, _ script: String) -> String {
    bench.hear(script)
    return Timeline.agent(bench.sink, seconds: Double(script.count) / 10)
  }

  @Test("a complete turn is answered after minDelayMs")
  func completeTurn() throws {
    let bench = try bench(["A": 0.9])
    #expect(agent(bench, "..AAAAAAAAAA....................") == ".................======.........")
    #expect(bench.turnDetector?.calls.count == 1)
  }

  @Test("a turn that sounds unfinished is answered half way to maxDelayMs")
  func unfinishedTurn() throws {
    let bench = try bench(["A": 0.1])
    bench.hear("..AAAAAAAAAA...........")
    #expect(bench.finals.isEmpty)
    bench.hear("...")
    #expect(bench.finals == ["how are you today"])
  }

  @Test("one who pauses with an unfinished sound is not cut off, and is asked about at each pause")
  func pauseInside() throws {
    let bench = try bench(["A": 0.1, "B": 0.9])
    #expect(
      agent(bench, "..AAAAAAAAAA..........BBBBBBB....................")
        == "..................................======.........")
    #expect(bench.finals == ["how are you today my friend"])
    #expect(bench.turnDetector?.calls.count == 2)
  }

  @Test("without a detector the same pause ends the turn: the word rule alone decides")
  func withoutDetector() throws {
    let bench = try bench(nil)
    bench.hear("..AAAAAAAAAA........")
    #expect(bench.finals == ["how are you today"])
  }

  @Test("the detector hears the turn from its pre-roll on, with the silence after it")
  func detectorInput() throws {
    let bench = try bench(["A": 0.9])
    bench.hear("....AAAAAAAAAA........")
    let heard = try #require(bench.turnDetector?.calls.first)
    let first = try #require(heard.firstIndex { ScriptedSound.letter(of: $0) != nil })
    let last = try #require(heard.lastIndex { ScriptedSound.letter(of: $0) != nil })
    #expect((4000...5400).contains(first))
    #expect((3200...4400).contains(heard.count - last))
  }

  @Test("the detector is given the last eight seconds of a long turn")
  func longTurn() throws {
    let bench = try bench(["A": 0.9])
    bench.hear(".." + String(repeating: "A", count: 120) + "........")
    #expect(bench.turnDetector?.calls.map(\.count) == [128_000])
  }

  @Test("a detector that is late leaves the decision to the words, and its answer changes nothing")
  func late() throws {
    var delays = SessionBench.Delays()
    delays.turn = 5
    let bench = try bench(["A": 0.1], delays: delays)
    #expect(agent(bench, "..AAAAAAAAAA....................") == ".................======.........")
    bench.hear(String(repeating: ".", count: 60))
    #expect(bench.finals.count == 1)
  }

  @Test("a detector that fails leaves the decision to the words, says so, and is asked again")
  func failing() throws {
    let bench = try bench(["A": 0.1, "B": 0.1])
    bench.turnDetector?.fail(SDKException(.inferenceFailed, category: .component, "no"))
    bench.hear("..AAAAAAAAAA....................")
    #expect(bench.finals.count == 1)
    #expect(
      bench.diagnostics.contains {
        if case .turnDetectionFailed = $0 { true } else { false }
      })
    bench.turnDetector?.fail(nil)
    bench.hear("BBBBBBBBBB..........")
    #expect(bench.finals.count == 1)
    #expect(bench.turnDetector?.calls.count == 2)
    bench.hear("................")
    #expect(bench.finals.count == 2)
  }

  @Test("a minDelayMs shorter than the candidate pause is kept", arguments: [0, 100])
  func shortDelay(milliseconds: Int) throws {
    let bench = try bench(["A": 0.9], minDelayMs: milliseconds)
    bench.hear("..AAAAAAAAAA....")
    #expect(bench.finals == ["how are you today"])
  }

  // MARK: Sessions with a judge of the meaning

  @Test("a message that the judge takes for cut is waited for, and the same message without it is taken")
  func judged() throws {
    let bench = try bench(["A": 0.9, "B": 0.9])
    bench.llm.judge { $0 == "how are you today" ? 0.001 : 0.9 }
    bench.hear("..AAAAAAAAAA.......BBBBBBB..........")
    #expect(bench.finals == ["how are you today my friend"])
    let without = try self.bench(["A": 0.9])
    without.hear("..AAAAAAAAAA.......")
    #expect(without.finals == ["how are you today"])
  }

  @Test("a whole message is taken after minDelayMs, and the judge tells what it found")
  func judgedWhole() throws {
    let bench = try bench(["A": 0.9])
    bench.llm.judge(delay: 0.02) { _ in 0.9 }
    bench.hear("..AAAAAAAAAA.......")
    #expect(bench.finals == ["how are you today"])
    let found = bench.diagnostics.compactMap {
      if case .messageEndJudged(let likelihood, _) = $0 { likelihood } else { nil }
    }
    #expect(found == [0.9])
  }

  @Test("a judge that is late leaves the decision to words and sound, and the reply is heard all the same")
  func judgedLate() throws {
    let bench = try bench(["A": 0.9])
    bench.llm.judge(delay: 2) { _ in 0.001 }
    bench.hear("..AAAAAAAAAA.......")
    #expect(bench.finals == ["how are you today"])
    bench.hear(String(repeating: ".", count: 40))
    #expect(bench.finals.count == 1)
    #expect(bench.events.contains(.agentStateChanged(.speaking)))
  }

  @Test("nobody is asked where both delays are the same, or once the turn is taken")
  func judgedInVain() throws {
    var turns = TurnHandlingOptions()
    turns.endpointing = Endpointing(minDelayMs: 600, maxDelayMs: 600)
    let bench = SessionBench(transcripts: ["A": "how are you"], turnHandling: turns) { _ in "I am fine." }
    bench.llm.judge { _ in 0.001 }
    try bench.session.start()
    bench.hear("..AAAAAAAAAA..........")
    #expect(bench.finals == ["how are you"])
    #expect(
      !bench.diagnostics.contains { if case .messageEndJudged = $0 { true } else { false } })
  }

  // MARK: The machine

  @Test("a judgement belongs to one reply, and a broken number is none", arguments: [Float.nan, .infinity])
  func judgement(broken: Float) throws {
    var machine = TurnMachine(settings: .init())
    _ = windows(&machine, 20, 0.9)
    _ = windows(&machine, 12, 0)
    while let job = machine.job { _ = machine.handle(.transcript(job: job.id, text: "tell me a story")) }
    let id = try #require(machine.reply?.id)
    _ = machine.handle(.endLikelihood(reply: id + 1, value: 0.1))
    _ = machine.handle(.endLikelihood(reply: id, value: broken))
    #expect(machine.reply?.endLikelihood == nil)
    _ = machine.handle(.endLikelihood(reply: id, value: 1.5))
    #expect(machine.reply?.endLikelihood == 1)
    _ = windows(&machine, 20, 0.9)
    _ = machine.handle(.endLikelihood(reply: id, value: 0.1))
    #expect(machine.reply == nil)
  }

  private func windows(_ machine: inout TurnMachine, _ count: Int, _ probability: Float)
    -> [TurnMachine.Action]
  {
    (0..<count).flatMap { _ in machine.handle(.window(probability: probability, count: 512)) }
  }

  private func questions(_ actions: [TurnMachine.Action]) -> [Int] {
    actions.compactMap { if case .detectTurn(let job, _) = $0 { job } else { nil } }
  }

  @Test("one question at a time: the next pause waits for the answer, and an old answer is dropped")
  func oneQuestion() throws {
    var settings = TurnMachine.Settings()
    settings.hasDetector = true
    var machine = TurnMachine(settings: settings)
    _ = windows(&machine, 20, 0.9)
    let first = try #require(questions(windows(&machine, 8, 0)).first)
    _ = windows(&machine, 10, 0.9)
    #expect(questions(windows(&machine, 8, 0)).isEmpty)
    let second = questions(machine.handle(.turnProbability(job: first, value: 0.1)))
    #expect(second.count == 1)
    #expect(machine.turn?.completeness == nil)
    _ = machine.handle(.turnProbability(job: second[0], value: 0.7))
    #expect(machine.turn?.completeness == 0.7)
    #expect(questions(windows(&machine, 3, 0)).isEmpty)
    _ = windows(&machine, 3, 0.9)
    #expect(machine.turn?.completeness == nil)
  }

  @Test("answers to nothing and broken numbers change nothing", arguments: [Float.nan, .infinity])
  func broken(value: Float) throws {
    var settings = TurnMachine.Settings()
    settings.hasDetector = true
    var machine = TurnMachine(settings: settings)
    #expect(machine.handle(.turnProbability(job: 3, value: 0.5)).isEmpty)
    #expect(machine.handle(.turnDetectionFailed(job: 3, message: "x")).isEmpty)
    _ = windows(&machine, 20, 0.9)
    let job = try #require(questions(windows(&machine, 8, 0)).first)
    _ = machine.handle(.turnProbability(job: job, value: value))
    #expect(machine.turn?.completeness == nil)
  }

  @Test("nothing is asked where both delays are the same")
  func equalDelays() {
    var settings = TurnMachine.Settings()
    settings.hasDetector = true
    settings.turns.endpointing = Endpointing(minDelayMs: 700, maxDelayMs: 700)
    var machine = TurnMachine(settings: settings)
    #expect(questions(windows(&machine, 20, 0.9) + windows(&machine, 20, 0)).isEmpty)
  }

  @Test("without a detector nothing is asked")
  func noQuestions() {
    var machine = TurnMachine(settings: .init())
    #expect(questions(windows(&machine, 20, 0.9) + windows(&machine, 20, 0)).isEmpty)
  }

  // MARK: Loading

  @Test("engines without a turn detector say why, and load all the same")
  func missing() async throws {
    let clock = ManualClock()
    var engines = VoiceEngines(
      vad: ScriptedVad(), stt: ScriptedStt([:], clock: clock),
      llm: ScriptedLlm(clock: clock) { _ in "" }, tts: ScriptedTts(clock: clock))
    try await engines.loadTurnDetector { _ in
      throw SDKException(.modelNotFound, category: .model, "It is not here.", recoverySuggestion: "Fetch it.")
    }
    #expect(engines.turn == nil)
    #expect(engines.turnMissing == "It is not here. Fetch it.")
    try await engines.loadTurnDetector { _ in .turn(ScriptedTurnDetector([:], clock: clock)) }
    #expect(engines.turn != nil)
  }

  @Test("a session without a turn detector that was asked for says so once")
  func missingDiagnosed() async throws {
    let clock = ManualClock()
    var engines = VoiceEngines(
      vad: ScriptedVad(), stt: ScriptedStt([:], clock: clock),
      llm: ScriptedLlm(clock: clock) { _ in "" }, tts: ScriptedTts(clock: clock))
    engines.turnMissing = "It is not here."
    let session = RunAnywhere.voice.createSession(
      engines: engines,
      devices: VoiceDevices(microphone: PushMicrophone(), sink: RecordingSink(clock: clock), clock: clock))
    try session.start()
    await session.close()
    var seen: [VoiceDiagnostic] = []
    for await diagnostic in session.diagnostics { seen.append(diagnostic) }
    #expect(seen == [.turnDetectorMissing(reason: "It is not here.")])
  }
}
