import VoiceAudio
import VoiceIO
import VoiceProcessing

/// The machine's microphone and loudspeaker as one, so that the avatar's voice is taken out of what is heard.
/// Another microphone can be chosen at any time; an utterance that sounds then ends.
final class OwnDevice: SelectableMicrophone, PausableSpeechSink {
  private struct State {
    var device: DuplexDevice
    var deliver: (@Sendable (AudioFrame) -> Void)?
    var observer: (@Sendable (DeviceChange) -> Void)?
  }
  private let state = Guarded(State(device: OwnDevice.make(nil)))

  private static func make(_ id: String?) -> DuplexDevice {
    DuplexDevice(DuplexDevice.Options(microphone: id), processor: try? VoiceProcessor())
  }

  deinit { device.close() }

  private var device: DuplexDevice { state.withLock { $0.device } }

  // MARK: Microphone

  func start(_ deliver: @escaping @Sendable (AudioFrame) -> Void) throws {
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
    let device = state.withLock { state in
      state.observer = report
      return state.device
    }
    device.observe(report)
  }

  func inputs() throws -> [AudioDevice] { try AudioDevice.list().filter { $0.kind == .microphone } }

  func select(_ id: String?) throws {
    if let id, try !inputs().contains(where: { $0.id == id }) {
      throw AudioDeviceError.unknown(id, .microphone, available: try inputs().map(\.id))
    }
    let new = Self.make(id)
    let (old, deliver, observer) = state.withLock { state in
      let old = state.device
      state.device = new
      return (old, state.deliver, state.observer)
    }
    // Two conversations cannot hold a microphone, so the old one goes first.
    old.observe(nil)
    old.close()
    new.observe(observer)
    if let deliver { try new.start(deliver) }
  }

  // MARK: Loudspeaker

  func begin(sampleRate: Int) async { await device.begin(sampleRate: sampleRate) }
  func write(_ chunk: SpeechChunk) async { await device.write(chunk) }
  func finish() async { await device.finish() }
  @discardableResult func interrupt() -> Int { device.interrupt() }
  var playedSamples: Int { device.playedSamples }
  var canPause: Bool { device.canPause }
  @discardableResult func pause() -> Int { device.pause() }
  func resume() { device.resume() }
}
