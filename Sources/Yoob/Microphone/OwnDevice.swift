import VoiceAudio
import VoiceIO
import VoiceProcessing

/// The machine's microphone and loudspeaker as one, so that the avatar's voice is taken out of what is heard.
/// Another microphone can be chosen at any time; an utterance that sounds then ends.
final class OwnDevice: SelectableMicrophone, PausableSpeechSink {
  private struct State {
    var device: DuplexDevice
    var id: String?
    /// What people call the one that was chosen.
    var name: String?
    var outputFault: String?
    var deliver: (@Sendable (AudioFrame) -> Void)?
    var observer: (@Sendable (DeviceChange) -> Void)?
  }
  private let state: Guarded<State>
  private let make: @Sendable (String?) -> DuplexDevice
  private let list: @Sendable () throws -> [AudioDevice]
  /// Why the avatar's voice cannot be taken out of what is heard; nil when it can, or the system does it.
  private let echoFault: @Sendable () -> String?

  /// Devices of this machine that are opened when they are first used.
  convenience init() {
    let fault = Guarded<String?>(nil)
    self.init(
      make: { id in
        var processor: VoiceProcessor?
        if VoiceProcessor.isAvailable {
          do { processor = try VoiceProcessor() } catch { fault.withLock { $0 = "\(error)" } }
        }
        return DuplexDevice(DuplexDevice.Options(microphone: id), processor: processor)
      }, echoFault: { fault.withLock { $0 } })
  }

  /// `make` gives the one with the microphone of an id.
  init(
    make: @escaping @Sendable (String?) -> DuplexDevice,
    echoFault: @escaping @Sendable () -> String? = { nil },
    list: @escaping @Sendable () throws -> [AudioDevice] = { try AudioDevice.list() }
  ) {
    self.make = make
    self.list = list
    self.echoFault = echoFault
    state = Guarded(State(device: make(nil)))
  }

  deinit { device.close() }

  private var device: DuplexDevice { state.withLock { $0.device } }

  // MARK: Microphone

  func askPermission() async -> Bool { await MicrophonePermission.ask() }

  func start(_ deliver: @escaping @Sendable (AudioFrame) -> Void) throws {
    if let fault = echoFault() {
      throw AudioDeviceError.failed("echo cancellation does not start (\(fault)), so it would hear itself")
    }
    try device.start(deliver)
    state.withLock { $0.deliver = $0.deliver ?? deliver }
  }

  func stop() {
    let device = state.withLock { state in
      state.deliver = nil
      return state.device
    }
    device.stop()
  }

  func observe(_ report: (@Sendable (DeviceChange) -> Void)?) {
    var observer: (@Sendable (DeviceChange) -> Void)?
    if let report {
      observer = { [weak self] change in
        self?.note(change)
        report(change)
      }
    }
    let told = observer
    let device = state.withLock { state in
      state.observer = told
      return state.device
    }
    device.observe(told)
  }

  /// Where the chosen one is gone another took its place, and it can be chosen again.
  private func note(_ change: DeviceChange) {
    guard case .returned(let microphone, _) = change else { return }
    state.withLock { state in
      if let name = state.name, name != microphone { (state.id, state.name) = (nil, nil) }
    }
  }

  func inputs() throws -> [AudioDevice] { try list().filter { $0.kind == .microphone } }

  func select(_ id: String?) throws {
    let before = state.withLock { $0.id }
    guard id != before else { return }
    let inputs = id == nil ? [] : try inputs()
    if let id, !inputs.contains(where: { $0.id == id }) {
      throw AudioDeviceError.unknown(id, .microphone, available: inputs.map(\.name))
    }
    do {
      try change(to: id)
      let name = inputs.first { $0.id == id }?.name
      state.withLock { $0.name = name }
    } catch {
      try? change(to: before)
      throw error
    }
  }

  private func change(to id: String?) throws {
    let new = make(id)
    let (old, deliver, observer) = state.withLock { state in
      let old = state.device
      (state.device, state.id) = (new, id)
      return (old, state.deliver, state.observer)
    }
    // One conversation at a time holds a microphone, so the old one goes first.
    old.observe(nil)
    old.close()
    new.observe(observer)
    if let deliver { try new.start(deliver) }
  }

  // MARK: Loudspeaker

  func begin(sampleRate: Int) async {
    let device = device
    var fault: String?
    do { try device.open() } catch { fault = "\(error)" }
    let told = fault
    state.withLock { $0.outputFault = told }
    await device.begin(sampleRate: sampleRate)
  }

  /// Why the last utterance could not be heard; nil where it could.
  var outputFault: String? { state.withLock { $0.outputFault } }

  func write(_ chunk: SpeechChunk) async { await device.write(chunk) }
  func finish() async { await device.finish() }
  @discardableResult func interrupt() -> Int { device.interrupt() }
  var playedSamples: Int { device.playedSamples }
  var canPause: Bool { device.canPause }
  @discardableResult func pause() -> Int { device.pause() }
  func resume() { device.resume() }
}
