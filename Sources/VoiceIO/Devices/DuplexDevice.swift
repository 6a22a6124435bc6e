import Dispatch
import VoiceAudio

/// A microphone and a loudspeaker that work together: what the loudspeaker plays is taken out of what
/// the microphone hears.
///
/// ```swift
/// let device = DuplexDevice(processor: VoiceProcessor())
/// try device.open()
/// let session = RunAnywhere.voice.createSession(
///   engines: engines, devices: VoiceDevices(microphone: device, sink: device))
/// ```
///
/// One conversation at a time holds a microphone. When a device vanishes or stalls, `events` says so;
/// the default devices take its place, or it waits until there is one. Positions of speech are those
/// of the device's own clock, less the time that sound takes to the ear.
public final class DuplexDevice: ObservableMicrophone, PausableSpeechSink {
  /// Which devices; nil takes the default. Ids, names, or a part of a name that no other has.
  public struct Options: Sendable, Equatable {
    /// The microphone: an id, a name or a part of one; nil is the default.
    public var microphone: String?
    /// The loudspeaker: an id, a name or a part of one; nil is the default.
    public var loudspeaker: String?
    /// Address of the sound server; nil is the machine's own.
    public var server: String?

    /// These devices of this sound server.
    public init(microphone: String? = nil, loudspeaker: String? = nil, server: String? = nil) {
      self.microphone = microphone
      self.loudspeaker = loudspeaker
      self.server = server
    }
  }

  /// What happens to the devices.
  public enum Event: Sendable, Equatable {
    /// Both run, under these names; once more when the system moves the sound to another device.
    case opened(microphone: String, loudspeaker: String)
    /// They stopped, and are being opened again, others where they are gone.
    case lost(AudioDeviceError)
    /// Opening again failed for this reason; the next try follows.
    case waiting(AudioDeviceError)
  }

  /// Samples per second of the loudspeaker.
  static let outputRate = 48_000
  /// Seconds without a captured or a rendered sample after which the devices are opened again.
  static let patience = 2.0
  /// Seconds between tries to open them again.
  static let retryInterval = 1.0
  /// Seconds without devices after which an open utterance is given up. A voice session gives up
  /// sooner and keeps in its history what was heard.
  static let giveUp = 5.0

  /// Devices that vanish, stall and return; one stream, which keeps the newest 64.
  public let events: AsyncStream<Event>

  struct State {
    enum Phase: Equatable {
      case idle, running
      case lost(since: Double)
      case closed
    }
    var phase = Phase.idle
    /// Counts openings; what an earlier one still reports is not heeded.
    var generation = 0
    var lastCapture = 0.0
    var lastRender = 0.0
    var names: OpenedDevices?

    var observer: (@Sendable (DeviceChange) -> Void)?
    var deliver: (@Sendable (AudioFrame) -> Void)?
    var isDelivering = false
    var pending: [Float] = []
    var position = 0
    var ring = CaptureRing()
    var far: FarReference
    var inputPeak: Float = 0

    var output = OutputTimeline(outputRate: DuplexDevice.outputRate)
    var ended = OneShot()
    var outputPeak: Float = 0
  }

  let state: Guarded<State>
  let backend: any DuplexBackend
  let clock: any PacingClock
  private let captureRate: Int
  private let frameLength: Int
  private let processor: Guarded<(any NearEndProcessing & Sendable)?>
  private let sendEvent: AsyncStream<Event>.Continuation
  private let control = DispatchQueue(label: "yoob.device.control")
  private let delivery = DispatchQueue(label: "yoob.device.delivery", qos: .userInteractive)
  private static let deliveryKey = DispatchSpecificKey<ObjectIdentifier>()

  /// Devices that are not open yet; `processor` cleans what the microphone hears.
  public convenience init(
    _ options: Options = Options(), processor: (any NearEndProcessing & Sendable)? = nil
  ) {
    #if canImport(CPulse)
      let backend = PulseBackend(options)
    #elseif canImport(AVFAudio)
      let backend = EngineBackend(options)
    #else
      let backend = MissingBackend()
    #endif
    self.init(backend: backend, processor: processor, clock: MonotonicClock())
  }

  package init(
    backend: any DuplexBackend, processor: (any NearEndProcessing & Sendable)? = nil,
    clock: any PacingClock
  ) {
    self.backend = backend
    self.clock = clock
    captureRate = processor?.sampleRate ?? 16_000
    frameLength = captureRate / 100
    self.processor = Guarded(processor)
    state = Guarded(
      State(far: FarReference(outputRate: Self.outputRate, rate: captureRate)))
    (events, sendEvent) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    delivery.setSpecific(key: Self.deliveryKey, value: ObjectIdentifier(self))
  }

