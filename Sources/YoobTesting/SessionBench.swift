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
/// bench.events  // … .userTranscribed(text: "how are you", isFinal: true) …
/// ```
@available(macOS 15, iOS 18, *)
public final class SessionBench {
  /// Delays of the scripted engines, in seconds.
  public struct Delays: Sendable {
    public var stt = 0.1
    public var firstToken = 0.05
    public var token = 0.01
    public var tts = 0.05
    public var turn = 0.1
    public init() {}
  }

  public let clock = ManualClock()
  public let executor = ManualExecutor()
  public let microphone = PushMicrophone()
  public let sink: RecordingSink
  public let stt: ScriptedStt
  public let llm: ScriptedLlm
  public let tts: ScriptedTts
  /// Nil without `completeness`.
  public let turnDetector: ScriptedTurnDetector?
  public let session: VoiceSession
  private let seenEvents = Guarded<[VoiceEvent]>([])
  private let seenDiagnostics = Guarded<[VoiceDiagnostic]>([])
  private let seenEnd = Guarded<Result<Void, any Error>?>(nil)

  /// `reply` answers the messages that the language model is given. With `completeness` the session has
  /// a turn detector that gives these answers (see `ScriptedTurnDetector`).
  public init(
    transcripts: [Character: String], completeness: [Character: Float]? = nil,
    vad: VadOptions = VadOptions(),
    turnHandling: TurnHandlingOptions = TurnHandlingOptions(),
    generation: LlmOptions = LlmOptions(), delays: Delays = Delays(), ttsRate: Int = 16_000,
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
    session = RunAnywhere.voice.createSession(
      engines: VoiceEngines(
        vad: ScriptedVad(), stt: stt, llm: llm, tts: tts, turn: turnDetector),
      vad: vad, turnHandling: turnHandling, generation: generation, devices: devices)
    let (events, diagnostics) = (session.events, session.diagnostics)
    executor.task { [seenEvents, seenEnd] in
      do {
        for try await event in events { seenEvents.withLock { $0.append(event) } }
        seenEnd.withLock { $0 = .success(()) }
      } catch {
        seenEnd.withLock { $0 = .failure(error) }
      }
    }
    executor.task { [seenDiagnostics] in
      for await diagnostic in diagnostics { seenDiagnostics.withLock { $0.append(diagnostic) } }
    }
  }

  /// All events so far.
  public var events: [VoiceEvent] { seenEvents.withLock { $0 } }
  /// All diagnostics so far.
  public var diagnostics: [VoiceDiagnostic] { seenDiagnostics.withLock { $0 } }
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

  public var isFinished: Bool { result != nil }

  func finish(_ result: Result<Void, any Error>) { state.withLock { $0 = result } }
}
