import RunAnywhere
import Testing
import VoiceIO
import YoobTesting

@Suite("Life of a session")
struct LifecycleTests {
  private func makeBench(delays: SessionBench.Delays = SessionBench.Delays()) -> SessionBench {
    SessionBench(transcripts: ["A": "how are you", "B": "stop it now please"], delays: delays) { _ in
      "I am fine. Thank you for asking me that."
    }
  }

  @Test("a second start does nothing")
  func startTwice() throws {
    let bench = makeBench()
    try bench.session.start()
    try bench.session.start()
    bench.hear("...")
    #expect(bench.events == [.agentStateChanged(.listening)])
  }

  @Test("a closed session does not start")
  func startClosed() {
    let bench = makeBench()
    let session = bench.session
    bench.perform { await session.close() }
    #expect(throws: SDKException.self) { try session.start() }
  }

  @Test("a second session on the same microphone is refused, and the first goes on")
  func busy() throws {
    let bench = makeBench()
    try bench.session.start()
    let second = RunAnywhere.voice.createSession(
      engines: VoiceEngines(vad: ScriptedVad(), stt: bench.stt, llm: bench.llm, tts: bench.tts),
      devices: VoiceDevices(microphone: bench.microphone, sink: bench.sink, clock: bench.clock))
    let error = #expect(throws: SDKException.self) { try second.start() }
    #expect(error?.code == .serviceBusy)
    bench.hear("..AAAAAAAAAA....................")
    #expect(bench.finals == ["how are you"])
  }

  @Test("a closed session gives its microphone to the next")
  func handOver() throws {
    let bench = makeBench()
    try bench.session.start()
    let session = bench.session
    bench.perform { await session.close() }
    let second = RunAnywhere.voice.createSession(
      engines: VoiceEngines(vad: ScriptedVad(), stt: bench.stt, llm: bench.llm, tts: bench.tts),
      devices: VoiceDevices(microphone: bench.microphone, sink: bench.sink, clock: bench.clock))
    try second.start()
  }

  @Test("a session that nobody holds any more gives its microphone back")
  func dropped() throws {
    let bench = makeBench()
    let engines = VoiceEngines(vad: ScriptedVad(), stt: bench.stt, llm: bench.llm, tts: bench.tts)
    let devices = VoiceDevices(microphone: bench.microphone, sink: bench.sink, clock: bench.clock)
    do {
      let first = RunAnywhere.voice.createSession(engines: engines, devices: devices)
      try first.start()
    }
    try bench.session.start()
  }

  @Test("close at any moment ends the streams, the sound and all work", arguments: 0..<40)
  func closeAnywhere(step: Int) throws {
    let bench = makeBench()
    let session = bench.session
    try session.start()
    let script = Array("..AAAAAAA........................BBBBBB....")
    bench.hear(String(script.prefix(step)))
    let line = bench.perform { try await session.say("A line that waits.") }
    let close = bench.perform { await session.close() }
    bench.wait(milliseconds: 500)
    #expect(close.isFinished)
    #expect(line.isFinished)
    #expect((try? bench.end?.get()) != nil)
    let sound = bench.soundingSamples
    let again = bench.perform { await session.close() }
    bench.wait(milliseconds: 1000)
    #expect(again.isFinished)
    #expect(bench.soundingSamples == sound)
    #expect(bench.clock.pendingCount <= 1)
  }

  @Test("an unrecoverable failure is thrown into the events, and the microphone is free again")
  func failure() throws {
    let bench = makeBench()
    try bench.session.start()
    bench.session.fail(SDKException(.audioSessionFailed, category: .io, "The call took the audio."))
    bench.hear("..")
    #expect(throws: SDKException.self) { try bench.end?.get() }
    #expect(bench.events.last == .error(message: "The call took the audio.", recoverable: false))
    #expect(throws: SDKException.self) { try bench.session.start() }
  }

  @Test("calls on a closed session return or throw, and never hang")
  func callsAfterClose() {
    let bench = makeBench()
    let session = bench.session
    bench.perform { await session.close() }
    let calls = [
      bench.perform { try await session.say("hello") },
      bench.perform { await session.send(text: "hello") },
      bench.perform { await session.respond(instructions: nil) },
      bench.perform { await session.update(speed: 2) },
    ]
    #expect(calls.allSatisfy { $0.isFinished })
    #expect(throws: SDKException.self) { try calls.first?.result?.get() }
  }

  @Test("a session without devices says so when it is started")
  func noDevices() {
    let bench = makeBench()
    let session = RunAnywhere.voice.createSession(
      engines: VoiceEngines(vad: ScriptedVad(), stt: bench.stt, llm: bench.llm, tts: bench.tts))
    let error = #expect(throws: SDKException.self) { try session.start() }
    #expect(error?.code == .audioSessionFailed)
  }

  @Test("options change from the next turn on")
  func update() throws {
    let bench = makeBench()
    let session = bench.session
    try session.start()
    bench.perform {
      var generation = LlmOptions()
      generation.systemPrompt = "Speak like a pirate."
      await session.update(generation: generation)
    }
    bench.hear("..AAAAAAAAAA....................")
    #expect(bench.llm.calls.first?.first?.content == "Speak like a pirate.")
  }
}

@Suite("Lines")
struct SayTests {
  private func makeBench() throws -> SessionBench {
    let bench = SessionBench(transcripts: ["A": "how are you today", "B": "wait a moment please"]) { _ in
      "I am fine."
    }
    try bench.session.start()
    return bench
  }

