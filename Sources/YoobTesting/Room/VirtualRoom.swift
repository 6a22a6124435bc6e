import VoiceAudio
import VoiceIO

/// A microphone and a loudspeaker in one simulated room: the microphone hears the loudspeaker's echo,
/// a user whose recordings you schedule, and noise, all on one sample clock.
///
/// ```swift
/// var options = VirtualRoom.Options()
/// options.echo = RoomEcho(delay: 0.045, gain: 0.5)
/// let room = VirtualRoom(options, processor: try VoiceProcessor())
/// let session = RunAnywhere.voice.createSession(
///   engines: engines, devices: VoiceDevices(microphone: room, sink: room, clock: room.clock))
/// try session.start()
/// room.speak(recording, at: 4)  // seconds of the room
/// // … later: room.sounds is every sample that was heard, and when.
/// ```
///
/// With `MonotonicClock` it runs in real time; with `ManualClock` time stands still until the test
/// moves it. Times are seconds since the room was made. The echo canceller is given what the
/// loudspeaker gives at the same time. A stop or a hold takes back what was not heard yet.
public final class VirtualRoom: Microphone, PausableSpeechSink {
  /// Samples per second of the microphone.
  public static let sampleRate = 16_000
  /// Samples of a frame: 10 ms.
  static let frame = 160
  /// Seconds of speech that may wait to be heard before `write` suspends.
  private static let maxQueued = 2.0

  /// What the room is like.
  public struct Options: Sendable, Equatable {
    /// The way from the loudspeaker to the microphone.
    public var echo = RoomEcho.none
    /// Root mean square of the room's noise; 0.001 is -60 dB.
    public var noise: Float = 0.001
    /// What noise and reflections follow from.
    public var seed: UInt64 = 1
    /// Seconds from the taking of a sample by the loudspeaker to its sound.
    public var outputLatency = 0.02
    /// Whether `sounds` and `events` are kept; they grow with what is heard (about 6 MB a minute of
    /// speech).
    public var keepsLog = true
    /// A quiet room without an echo.
    public init() {}
  }

  /// Sound that the loudspeaker gave without a break.
  public struct Sound: Sendable, Equatable {
    /// Number of the utterance, from 1.
    public var utterance: Int
    /// Number of the first sample in the utterance.
    public var position: Int
    /// When the first sample was heard.
    public var start: Double
    /// The samples that were heard.
    public var clip: AudioClip

    /// When the last sample was heard.
    public var end: Double { start + clip.duration }
  }

  /// What was done with the loudspeaker, and when.
  public struct Event: Sendable, Equatable {
    /// What happens to an utterance.
    public enum Kind: Sendable, Equatable {
      /// Its first sample sounds; it is held and goes on; it is cut off; its last sample was heard.
      case began, held, resumed, interrupted, finished
    }
    /// Seconds of the room.
    public var time: Double
    /// Number of the utterance, from 1.
    public var utterance: Int
    /// What was done.
    public var kind: Kind
    /// Samples of the utterance that were heard by then.
    public var position: Int
  }

  /// Why the microphone of a room cannot be opened.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    /// The processor takes another rate than 16 kHz.
    case processorRate(Int)

