import VoiceIO

/// Keeps a session going whatever its engines do: a call that does not end is given up with an error
/// that says so. The work itself is cancelled and left behind.
struct EngineWatch: Sendable {
  /// Seconds to the first piece of a reply, prompt included.
  static let firstToken = 60.0
  /// Seconds between two pieces.
  static let nextToken = 30.0
  /// Seconds for a clause of speech.
  static let synthesis = 60.0
  /// Seconds for a transcript, and as many again as the sound is long, `longestSound` at most.
  static let recognition = 30.0
  static let longestSound = 30.0
  /// Seconds for the turn detector's answer.
  static let detection = 10.0
  /// Seconds for the language model's word on whether a message is whole; the reply waits for it.
  static let judgement = 1.0
  /// Seconds that a call may go on after it was cancelled.
  static let afterCancellation = 10.0

  let clock: any PacingClock
  let tasks: TaskSpawner

  /// The same engines, watched, and what they give checked.
  func wrap(_ engines: VoiceEngines) -> VoiceEngines {
    var watched = engines
    watched.vad = CheckedVad(engine: engines.vad)
    watched.stt = WatchedStt(engine: engines.stt, watch: self)
    let llm = WatchedLlm(engine: engines.llm, watch: self)
    watched.llm =
      (engines.llm as? any PromptPrefilling).map { WatchedPrefillingLlm(inner: $0, llm: llm) } ?? llm
    watched.tts = WatchedTts(engine: engines.tts, watch: self)
    watched.turn = engines.turn.map { WatchedTurnDetector(engine: $0, watch: self) }
    return watched
  }

  /// What `body` gives, or `failure` when it has not ended after `seconds`; nil waits for ever. `body` may
  /// put off its end with `WatchedCall.extend`.
  func run<Value: Sendable>(
    within seconds: Double?, or failure: SDKException,
    _ body: @escaping @Sendable (WatchedCall<Value>) async throws -> Value
  ) async throws -> Value {
    let call = WatchedCall<Value>(clock: clock, failure: failure)
    let task = tasks.spawn {
      do {
        call.finish(.success(try await body(call)))
      } catch {
        call.finish(.failure(error))
      }
    }
    if let seconds { call.extend(to: seconds) }
    return try await withTaskCancellationHandler {
      defer { task.cancel() }
      return try await call.value()
    } onCancel: {
      task.cancel()
      call.extend(to: Self.afterCancellation, with: CancellationError())
    }
  }
}

/// A call of an engine that ends by itself or is given up.
final class WatchedCall<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var deadline = Double.infinity
    var failure: any Error
    var timer: ClockTimer?
    var isCancelled = false
  }
  private let clock: any PacingClock
  private let state: Guarded<State>
  private let done = OneShot()

  init(clock: any PacingClock, failure: SDKException) {
    self.clock = clock
    state = Guarded(State(failure: failure))
  }

  var isOver: Bool { done.isFired }

  /// The first end counts. Idempotent.
  func finish(_ result: Result<Value, any Error>) {
    let timer: ClockTimer? = state.withLock { state in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
    done.fire()
  }

  /// Gives the call up `seconds` from now, and not before, unless it was cancelled; with `error`, it is.
  func extend(to seconds: Double, with error: (any Error)? = nil) {
    let mustWatch = state.withLock { state in
      guard state.result == nil, !state.isCancelled else { return false }
      state.deadline = clock.now + seconds
      if let error {
        state.failure = error
        state.isCancelled = true
      }
      return state.timer == nil || error != nil
    }
    if mustWatch { watch() }
  }

  func value() async throws -> Value {
    await done.value()
    return try state.withLock { state in
      guard let result = state.result else { throw CancellationError() }
      return try result.get()
    }
  }

  private func watch() {
    let deadline = state.withLock { $0.deadline }
    let timer = clock.schedule(at: deadline) { [weak self] in self?.check() }
    let old: ClockTimer? = state.withLock { state in
      defer { state.timer = state.result == nil ? timer : nil }
      return state.result == nil ? state.timer : timer
    }
    old?.cancel()
  }

  private func check() {
    let failure: (any Error)? = state.withLock { state in
      clock.now + 1e-6 >= state.deadline ? state.failure : nil
    }
    if let failure { finish(.failure(failure)) } else { watch() }
  }
}
