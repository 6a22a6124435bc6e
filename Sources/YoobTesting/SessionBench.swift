import RunAnywhere
import VoiceAudio
import VoiceIO

/// A voice session on a clock that only the test moves, with a scripted microphone, models and
/// loudspeaker. Everything is exact and repeatable.
///
/// ```swift
/// let bench = SessionBench(transcripts: ["A": "how are you"]) { _ in "I am fine." }
/// try bench.session.start()
/// bench.hear("AAAAAA........")
/// bench.events    // … .userTranscribed(text: "how are you", isFinal: true) …
/// bench.timeline  // the whole conversation, one character for 100 ms
/// ```
@available(macOS 15, iOS 18, *)
public final class SessionBench {
  /// Delays of the scripted engines, in seconds.
  public struct Delays: Sendable {
    /// The recognizer's work on a stretch of sound.
    public var stt = 0.1
    /// The language model's to its first word.
    public var firstToken = 0.05
    /// The language model's to each word after it.
    public var token = 0.01
    /// The voice's work on a clause.
    public var tts = 0.05
    /// The turn detector's answer.
    public var turn = 0.1

    /// Short delays, as a fast machine has them.
    public init() {}
  }

  /// The session's time, which `hear` and `wait` move.
  public let clock = ManualClock()
  /// Runs all of the session's tasks, on the test's own thread.
  public let executor = ManualExecutor()
  /// Gives the session what `hear` is given.
  public let microphone = PushMicrophone()
  /// The loudspeaker: what was heard of the agent, and when.
  public let sink: RecordingSink
  /// The recognizer, which knows what each letter says.
  public let stt: ScriptedStt
  /// The language model, which answers with `reply`.
  public let llm: ScriptedLlm
  /// The voice, 200 ms for each word.
  public let tts: ScriptedTts
  /// Nil without `completeness`.
  public let turnDetector: ScriptedTurnDetector?
  /// The session under test. It is not started yet.
  public let session: VoiceSession
  private let seenEvents = Guarded<[(time: Double, event: VoiceEvent)]>([])
  private let seenDiagnostics = Guarded<[(time: Double, diagnostic: VoiceDiagnostic)]>([])
  private var heardLevels: [(time: Double, letter: Character)] = []
  private let seenEnd = Guarded<Result<Void, any Error>?>(nil)

  /// `reply` answers the messages that the language model is given. With `completeness` the session has
  /// a turn detector that gives these answers (see `ScriptedTurnDetector`). `adjust` may put engines of
  /// the test's own in the place of scripted ones.
  public init(
    transcripts: [Character: String], completeness: [Character: Float]? = nil,
    vad: VadOptions = VadOptions(),
    turnHandling: TurnHandlingOptions = TurnHandlingOptions(),
    generation: LlmOptions = LlmOptions(), delays: Delays = Delays(), ttsRate: Int = 16_000,
    adjust: (inout VoiceEngines) -> Void = { _ in },
    reply: @escaping @Sendable ([ChatMessage]) -> String
  ) {
    sink = RecordingSink(clock: clock)
    stt = ScriptedStt(transcripts, delay: delays.stt, clock: clock)
    llm = ScriptedLlm(
      firstTokenDelay: delays.firstToken, tokenDelay: delays.token, clock: clock, reply: reply)
    tts = ScriptedTts(delay: delays.tts, sampleRate: ttsRate, clock: clock)
    turnDetector = completeness.map { [clock] in
      ScriptedTurnDetector($0, delay: delays.turn, clock: clock)
    }
    let executor = executor
    var devices = VoiceDevices(microphone: microphone, sink: sink, clock: clock)
    devices.tasks = TaskSpawner { body in Task(executorPreference: executor) { await body() } }
    var engines = VoiceEngines(vad: ScriptedVad(), stt: stt, llm: llm, tts: tts, turn: turnDetector)
    adjust(&engines)
    session = RunAnywhere.voice.createSession(
      engines: engines, vad: vad, turnHandling: turnHandling, generation: generation, devices: devices)
    let (events, diagnostics) = (session.events, session.diagnostics)
    executor.task { [seenEvents, seenEnd, clock] in
      do {
        for try await event in events { seenEvents.withLock { $0.append((clock.now, event)) } }
        seenEnd.withLock { $0 = .success(()) }
      } catch {
        seenEnd.withLock { $0 = .failure(error) }
      }
    }
    executor.task { [seenDiagnostics, clock] in
      for await diagnostic in diagnostics {
        seenDiagnostics.withLock { $0.append((clock.now, diagnostic)) }
      }
    }
  }

  /// All events so far.
  public var events: [VoiceEvent] { timedEvents.map(\.event) }
  /// The same with the times at which they came, in seconds of `clock`.
  public var timedEvents: [(time: Double, event: VoiceEvent)] { seenEvents.withLock { $0 } }
  /// All diagnostics so far.
  public var diagnostics: [VoiceDiagnostic] { seenDiagnostics.withLock { $0.map(\.diagnostic) } }
  /// How the stream of events ended; nil while it goes on.
  public var end: Result<Void, any Error>? { seenEnd.withLock { $0 } }

  /// The microphone hears the script (see `ScriptedSound`), in frames of 20 ms, while time goes on.
  public func hear(_ script: String) { hear(ScriptedSound.samples(script)) }

  /// The same for samples at 16 kHz.
  public func hear(_ samples: [Float]) {
    executor.drain()
    var index = 0
    while index < samples.count {
      let frame = Array(samples[index..<min(index + 320, samples.count)])
      pass(milliseconds: Double(frame.count) / 16)
      microphone.push(frame, sampleRate: 16_000)
      let letter = frame.lazy.compactMap { ScriptedSound.letter(of: $0) }.first ?? "."
      heardLevels.append((clock.now - Double(frame.count) / 32_000, letter))
      executor.drain()
      index += frame.count
    }
  }

  /// Time goes on and the microphone gives nothing.
  public func wait(milliseconds: Int) {
    executor.drain()
    for _ in 0..<(milliseconds / 10) { pass(milliseconds: 10) }
  }

  /// Silence is heard until `condition` holds, for `milliseconds` at most. Returns whether it holds.
  @discardableResult
  public func listen(upTo milliseconds: Int, until condition: () -> Bool) -> Bool {
    for _ in 0..<(milliseconds / 20) {
      if condition() { return true }
      hear([Float](repeating: 0, count: 320))
    }
    return condition()
  }

  /// Runs an asynchronous call of the session to its end, or as far as it comes at this time.
  @discardableResult
  public func perform(_ body: @escaping @Sendable () async throws -> Void) -> PendingCall {
    let call = PendingCall()
    executor.task {
      do {
        try await body()
        call.finish(.success(()))
      } catch {
        call.finish(.failure(error))
      }
    }
    executor.drain()
    return call
  }

  /// The conversation so far, drawn as `Timeline.draw` does.
  public var timeline: String {
    Timeline.draw(
      heard: heardLevels, sink: sink, events: timedEvents, diagnostics: seenDiagnostics.withLock { $0 },
      seconds: clock.now)
  }

  private func pass(milliseconds: Double) {
    clock.advance(by: milliseconds / 1000)
    executor.drain()
  }
}

/// A call that may have ended.
public final class PendingCall: Sendable {
  private let state = Guarded<Result<Void, any Error>?>(nil)

  /// Nil while it goes on.
  public var result: Result<Void, any Error>? { state.withLock { $0 } }

  /// Whether it has ended.
  public var isFinished: Bool { result != nil }

  func finish(_ result: Result<Void, any Error>) { state.withLock { $0 = result } }
}