    /// What is wrong, and what to do.
    public var description: String {
      switch self {
      case .processorRate(let rate):
        "The room's microphone has 16 kHz, the processor takes \(rate) Hz. Make one for 16 kHz."
      }
    }
  }

  private struct State {
    var loudspeaker: RoomLoudspeaker
    var ended = OneShot()
    /// Fires at the next `resume`.
    var resumed = OneShot()
    /// The loudspeaker's sound at 16 kHz from the room's sample `lineBase` on.
    var line: [Float] = []
    var lineBase = 0
    var sounds: [Sound] = []
    var events: [Event] = []
    var heardSeconds = 0.0

    var deliver: (@Sendable (AudioFrame) -> Void)?
    var timer: ClockTimer?
    /// Counts openings; a frame of an earlier one is not delivered.
    var opening = 0
    /// Frames since the room was made, and of the first that was delivered.
    var nextFrame = 0
    var firstFrame = 0
    var user: [(start: Int, samples: [Float])] = []
    var random: SplitMix64
  }

  /// The clock that the room lives by.
  public let clock: any PacingClock
  private let options: Options
  private let origin: Double
  private let taps: [(offset: Int, gain: Float)]
  private let processor: Guarded<(any NearEndProcessing & Sendable)?>
  private let state: Guarded<State>
  private let order = Guarded(())  // one delivery at a time

  /// An empty room; `processor` cleans what the microphone hears and must take 16 kHz.
  public init(
    _ options: Options = Options(), processor: (any NearEndProcessing & Sendable)? = nil,
    clock: any PacingClock = MonotonicClock()
  ) {
    self.options = options
    self.clock = clock
    self.processor = Guarded(processor)
    origin = clock.now
    taps = options.echo.taps(seed: options.seed)
    state = Guarded(
      State(
        loudspeaker: RoomLoudspeaker(latency: options.outputLatency),
        random: SplitMix64(seed: options.seed &+ 1)))
  }

  /// Seconds since the room was made.
  public var now: Double { clock.now - origin }

  // MARK: The user

  /// The user speaks from `time` on, from the next frame when that has passed. Returns when. Several
  /// recordings at once are heard together.
  @discardableResult
  public func speak(_ clip: AudioClip, at time: Double) -> Double {
    let samples = StreamingResampler.convert(clip, to: Self.sampleRate).samples
    return state.withLock { state in
      let earliest = max(
        state.nextFrame * Self.frame, state.deliver == nil ? frameNumber(now) * Self.frame : 0)
      let start = max(earliest, Int((time * Double(Self.sampleRate)).rounded()))
      state.user.append((start, samples))
      return Double(start) / Double(Self.sampleRate)
    }
  }

  // MARK: What was heard

  /// What the loudspeaker gave up to now, in order; empty without `keepsLog`.
  public var sounds: [Sound] {
    state.withLock { state in
      play(&state)
      return state.sounds
    }
  }

  /// What was done with the loudspeaker; empty without `keepsLog`.
  public var events: [Event] { state.withLock { $0.events } }

  /// Seconds of sound that the loudspeaker gave.
  public var heardSeconds: Double {
    state.withLock { state in
      play(&state)
      return state.heardSeconds
    }
  }

  /// Forgets the log up to now, so that a long conversation can be looked at in parts.
  public func clearLog() {
    state.withLock { state in
      play(&state)
      state.sounds = []
      state.events = []
    }
  }

  // MARK: Microphone

  /// Opens the microphone: 16 kHz in frames of 10 ms.
  public func start(_ deliver: @escaping @Sendable (AudioFrame) -> Void) throws {
    if let rate = processor.withLock({ $0?.sampleRate }), rate != Self.sampleRate {
      throw Failure.processorRate(rate)
    }
    let opening: Int? = state.withLock { state in
      guard state.deliver == nil else { return nil }
      state.deliver = deliver
      state.opening += 1
      state.nextFrame = max(state.nextFrame, frameNumber(now))
      state.firstFrame = state.nextFrame
      return state.opening
    }
    if let opening { scheduleNext(opening) }
  }

  /// Closes the microphone.
  public func stop() {
    let timer = state.withLock { state in
      state.deliver = nil
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }

  private func frameNumber(_ time: Double) -> Int { Int((time * 100 - 1e-6).rounded(.up)) }

  /// A frame is due when its last sample has sounded.
  private func scheduleNext(_ opening: Int) {
    let due: Double? = state.withLock { state in
      guard state.deliver != nil, state.opening == opening else { return nil }
      return origin + Double(state.nextFrame + 1) / 100
    }
    guard let due else { return }
    let timer = clock.schedule(at: due) { [weak self] in self?.deliverFrame(opening) }
    state.withLock { state in
      if state.deliver == nil { timer.cancel() } else { state.timer = timer }
    }
  }

  private func deliverFrame(_ opening: Int) {
    order.withLock { _ in
      let next = state.withLock { state -> (near: [Float], far: [Float], position: Int)? in
        guard state.deliver != nil, state.opening == opening else { return nil }
        play(&state)
        return capture(&state)
      }
      guard let (heard, far, position) = next else { return }
      var near = heard
      processor.withLock { $0?.process(near: &near, far: far) }
      guard let deliver = state.withLock({ $0.deliver }) else { return }
      deliver(AudioFrame(samples: near, sampleRate: Self.sampleRate, position: position))
    }
    scheduleNext(opening)
  }

  /// The next frame of the microphone, and what the loudspeaker gave during it.
  private func capture(_ state: inout State) -> (near: [Float], far: [Float], position: Int) {
    let start = state.nextFrame * Self.frame
    let position = (state.nextFrame - state.firstFrame) * Self.frame
    state.nextFrame += 1
    let (line, base) = (state.line, state.lineBase)
    func given(_ index: Int) -> Float {
      let place = index - base
      return place >= 0 && place < line.count ? line[place] : 0
    }
    let far = (start..<start + Self.frame).map(given)
    var near = far.map { _ in
      // Evenly spread over ±√3 of the noise's level, which has that root mean square.
      (Float(state.random.next() >> 40) / Float(1 << 23) - 1) * options.noise * 1.732_05
    }
    for tap in taps {
      for index in 0..<Self.frame { near[index] += tap.gain * given(start + index - tap.offset) }
    }
    for recording in state.user where recording.start < start + Self.frame {
      for index in max(start, recording.start)..<start + Self.frame {
        let place = index - recording.start
        if place < recording.samples.count { near[index - start] += recording.samples[place] }
      }
    }
    state.user.removeAll { $0.start + $0.samples.count <= start + Self.frame }
    return (near, far, position)
  }

  // MARK: Loudspeaker

  /// Opens an utterance; one that is open is interrupted.
  public func begin(sampleRate: Int) async {
    interrupt()
    state.withLock { state in
      state.loudspeaker.begin(sampleRate: sampleRate)
      state.ended = OneShot()
      state.resumed = OneShot()
      note(.began, &state)
    }
  }

  /// Queues a chunk; waits while two seconds are queued.
  public func write(_ chunk: SpeechChunk) async {
    await wait(untilQueued: Self.maxQueued)
    state.withLock { state in
      play(&state)
      state.loudspeaker.append(chunk.samples, now: now)
    }
    await wait(untilQueued: Self.maxQueued)
  }

  /// Returns when the last sample was heard, or after an interruption.
  public func finish() async {
    state.withLock { $0.loudspeaker.complete() }
    await wait(untilQueued: 0)
    guard !Task.isCancelled else { return }
    end(.finished)
  }

  @discardableResult public func interrupt() -> Int {
    end(.interrupted)
    return playedSamples
  }

  @discardableResult public func pause() -> Int {
    state.withLock { state in
      play(&state)
      if state.loudspeaker.isOpen, !state.loudspeaker.isHeld {
        state.loudspeaker.hold()
        note(.held, &state)
      }
      return state.loudspeaker.played
    }
  }

  /// Goes on with the sample after the last one that was heard.
  public func resume() {
    let resumed: OneShot? = state.withLock { state in
      guard state.loudspeaker.isHeld else { return nil }
      state.loudspeaker.resume(now: now)
      note(.resumed, &state)
      defer { state.resumed = OneShot() }
      return state.resumed
    }
    resumed?.fire()
  }

  /// Samples of the open utterance, or of the last one, that were heard.
  public var playedSamples: Int {
    state.withLock { state in
      play(&state)
      return state.loudspeaker.played
    }
  }

  private func end(_ kind: Event.Kind) {
    let ended: OneShot? = state.withLock { state in
      play(&state)
      guard state.loudspeaker.isOpen else { return nil }
      note(kind, &state)
      state.loudspeaker.end()
      return state.ended
    }
    ended?.fire()
  }

  private func note(_ kind: Event.Kind, _ state: inout State) {
    guard options.keepsLog else { return }
    state.events.append(
      Event(
        time: now, utterance: state.loudspeaker.number, kind: kind,
        position: state.loudspeaker.played))
  }

  /// Brings the loudspeaker up to now.
  private func play(_ state: inout State) {
    for piece in state.loudspeaker.play(until: now) {
      state.heardSeconds += Double(piece.samples.count) / Double(piece.sampleRate)
      put(piece, on: &state)
      guard options.keepsLog else { continue }
      if piece.continues, state.sounds.last?.utterance == piece.utterance {
        state.sounds[state.sounds.count - 1].clip.samples += piece.samples
      } else {
        state.sounds.append(
          Sound(
            utterance: piece.utterance, position: piece.position, start: piece.start,
            clip: AudioClip(samples: piece.samples, sampleRate: piece.sampleRate)))
      }
    }
  }

  private func put(_ piece: RoomLoudspeaker.Piece, on state: inout State) {
    let needed = piece.place16 + piece.samples16.count - state.lineBase
    if needed > state.line.count {
      state.line += [Float](repeating: 0, count: needed - state.line.count)
    }
    for (index, sample) in piece.samples16.enumerated() where piece.place16 + index >= state.lineBase {
      state.line[piece.place16 + index - state.lineBase] = sample
    }
    // A second more than the echo is long is kept; a closed microphone hears nothing of it later.
    let isOpen = state.deliver != nil
    let heard = isOpen ? state.nextFrame * Self.frame : state.lineBase + state.line.count
    let extra = heard - options.echo.length - Self.sampleRate - state.lineBase
    if extra > Self.sampleRate {
      let count = min(extra, state.line.count)
      state.line.removeFirst(count)
      state.lineBase += count
    }
  }

  private func wait(untilQueued seconds: Double) async {
    while !Task.isCancelled {
      let next: (time: Double, ended: OneShot, resumed: OneShot)? = state.withLock { state in
        play(&state)
        let excess = state.loudspeaker.queued - seconds
        guard state.loudspeaker.isOpen, excess > 1e-9 else { return nil }
        // While it is held nothing passes but time.
        let pause = state.loudspeaker.isHeld ? 0.5 : max(0.001, min(excess, 0.5))
        return (clock.now + pause, state.ended, state.resumed)
      }
      guard let next else { return }
      await clock.sleep(until: next.time, orOneOf: [next.ended, next.resumed])
    }
  }
}
