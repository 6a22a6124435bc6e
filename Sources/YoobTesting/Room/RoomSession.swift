import RunAnywhere
import VoiceAudio
import VoiceIO

/// A voice session of your engines in a `VirtualRoom`, to test how it takes turns.
///
/// ```swift
/// let bench = RoomSession(engines, .lockstep(RoomSession.Work()), room: options)
/// try bench.session.start()
/// bench.room.speak(question, at: 1)
/// await bench.pass(seconds: 8)
/// bench.room.sounds     // the reply as it was heard
/// await bench.close()
/// ```
@available(macOS 15, iOS 18, *)
public final class RoomSession {
  /// What the engines' work takes on the clock of a session in lockstep, in seconds.
  public struct Work: Sendable, Equatable {
    /// Seconds of the recognizer.
    public var stt = 0.15
    /// Seconds of the turn detector.
    public var turn = 0.1
    /// Seconds of the judge of the meaning.
    public var judgement = 0.02
    /// Seconds to the first piece of a reply.
    public var firstToken = 0.06
    /// Seconds from a piece of the reply to the next.
    public var token = 0.025
    /// Seconds of the voice for a clause.
    public var tts = 0.07
    /// The times as written above.
    public init() {}
  }

  /// What the time goes by.
  public enum Pace: Sendable, Equatable {
    /// As fast as the machine can: the clock waits for the engines, each of which answers after the
    /// time of `Work`. Repeatable.
    case lockstep(Work)
    /// As the clock on the wall: engines take the time that they take.
    case realTime
  }

  /// Something and when it happened, in seconds of the room.
  public struct Timed<Value: Sendable>: Sendable {
    /// Seconds of the room.
    public var time: Double
    /// What happened then.
    public var value: Value
  }

  /// One step of a clock in lockstep, in seconds.
  private static let step = 0.01

  /// The room that the session listens and speaks in.
  public let room: VirtualRoom
  /// The session under test.
  public let session: VoiceSession
  private let manual: ManualClock?
  private let executor: ManualExecutor?
  private let patience: PatientEngines?
  private let seenEvents = Guarded<[Timed<VoiceEvent>]>([])
  private let seenDiagnostics = Guarded<[Timed<VoiceDiagnostic>]>([])
  private let live = Guarded(0)

  /// A session that is not started yet. `room.keepsLog` says whether events are kept too.
  public init(
    _ engines: VoiceEngines, _ pace: Pace, room options: VirtualRoom.Options = VirtualRoom.Options(),
    processor: (any NearEndProcessing & Sendable)? = nil, vad: VadOptions = VadOptions(),
    turnHandling: TurnHandlingOptions = TurnHandlingOptions(), generation: LlmOptions = LlmOptions()
  ) {
    let clock: any PacingClock
    switch pace {
    case .lockstep(let work):
      let manual = ManualClock()
      (self.manual, executor, clock) = (manual, ManualExecutor(), manual)
      patience = PatientEngines(work: work, clock: manual)
    case .realTime:
      (manual, executor, patience, clock) = (nil, nil, nil, MonotonicClock())
    }
    let room = VirtualRoom(options, processor: processor, clock: clock)
    var devices = VoiceDevices(microphone: room, sink: room, clock: clock)
    let (executor, live) = (executor, live)
    devices.tasks = TaskSpawner { body in
      live.withLock { $0 += 1 }
      return Self.task(executor) {
        await body()
        live.withLock { $0 -= 1 }
      }
    }
    let session = RunAnywhere.voice.createSession(
      engines: patience?.wrap(engines) ?? engines, vad: vad, turnHandling: turnHandling,
      generation: generation, devices: devices)
    self.room = room
    self.session = session
    let (events, diagnostics) = (session.events, session.diagnostics)
    let keeps = options.keepsLog
    _ = Self.task(executor) { [seenEvents] in
      do {
        for try await event in events where keeps {
          seenEvents.withLock { $0.append(Timed(time: room.now, value: event)) }
        }
      } catch {}  // the last event says why
    }
    _ = Self.task(executor) { [seenDiagnostics] in
      for await diagnostic in diagnostics where keeps {
        seenDiagnostics.withLock { $0.append(Timed(time: room.now, value: diagnostic)) }
      }
    }
  }

  /// All events so far.
  public var events: [Timed<VoiceEvent>] { seenEvents.withLock { $0 } }
  /// All diagnostics so far.
  public var diagnostics: [Timed<VoiceDiagnostic>] { seenDiagnostics.withLock { $0 } }
  /// Tasks of the session that have not ended.
  public var liveTasks: Int { live.withLock { $0 } }

  /// Lets so much time go by.
  public func pass(seconds: Double) async {
    guard let manual else {
      return await room.clock.sleep(for: seconds)
    }
    settle()
    for _ in 0..<max(0, Int((seconds / Self.step).rounded())) {
      manual.advance(by: Self.step)
      settle()
    }
  }

  /// Lets time go by until `condition` holds, for `seconds` at most. Returns whether it holds.
  @discardableResult
  public func pass(upTo seconds: Double, until condition: () -> Bool) async -> Bool {
    let end = room.now + seconds
    while !condition() {
      guard room.now < end else { return false }
      await pass(seconds: Self.step)
    }
    return true
  }

  /// Begins an asynchronous call of the session, such as `send(text:)`.
  public func perform(_ body: @escaping @Sendable (VoiceSession) async -> Void) {
    let session = session
    _ = Self.task(executor) { await body(session) }
  }

  /// Closes the session and waits for all its work. Idempotent.
  public func close() async {
    let session = session
    guard executor != nil else { return await session.close() }
    let done = Guarded(false)
    perform { session in
      await session.close()
      done.withLock { $0 = true }
    }
    while !done.withLock({ $0 }) { await pass(seconds: Self.step) }
  }

  private static func task(
    _ executor: ManualExecutor?, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    guard let executor else { return Task { await body() } }
    return Task(executorPreference: executor) { await body() }
  }

  /// Runs what can run at this time.
  private func settle() { executor?.drain { patience?.isBusy == true } }
}
