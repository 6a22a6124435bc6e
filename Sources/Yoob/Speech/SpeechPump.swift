import VoiceAudio
import VoiceIO

/// Hands what an app says to a sink, utterance by utterance, as it comes; the app never waits.
final class SpeechPump: Sendable {
  /// What becomes of an utterance.
  enum Event: Sendable, Equatable {
    /// The first samples were handed to the loudspeaker.
    case began(utterance: Int)
    /// The last sample was heard, or it was interrupted after so many; one that waited is told too.
    case ended(utterance: Int, heard: Int, isInterrupted: Bool)
  }

  private struct State {
    var line = SpeechLine()
    var hold = StartHold()
    var face = StartHold.Face.absent
    var maxSyncDelay = 1.8
    /// Counts interruptions; what was begun before the last one is void.
    var generation = 0
    /// The utterance that the sink has.
    var sounding: Int?
    var isClosed = false
    /// Fires at the next change.
    var changed = OneShot()
  }

  private let sink: any SpeechSink
  private let clock: any PacingClock
  private let state = Guarded(State())
  private let onEvent: @Sendable (Event) -> Void

  /// `spawn` runs the work; `onEvent` is called from it, or from `interrupt()`.
  init(
    sink: any SpeechSink, clock: any PacingClock, spawn: AvatarDevices.Spawn,
    onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.sink = sink
    self.clock = clock
    self.onEvent = onEvent
    spawn { [weak self] in
      while let signal = self?.idleSignal() {
        await signal.value()
        await self?.playAll()
      }
    }
  }

  deinit { close() }

  // MARK: For the app

  /// Takes sound; returns the number of its utterance, nil for no samples.
  func append(_ pcm: [UInt8], sampleRate: Int) throws(YoobError) -> Int? {
    let result = state.withLock { state -> Result<Int?, YoobError> in
      do throws(YoobError) {
        let id = try state.line.append(pcm, sampleRate: sampleRate, now: clock.now)
        if id != nil { Self.change(&state) }
        return .success(id)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// No more sound comes for the open utterance.
  func end() {
    state.withLock { state in
      state.line.end()
      Self.change(&state)
    }
  }

  /// Stops the sound and forgets all that waits; returns the samples of the utterance that were heard.
  func interrupt() -> Int { interruptAll().heard }

  /// Stops the sound and forgets all that waits; returns the utterance that sounded and its samples that were
  /// heard.
  func interruptAll() -> (utterance: Int?, heard: Int) {
    let (sounding, all) = state.withLock { state in
      state.generation += 1
      let found = (state.sounding, state.line.utterances.map(\.id))
      state.sounding = nil
      state.line.clear()
      Self.change(&state)
      return found
    }
    let heard = sounding == nil ? 0 : sink.interrupt()
    for id in all {
      onEvent(.ended(utterance: id, heard: id == sounding ? heard : 0, isInterrupted: true))
    }
    return (sounding, heard)
  }

  /// Whether an utterance waits or sounds.
  var isBusy: Bool { state.withLock { $0.sounding != nil || $0.line.first != nil } }

  /// What the start of an utterance waits for.
  func set(face: StartHold.Face) {
    state.withLock { state in
      state.face = face
      Self.change(&state)
    }
  }

  /// Longest wait for the face, in seconds.
  var maxSyncDelay: Double {
    get { state.withLock { $0.maxSyncDelay } }
    set {
      state.withLock { state in
        state.maxSyncDelay = newValue.isFinite ? max(0, newValue) : 1.8
        Self.change(&state)
      }
    }
  }

  /// Stops the sound and the work for good. Idempotent.
  func close() {
    _ = interrupt()
    state.withLock { state in
      state.isClosed = true
      Self.change(&state)
    }
  }

  private static func change(_ state: inout State) {
    state.changed.fire()
    state.changed = OneShot()
  }

  // MARK: The work

  /// Fires when there is something to do; nil after the close.
  private func idleSignal() -> OneShot? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      guard state.line.first != nil else { return state.changed }
      let now = OneShot()
      now.fire()
      return now
    }
  }

  private func playAll() async {
    while let (utterance, generation) = state.withLock({ state in
      state.line.first.map { ($0, state.generation) }
    }) {
      guard await waitForStart(generation) else { return }
      await play(utterance.id, rate: utterance.sampleRate, generation)
    }
  }

  /// Waits until the first utterance may start; false when it was interrupted.
  private func waitForStart(_ generation: Int) async -> Bool {
    while true {
      let next = state.withLock { state -> (time: Double, changed: OneShot)? in
        guard state.generation == generation, let first = state.line.first else { return nil }
        let time = state.hold.start(of: first, face: state.face, maxSyncDelay: state.maxSyncDelay)
        return (time, state.changed)
      }
      guard let next else { return false }
      if next.time <= clock.now { return true }
      await clock.sleep(until: next.time, orOneOf: [next.changed])
    }
  }

  private func play(_ id: Int, rate: Int, _ generation: Int) async {
    let isCurrent = state.withLock { state in
      guard state.generation == generation else { return false }
      state.sounding = id
      return true
    }
    guard isCurrent else { return }
    await sink.begin(sampleRate: rate)
    var written = 0
    var ranDry = false
    var hasBegun = false
    while let samples = await next(generation, written: written, ranDry: &ranDry) {
      written += samples.count
      await sink.write(SpeechChunk(samples: samples, sampleRate: rate))
      if !hasBegun, isStill(generation) { onEvent(.began(utterance: id)) }
      hasBegun = true
    }
    // An interruption while it began found nothing to close.
    guard isStill(generation) else { return _ = sink.interrupt() }
    await sink.finish()
    let isOver = state.withLock { state in
      guard state.generation == generation else { return false }
      state.sounding = nil
      state.line.removeFirst()
      if !ranDry { state.hold.noteSmooth() }
      return true
    }
    guard isOver else { return }
    onEvent(.ended(utterance: id, heard: sink.playedSamples, isInterrupted: false))
  }

  private func isStill(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

  /// The next samples of the utterance that sounds; nil at its end or after an interruption.
  private func next(_ generation: Int, written: Int, ranDry: inout Bool) async -> [Float]? {
    var dry: Double?
    while true {
      let now = clock.now
      enum Step {
        case take([Float])
        case wait(OneShot, until: Double?)
        case over
      }
      let isDry = written > 0 && sink.playedSamples >= written
      let step = state.withLock { state -> Step in
        guard state.generation == generation, let first = state.line.first else { return .over }
        if first.queued <= 0 { return first.isEnded ? .over : .wait(state.changed, until: nil) }
        if dry == nil && isDry {
          dry = now
          state.hold.noteUnderrun()
        }
        if let since = dry {
          let time = state.hold.resumption(of: first, since: since)
          if time > now { return .wait(state.changed, until: time) }
        }
        return state.line.take().map { .take($0) } ?? .over
      }
      if dry != nil { ranDry = true }
      switch step {
      case .take(let samples): return samples
      case .over: return nil
      case .wait(let changed, let time): await clock.sleep(until: time, orOneOf: [changed])
      }
    }
  }
}
