import Testing
import VoiceAudio

@testable import RunAnywhere

@Suite("Turn machine")
struct TurnMachineTests {
  /// Windows of 32 ms at these probabilities.
  private func run(_ machine: inout TurnMachine, _ probabilities: [Float]) -> [TurnMachine.Action] {
    probabilities.flatMap { machine.handle(.window(probability: $0, count: 512)) }
  }

  private func voiced(_ count: Int, _ probability: Float = 0.9) -> [Float] {
    [Float](repeating: probability, count: count)
  }

  @Test("speech that has begun goes on above the threshold less 0.15")
  func hysteresis() {
    var machine = TurnMachine(settings: .init())
    _ = run(&machine, voiced(10))
    _ = run(&machine, voiced(10, 0.4))
    #expect(machine.turn?.voicedEnd == 20 * 512)
    _ = run(&machine, voiced(10, 0.3))
    #expect(machine.turn?.voicedEnd == 20 * 512)
  }

  @Test("speech does not begin below the threshold")
  func threshold() {
    var machine = TurnMachine(settings: .init())
    #expect(run(&machine, voiced(100, 0.45)).isEmpty)
  }

  @Test("one recognizer run at a time")
  func oneJob() {
    var machine = TurnMachine(settings: .init())
    let actions = run(&machine, voiced(100))
    let jobs = actions.filter { if case .transcribe = $0 { true } else { false } }
    #expect(jobs.count == 1)
  }

  @Test("a partial transcript that covers all of the voice is the final one: nothing runs twice")
  func partialReused() {
    var machine = TurnMachine(settings: .init())
    var jobs: [Int] = []
    for window in 0..<16 {
      for action in run(&machine, voiced(1)) {
        if case .transcribe(let job, _) = action { jobs.append(job) }
      }
      if window == 15 { _ = machine.handle(.transcript(job: jobs.last ?? 0, text: "hello there")) }
    }
    let rest = run(&machine, voiced(40, 0))
    #expect(jobs.count == 1)
    #expect(!rest.contains { if case .transcribe = $0 { true } else { false } })
    #expect(rest.contains(.emit(.userTranscribed(text: "hello there", isFinal: true))))
  }

  @Test("an answer that belongs to nothing any more changes nothing")
  func staleInputs() {
    var machine = TurnMachine(settings: .init())
    let stale: [TurnMachine.Input] = [
      .transcript(job: 7, text: "x"), .transcriptionFailed(job: 7, message: "x"),
      .soundReady(reply: 7), .soundStarted(reply: 7), .soundPaused(reply: 7),
      .replyEnded(reply: 7), .replyFailed(reply: 7, message: "x"),
    ]
    #expect(stale.flatMap { machine.handle($0) }.isEmpty)
    #expect(machine.phase == .listening)
  }

  private func jobs(_ actions: [TurnMachine.Action]) -> [Int] {
    actions.compactMap { if case .transcribe(let job, _) = $0 { job } else { nil } }
  }

  @Test("a text in between that fails costs nothing: the next one comes at its time")
  func failedPartial() throws {
    var machine = TurnMachine(settings: .init())
    let first = try #require(jobs(run(&machine, voiced(20))).first)
    #expect(machine.handle(.transcriptionFailed(job: first, message: "x")).isEmpty)
    #expect(machine.turn != nil)
    #expect(jobs(run(&machine, voiced(40))).count == 1)
  }

  @Test("a turn is given up when its whole text failed twice")
  func failedFinal() throws {
    var machine = TurnMachine(settings: .init())
    let partial = try #require(jobs(run(&machine, voiced(20))).first)
    _ = machine.handle(.transcript(job: partial, text: "hello"))
    _ = run(&machine, voiced(4))
    let first = try #require(jobs(run(&machine, voiced(10, 0))).first)
    let retry = machine.handle(.transcriptionFailed(job: first, message: "x"))
    let second = try #require(jobs(retry).first)
    #expect(retry.count == 1)
    let end = machine.handle(.transcriptionFailed(job: second, message: "x"))
    #expect(end.contains(.emit(.error(message: "x", recoverable: true))))
    #expect(machine.turn == nil)
  }

  @Test("options beyond all bounds are brought inside", arguments: [Int.min, -1, Int.max])
  func extremes(milliseconds: Int) {
    var settings = TurnMachine.Settings()
    settings.vad.minSpeechMs = milliseconds
    settings.vad.minSilenceMs = milliseconds
    settings.vad.prefixPaddingMs = milliseconds
    settings.turns.endpointing = Endpointing(minDelayMs: milliseconds, maxDelayMs: milliseconds)
    settings.turns.interruption.minDurationMs = milliseconds
    var machine = TurnMachine(settings: .init())
    machine.settings = settings
    for job in jobs(run(&machine, voiced(40) + voiced(40, 0))) {
      _ = machine.handle(.transcript(job: job, text: "hello"))
    }
    _ = run(&machine, voiced(40) + voiced(200, 0))
    #expect((0...600_000).contains(machine.settings.vad.prefixPaddingMs))
    #expect(machine.settings == TurnMachine(settings: settings).settings)
  }