  deinit {
    sendEvent.finish()
    backend.close()
  }

  /// Opens both devices; without effect when they are open.
  ///
  /// Throws `AudioDeviceError`.
  public func open() throws { try control.sync { try openNow(mayFallBack: false) } }

  /// Closes both devices for good and ends what they play. Idempotent.
  public func close() {
    stop()
    interrupt()
    control.sync {
      let isFirst = state.withLock { state in
        defer { state.phase = .closed }
        return state.phase != .closed
      }
      guard isFirst else { return }
      backend.close()
      sendEvent.finish()
    }
  }

  /// Names of the open devices; nil while there are none.
  public var names: (microphone: String, loudspeaker: String)? {
    state.withLock { state in
      guard state.phase == .running, let names = state.names else { return nil }
      return (names.microphone, names.loudspeaker)
    }
  }

  /// Captured samples that were lost because nobody took them within a second.
  public var droppedSamples: Int { state.withLock { $0.ring.dropped } }

  /// Largest magnitudes since the last call, 0...1: what was heard, cleaned, and what was played.
  public func takePeaks() -> (input: Float, output: Float) {
    state.withLock { state in
      defer { (state.inputPeak, state.outputPeak) = (0, 0) }
      return (state.inputPeak, state.outputPeak)
    }
  }

  // MARK: Microphone

  public func start(_ deliver: @escaping @Sendable (AudioFrame) -> Void) throws {
    let isToReopen = try backend.allowCapture()
    try control.sync { if isToReopen { try reopen() } else { try openNow(mayFallBack: false) } }
    state.withLock { state in
      guard state.deliver == nil else { return }
      state.deliver = deliver
      state.position = 0
      state.pending = []
      _ = state.ring.takeAll()
    }
  }

  public func stop() {
    state.withLock { $0.deliver = nil }
    // A call at work ends first, except when it is the one that stops.
    if DispatchQueue.getSpecific(key: Self.deliveryKey) != ObjectIdentifier(self) {
      delivery.sync {}
    }
  }

  public func observe(_ report: (@Sendable (DeviceChange) -> Void)?) {
    state.withLock { $0.observer = report }
  }

  private func tell(_ event: Event, _ change: DeviceChange?) {
    sendEvent.yield(event)
    guard let change else { return }
    let observer = state.withLock { $0.observer }
    observer?(change)
  }

  private func capture(_ samples: [Float], age: Double, generation: Int) {
    let now = clock.now
    let mustWake = backend.withOutputLatency { latency in
      state.withLock { state in
        guard state.generation == generation, state.phase == .running else { return false }
        state.lastCapture = now
        guard state.deliver != nil else { return false }
        let waiting = Double(state.pending.count) / Double(captureRate)
        state.pending += samples
        var index = 0
        while state.pending.count - index >= frameLength {
          let near = Array(state.pending[index..<index + frameLength])
          let passed = age + waiting - Double(index) / Double(captureRate)
          let heard = latency.map {
            Double(state.output.rendered) - ($0 + passed) * Double(Self.outputRate)
          }
          let far = state.far.take(frameLength, heard: heard)
          state.ring.append(.init(near: near, far: far, position: state.position))
          state.position += frameLength
          index += frameLength
        }
        state.pending.removeFirst(index)
        guard index > 0, !state.isDelivering else { return false }
        state.isDelivering = true
        return true
      }
    }
    if mustWake { delivery.async { [weak self] in self?.deliverFrames() } }
  }

  private func deliverFrames() {
    while true {
      let next: ((@Sendable (AudioFrame) -> Void), [CaptureRing.Frame])? = state.withLock { state in
        let frames = state.ring.takeAll()
        guard let deliver = state.deliver, !frames.isEmpty else {
          state.isDelivering = false
          return nil
        }
        return (deliver, frames)
      }
      guard let (deliver, frames) = next else { return }
      for frame in frames {
        var near = frame.near
        processor.withLock { $0?.process(near: &near, far: frame.far) }
        let peak = Level(near).peak
        let isWanted = state.withLock { state in
          state.inputPeak = max(state.inputPeak, peak)
          return state.deliver != nil
        }
        guard isWanted else { break }
        deliver(AudioFrame(samples: near, sampleRate: captureRate, position: frame.position))
      }
    }
  }

  // MARK: Opening, losing, opening again

