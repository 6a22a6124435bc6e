import Testing
import VoiceAudio
import VoiceIO
import YoobTesting

@testable import Yoob

@Suite("The machine's own microphone and loudspeaker")
struct OwnDeviceTests {
  private let clock = ManualClock()
  private let backends = Guarded<[String: FakeBackend]>([:])
  private let frames = Guarded(0)

  private func device() -> OwnDevice {
    let (clock, backends) = (clock, backends)
    return OwnDevice { id in
      let backend = FakeBackend()
      if id == "broken" { backend.state.withLock { $0.fault = .busy("Broken") } }
      backends.withLock { $0[id ?? "default"] = backend }
      return DuplexDevice(backend: backend, clock: clock)
    } list: {
      ["usb", "broken"].map { AudioDevice(id: $0, name: $0, kind: .microphone, isDefault: false) }
    }
  }

  private func backend(_ id: String) throws -> FakeBackend { try #require(backends.withLock { $0[id] }) }

  @Test("another microphone takes over while it is open, and the old one is closed first")
  func selects() async throws {
    let device = device()
    let frames = frames
    try device.start { _ in frames.withLock { $0 += 1 } }
    let first = try backend("default")
    try device.select("usb")
    #expect(first.client == nil)
    let second = try backend("usb")
    #expect(second.state.withLock { $0.openings } == 1)
    second.capture(0.1)
    #expect(await eventually { frames.withLock { $0 } == 1 })
    device.stop()
    second.capture(0.1)
    #expect(frames.withLock { $0 } == 1)
  }

  @Test("one that is busy, or unknown, leaves the one before")
  func keeps() async throws {
    let device = device()
    let frames = frames
    try device.start { _ in frames.withLock { $0 += 1 } }
    try device.select("usb")
    #expect(throws: AudioDeviceError.self) { try device.select("nobody") }
    #expect(throws: AudioDeviceError.busy("Broken")) { try device.select("broken") }
    try backend("usb").capture(0.1)
    #expect(await eventually { frames.withLock { $0 } == 1 })
  }

  @Test("one that was unplugged can be chosen again")
  func replugged() async throws {
    let device = device()
    try device.start { _ in }
    try device.select("usb")
    let told = Guarded<[DeviceChange]>([])
    device.observe { change in told.withLock { $0.append(change) } }
    let first = try backend("usb")
    // The default one takes its place, under another name.
    first.client?.lost(.lost("usb"))
    #expect(
      await eventually {
        clock.advance(by: 1)
        return told.withLock { $0.contains { if case .returned = $0 { true } else { false } } }
      })
    try device.select("usb")
    #expect(try backend("usb") !== first)
    #expect(try backend("usb").state.withLock { $0.openings } == 1)
  }

  @Test("an avatar without a loudspeaker says so, is not left speaking, and forgets it once there is one")
  @MainActor func silentMachine() async throws {
    let backend = FakeBackend()
    backend.state.withLock { $0.fault = .noServer("refused") }
    let device = OwnDevice(make: { [clock] _ in DuplexDevice(backend: backend, clock: clock) })
    var devices = AvatarDevices(sink: device, clock: clock)
    devices.outputFault = { device.outputFault }
    let avatar = YoobAvatar(.local(AvatarBench.quickFolder), devices: devices)
    try await avatar.prepare()
    try avatar.speak(pcm: AvatarBench.speech(10))
    avatar.endSpeech()
    #expect(await eventually { avatar.phase == .ready })
    #expect(avatar.lastRendererError?.contains("No sound server answers") == true)
    backend.state.withLock { $0.fault = nil }
    try avatar.speak(pcm: AvatarBench.speech(0.1))
    #expect(await eventually { avatar.lastRendererError == nil })
    await avatar.close()
  }

  @Test("without echo cancellation it does not pretend to hear the user alone")
  func noEchoCancellation() throws {
    let device = OwnDevice(
      make: { [clock] _ in DuplexDevice(backend: FakeBackend(), clock: clock) }, echoFault: { "no memory" })
    #expect(throws: AudioDeviceError.self) { try device.start { _ in } }
  }

  @Test("a closed one is chosen without being opened")
  func closed() throws {
    let device = device()
    try device.select("usb")
    #expect(try backend("usb").state.withLock { $0.openings } == 0)
    try device.start { _ in }
    #expect(try backend("usb").state.withLock { $0.openings } == 1)
    device.stop()
  }
}