  @Test("a reply prepared in a pause of 250 ms is dropped when the same breath goes on")
  func shortPause() {
    var machine = TurnMachine(settings: .init())
    var prepared: [TurnMachine.Request] = []
    var dropped = 0
    for probability in voiced(20) + voiced(8, 0) + voiced(20) + voiced(40, 0) {
      for action in run(&machine, [probability]) {
        switch action {
        case .transcribe(let job, let range):
          let text = range.upperBound < 30 * 512 ? "I would like" : "I would like some tea"
          for next in machine.handle(.transcript(job: job, text: text)) {
            if case .prepare(_, let request) = next { prepared.append(request) }
          }
        case .prepare(_, let request): prepared.append(request)
        case .undo: dropped += 1
        default: break
        }
      }
    }
    #expect(prepared.first == .spoken(text: "I would like"))
    #expect(prepared.last == .spoken(text: "I would like some tea"))
    #expect(dropped == prepared.count - 1)
    #expect(machine.reply?.request == .spoken(text: "I would like some tea"))
  }

  @Test("whoever spoke before sound was lost spoke on")
  func lostSound() {
    var machine = TurnMachine(settings: .init())
    _ = run(&machine, voiced(20))
    let actions = machine.handle(.lost(count: 32_000))
    #expect(machine.turn?.voicedEnd == machine.position)
    #expect(machine.position == 20 * 512 + 32_000)
    #expect(!actions.contains(.emit(.speechEnded)))
  }

  @Test("whatever happens in whatever order: one reply at a time, no sound without commitment")
  func fuzz() {
    var random = SplitMix64(seed: 6)
    for round in 0..<200 {
      var settings = TurnMachine.Settings()
      settings.hasDetector = round.isMultiple(of: 2)
      var machine = TurnMachine(settings: settings)
      machine.canHold = round % 3 > 0
      var held: Int?
      var live: Set<Int> = []
      var committed: Set<Int> = []
      var jobs: [Int] = []
      var questions: [Int] = []
      for _ in 0..<400 {
        let id = live.first ?? 0
        let input: TurnMachine.Input =
          switch Int.random(in: 0..<40, using: &random) {
          case 0: .interruptRequested
          case 1: .typed("hi")
          case 2: .line(id: 1, text: "line")
          case 3: .asked(instructions: nil)
          case 4: .replyFailed(reply: id, message: "x")
          case 5, 6: .replyEnded(reply: id)
          case 7, 8: .soundReady(reply: id)
          case 9, 10: committed.contains(id) ? .soundStarted(reply: id) : .soundPaused(reply: id)
          case 11, 12:
            .transcript(
              job: jobs.last ?? 0, text: Bool.random(using: &random) ? "a b" : "",
              overlap: Bool.random(using: &random) ? .words : .backchannel)
          case 13: .transcriptionFailed(job: jobs.last ?? 0, message: "x")
          case 14: .turnProbability(job: questions.last ?? 0, value: .random(in: 0...1, using: &random))
          case 15: .turnDetectionFailed(job: questions.last ?? 0, message: "x")
          default: .window(probability: machine.position / 16_000 % 3 == 1 ? 0.9 : 0.1, count: 512)
          }
        if case .replyEnded(let ended) = input, !committed.contains(ended) { continue }
        for action in machine.handle(input) {
          switch action {
          case .prepare(let reply, _): live.insert(reply)
          case .commit(let reply): committed.insert(reply)
          case .release(let reply): #expect(live.contains(reply) && committed.contains(reply))
          case .hold(let reply):
            #expect(machine.canHold && held == nil && committed.contains(reply))
            held = reply
          case .resume(let reply):
            #expect(held == reply)
            held = nil
          case .stop(let reply), .undo(let reply):
            live.remove(reply)
            if held == reply { held = nil }
          case .transcribe(let job, let range):
            jobs.append(job)
            #expect(range.lowerBound >= 0 && range.upperBound <= machine.position)
          case .detectTurn(let job, let range):
            questions.append(job)
            #expect(settings.hasDetector && !range.isEmpty && range.upperBound == machine.position)
          case .emit, .diagnose, .dropLine: break
          }
        }
        if case .replyEnded(let ended) = input {
          live.remove(ended)
          held = nil
        }
        #expect(live.count <= 1)
        #expect(machine.reply.map { [$0.id] } ?? [] == Array(live))
        #expect(machine.audioNeededFrom <= machine.position)
        #expect((machine.heldSince != nil) == (held != nil))
      }
    }
  }
}