  private func openNow(mayFallBack: Bool) throws {
    let generation: Int? = try state.withLock { state in
      switch state.phase {
      case .closed: throw AudioDeviceError.closed
      case .running: return nil
      case .lost where !mayFallBack: return nil
      case .idle, .lost: break
      }
      state.generation += 1
      return state.generation
    }
    guard let generation else { return }
    // Captured and rendered sound counts from the moment that the streams run.
    let before = state.withLock { state in
      state.output.restart()
      state.far = FarReference(outputRate: Self.outputRate, rate: captureRate)
      state.lastCapture = clock.now
      state.lastRender = clock.now
      defer { state.phase = .running }
      return state.phase
    }
    do {
      let names = try backend.open(
        client(generation), captureRate: captureRate, mayFallBack: mayFallBack)
      state.withLock { $0.names = names }
      tellOpened(names, again: mayFallBack)
      watch(generation)
    } catch {
      state.withLock { $0.phase = before }
      throw error
    }
  }

  /// Opens the streams once more, as when they were lost; what sounds goes on.
  private func reopen() throws {
    let wasRunning = state.withLock { state in
      guard state.phase == .running else { return false }
      state.phase = .lost(since: clock.now)
      return true
    }
    if wasRunning { backend.close() }
    do { try openNow(mayFallBack: wasRunning) } catch {
      if wasRunning { control.async { [weak self] in self?.openAgain() } }
      throw error
    }
  }

  private func client(_ generation: Int) -> DuplexClient {
    DuplexClient(
      capture: { [weak self] samples, age in
        self?.capture(samples, age: age, generation: generation)
      },
      render: { [weak self] count in
        self?.render(count, generation: generation) ?? [Float](repeating: 0, count: count)
      },
      moved: { [weak self] names in self?.move(to: names, generation: generation) },
      lost: { [weak self] error in self?.lose(error, generation: generation) })
  }

  /// Looks now and then whether the microphone still gives samples and the loudspeaker takes them.
  private func watch(_ generation: Int) {
    clock.schedule(at: clock.now + Self.patience / 4) { [weak self] in
      guard let self else { return }
      let now = clock.now
      let (isCurrent, stalled): (Bool, String?) = state.withLock { state in
        guard state.generation == generation, state.phase == .running else { return (false, nil) }
        if now - state.lastCapture > Self.patience { return (true, state.names?.microphone ?? "") }
        if now - state.lastRender > Self.patience { return (true, state.names?.loudspeaker ?? "") }
        return (true, nil)
      }
      guard isCurrent else { return }
      if let stalled {
        lose(.stalled(stalled), generation: generation)
      } else {
        watch(generation)
      }
    }
  }

  private func move(to names: OpenedDevices, generation: Int) {
    let isNews = state.withLock { state in
      guard state.generation == generation, state.phase == .running, state.names != names else {
        return false
      }
      state.names = names
      return true
    }
    if isNews { tellOpened(names, again: true) }
  }

  private func tellOpened(_ names: OpenedDevices, again: Bool) {
    let (microphone, loudspeaker) = (names.microphone, names.loudspeaker)
    tell(
      .opened(microphone: microphone, loudspeaker: loudspeaker),
      again ? .returned(microphone: microphone, loudspeaker: loudspeaker) : nil)
  }

  private func lose(_ error: AudioDeviceError, generation: Int) {
    let isNews = state.withLock { state in
      guard state.generation == generation, state.phase == .running else { return false }
      state.phase = .lost(since: clock.now)
      state.names = nil  // until others are open
      return true
    }
    guard isNews else { return }
    tell(.lost(error), .lost(reason: "\(error)"))
    control.async { [weak self] in self?.openAgain() }
  }

  private func openAgain() {
    guard case .lost(let since) = state.withLock({ $0.phase }) else { return }
    backend.close()
    do {
      try openNow(mayFallBack: true)
    } catch {
      sendEvent.yield(.waiting((error as? AudioDeviceError) ?? .failed("\(error)")))
      // Speech that nobody can hear is not waited for.
      if clock.now - since >= Self.giveUp { endUtterance() }
      clock.schedule(at: clock.now + Self.retryInterval) { [weak self] in
        guard let self else { return }
        control.async { [weak self] in self?.openAgain() }
      }
    }
  }
}

#if !canImport(CPulse) && !canImport(AVFAudio)
  /// The sound system of a build without one.
  private struct MissingBackend: DuplexBackend {
    func open(_ client: DuplexClient, captureRate: Int, mayFallBack: Bool) throws -> OpenedDevices {
      throw AudioDeviceError.notSupported
    }
    func close() {}
    func flush() {}
    func withOutputLatency<Result>(_ body: (Double?) -> Result) -> Result { body(nil) }
  }
#endif