  @Test("say returns when the line was heard, not before")
  func heard() throws {
    let bench = try makeBench()
    let session = bench.session
    let call = bench.perform { try await session.say("Hello there my friend.") }
    bench.hear("......")
    #expect(!call.isFinished)
    bench.hear("......")
    #expect(call.isFinished)
    #expect(
      Timeline.events(bench.events)
        == ["listening", "reply: Hello there my friend.", "speaking", "listening"])
    #expect(session.history.last == ChatMessage(role: .assistant, content: "Hello there my friend."))
  }

  @Test("say returns when the line is interrupted")
  func interrupted() throws {
    let bench = try makeBench()
    let session = bench.session
    let call = bench.perform { try await session.say("Hello there my very good old friend.") }
    bench.hear("......")
    session.interrupt()
    bench.hear(".")
    #expect(call.isFinished)
    #expect(session.history.last?.content.hasPrefix("Hello") == true)
    #expect(session.history.last?.content.hasSuffix("friend.") == false)
  }

  @Test("lines are spoken one after the other, and interrupt() gives up those that wait")
  func queue() throws {
    let bench = try makeBench()
    let session = bench.session
    let calls = ["One.", "Two.", "Three."].map { line in bench.perform { try await session.say(line) } }
    bench.listen(upTo: 3000) { bench.tts.clauses.count == 2 && bench.isSpeaking }
    session.interrupt()
    bench.hear("....................")
    #expect(bench.tts.clauses == ["One.", "Two."])
    #expect(calls.allSatisfy { $0.isFinished })
  }

  @Test("a line waits until the user's turn is over")
  func waitsForUser() throws {
    let bench = try makeBench()
    let session = bench.session
    bench.hear("..AAAAAAA")
    bench.perform { try await session.say("By the way.") }
    bench.hear("........................................")
    #expect(bench.tts.clauses == ["I am fine.", "By the way."])
    #expect(
      bench.timeline == """
        user  ..AAAAAAA........................................
        agent ..............======.======......................
        state LLLLLLLLLLLLLLSSSSSSSSSSSSLLLLLLLLLLLLLLLLLLLLLLL
        event ....(...p...p.F..................................
        """)
  }

  @Test("a line can be spoken before the microphone opens")
  func beforeStart() {
    let bench = SessionBench(transcripts: [:]) { _ in "" }
    let session = bench.session
    let call = bench.perform { try await session.say("Welcome to you.") }
    bench.wait(milliseconds: 2000)
    #expect(call.isFinished)
    #expect(bench.soundingSamples == 9600)
  }
}

@Suite("Trouble with engines")
struct EngineTroubleTests {
  private let trouble = SDKException(.processingFailed, category: .component, "The engine broke.")

  private func makeBench() throws -> SessionBench {
    let bench = SessionBench(transcripts: ["A": "how are you today"]) { _ in "I am fine." }
    try bench.session.start()
    return bench
  }

  private func expectRecovery(_ bench: SessionBench) {
    let errors = bench.events.filter {
      if case .error(let message, recoverable: true) = $0 {
        message.contains("The engine broke.")
      } else {
        false
      }
    }
    #expect(errors.count == 1)
    #expect(bench.events.last == .agentStateChanged(.listening))
  }

  @Test("a recognizer's failure is reported and the next turn works")
  func stt() throws {
    let bench = try makeBench()
    bench.stt.fail(trouble)
    bench.hear("..AAAAAAA....................")
    bench.stt.fail(nil)
    bench.hear("..AAAAAAA....................")
    #expect(bench.events.contains { if case .error(_, recoverable: true) = $0 { true } else { false } })
    #expect(bench.heardTexts == ["I am fine."])
  }

  @Test("a language model's failure is reported and the next turn works")
  func llm() throws {
    let bench = try makeBench()
    bench.llm.fail(trouble)
    bench.hear("..AAAAAAA....................")
    expectRecovery(bench)
    bench.llm.fail(nil)
    bench.hear("..AAAAAAA....................")
    #expect(bench.heardTexts == ["I am fine."])
    #expect(
      bench.timeline == """
        user  ..AAAAAAA......................AAAAAAA....................
        agent ...........................................======.........
        state LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLSSSSSSLLLLLLLLL
        event ....(...p...p.!..................(..p....p.F..............
        """)
  }

  @Test("a voice's failure is reported and the next turn works")
  func tts() throws {
    let bench = try makeBench()
    bench.tts.fail(trouble)
    bench.hear("..AAAAAAA....................")
    expectRecovery(bench)
    bench.tts.fail(nil)
    bench.hear("..AAAAAAA....................")
    #expect(bench.heardTexts == ["I am fine."])
  }

  @Test("say throws when the voice fails")
  func say() throws {
    let bench = try makeBench()
    bench.tts.fail(trouble)
    let session = bench.session
    let call = bench.perform { try await session.say("Hello.") }
    bench.hear("...")
    #expect(throws: SDKException.self) { try call.result?.get() }
  }

  @Test("a reply without words is reported")
  func emptyReply() throws {
    let bench = SessionBench(transcripts: ["A": "how are you today"]) { _ in "<think>hm" }
    try bench.session.start()
    bench.hear("..AAAAAAA....................")
    #expect(bench.events.contains { if case .error(_, recoverable: true) = $0 { true } else { false } })
    #expect(bench.events.last == .agentStateChanged(.listening))
  }
}
