import Dispatch
import Testing
import VoiceAudio
import YoobTesting

@testable import VoiceIO

@Suite("Duplex device")
struct DuplexDeviceTests {
  private let backend = FakeBackend()
  private let clock = ManualClock()

  private func device(_ processor: (any NearEndProcessing & Sendable)? = nil) -> DuplexDevice {
    DuplexDevice(backend: backend, processor: processor, clock: clock)
  }

  /// Gathers what a device tells.
  private func gather(_ device: DuplexDevice) -> Guarded<[DuplexDevice.Event]> {
    let seen = Guarded<[DuplexDevice.Event]>([])
    let events = device.events
    Task { for await event in events { seen.withLock { $0.append(event) } } }
    return seen
  }

  @Test("frames of 10 ms arrive in order, with positions on the capture clock")
  func capture() async throws {
    let device = device()
    let frames = Guarded<[AudioFrame]>([])
    try device.start { frame in frames.withLock { $0.append(frame) } }
    for value in 1...5 { backend.client?.capture([Float](repeating: Float(value), count: 100), 0) }
    #expect(await eventually { frames.withLock { $0.count } == 3 })
    let got = frames.withLock { $0 }
    #expect(got.map(\.position) == [0, 160, 320])
    #expect(got.allSatisfy { $0.sampleRate == 16_000 && $0.samples.count == 160 })
    #expect(got[0].samples[99] == 1 && got[0].samples[100] == 2)
    device.close()
  }

  @Test("a listener that is slow gets the newest second, and the rest is counted")
  func overflow() async throws {
    let device = device()
    let gate = DispatchSemaphore(value: 0)
    let entered = Guarded(false)
    let positions = Guarded<[Int]>([])
    try device.start { frame in
      positions.withLock { $0.append(frame.position) }
      let isFirst = entered.withLock { value in
        defer { value = true }
        return !value
      }
      if isFirst { gate.wait() }
    }
    backend.capture()
    #expect(await eventually { entered.withLock { $0 } })
    for _ in 0..<130 { backend.capture() }
    #expect(device.droppedSamples == 30 * 160)
    gate.signal()
    #expect(await eventually { positions.withLock { $0.count } == 101 })
    #expect(positions.withLock { $0 } == [0] + (31...130).map { $0 * 160 })
    device.close()
  }

  @Test("nothing is delivered after stop, which may come from inside a delivery")
  func stop() async throws {
    let device = device()
    let count = Guarded(0)
    try device.start { [weak device] _ in
      count.withLock { $0 += 1 }
      device?.stop()
    }
    for _ in 0..<10 { backend.capture() }
    #expect(await eventually { count.withLock { $0 } == 1 })
    device.stop()
    backend.capture()
    #expect(count.withLock { $0 } == 1)
    device.close()
  }

  @Test("the processor gets the microphone's frame and what was played at that time")
  func reference() async throws {
    struct Recorder: NearEndProcessing {
      let sampleRate = 16_000
      let seen: Guarded<[[Float]]>
      mutating func process(near: inout [Float], far: [Float]) {
        seen.withLock { $0.append(far) }
        near = near.map { $0 + 1 }
      }
    }
    let seen = Guarded<[[Float]]>([])
    let device = device(Recorder(seen: seen))
    let frames = Guarded<[AudioFrame]>([])
    try device.start { frame in frames.withLock { $0.append(frame) } }
    await device.begin(sampleRate: 48_000)
    let tone = SpeechChunk(samples: [Float](repeating: 0.5, count: 24_000), sampleRate: 48_000)
    await device.write(tone)
    backend.state.withLock { $0.latency = 0.2 }
    _ = backend.client?.render(24_000)  // 0.5 s, of which 0.3 s were heard
    backend.capture()
    #expect(await eventually { seen.withLock { $0.count } == 1 && frames.withLock { $0.count } == 1 })
    #expect(seen.withLock { $0[0].allSatisfy { abs($0 - 0.5) < 0.01 } })
    #expect(frames.withLock { $0[0].samples[0] } == 1)
    device.close()
  }

  @Test("finish returns when the last sample was heard, latency included")
  func finish() async throws {
    let device = device()
    try device.open()
    await device.begin(sampleRate: 48_000)
    await device.write(SpeechChunk(samples: [Float](repeating: 0.5, count: 4_800), sampleRate: 48_000))
    let isDone = Guarded(false)
    Task {
      await device.finish()
      isDone.withLock { $0 = true }
    }
    backend.state.withLock { $0.latency = 0.1 }
    _ = backend.client?.render(4_800)
    #expect(device.playedSamples == 0)
    _ = backend.client?.render(2_400)
    #expect(device.playedSamples == 2_400)
    #expect(!isDone.withLock { $0 })
    _ = backend.client?.render(2_400)
    #expect(
      await eventually {
        clock.advance(by: 0.5)
        backend.capture()
        _ = backend.client?.render(0)
        return isDone.withLock { $0 }
      })
    #expect(device.playedSamples == 4_800)
    device.close()
  }

  @Test("interrupt drops what is queued in the device and tells what was heard")
  func interrupt() async throws {
    let device = device()
    try device.open()
    await device.begin(sampleRate: 24_000)
    await device.write(SpeechChunk(samples: [Float](repeating: 0.5, count: 24_000), sampleRate: 24_000))
    backend.state.withLock { $0.latency = 0.05 }
    _ = backend.client?.render(9_600)
    #expect(device.interrupt() == 3_600)
    #expect(backend.state.withLock { $0.flushes } == 1)
    #expect(backend.client?.render(480).allSatisfy { $0 == 0 } == true)
    #expect(device.interrupt() == 3_600)
    #expect(backend.state.withLock { $0.flushes } == 1)
    device.close()
  }

  @Test("a microphone that stops giving samples is opened again, and speech goes on where it was heard")
  func stalled() async throws {
    let device = device()
    let seen = gather(device)
    try device.open()
    await device.begin(sampleRate: 48_000)
    await device.write(
      SpeechChunk(samples: (0..<9_600).map { Float($0) / 9_600 }, sampleRate: 48_000))
    backend.state.withLock { $0.latency = 0.05 }
    _ = backend.client?.render(4_800)
    #expect(device.playedSamples == 2_400)
    for _ in 0..<3 {
      clock.advance(by: 1)
      backend.capture()
      _ = backend.client?.render(0)
    }
    #expect(backend.state.withLock { $0.openings } == 1)
    for _ in 0..<3 {
      clock.advance(by: 1)
      _ = backend.client?.render(0)
    }
    #expect(await eventually { backend.state.withLock { $0.openings } == 2 })
    let expected: [DuplexDevice.Event] = [
      .opened(microphone: "Mic 1", loudspeaker: "Speaker"), .lost(.stalled("Mic 1")),
      .opened(microphone: "Mic 2", loudspeaker: "Speaker"),
    ]
    #expect(await eventually { seen.withLock { $0 } == expected })
    #expect(backend.client?.render(1).first == 0.25)
    device.close()
  }

  @Test("a loudspeaker that stops taking samples is opened again")
  func stalledLoudspeaker() async throws {
    let device = device()
    let seen = gather(device)
    try device.open()
    for _ in 0..<3 {
      clock.advance(by: 1)
      backend.capture()
    }
    #expect(await eventually { seen.withLock { $0.contains(.lost(.stalled("Speaker"))) } })
    #expect(await eventually { backend.state.withLock { $0.openings } == 2 })
    device.close()
  }

  @Test("a device that vanishes is waited for, told of once a try, and speech is given up")
  func vanished() async throws {
    let device = device()
    let seen = gather(device)
    try device.open()
    await device.begin(sampleRate: 48_000)
    await device.write(SpeechChunk(samples: [Float](repeating: 0.5, count: 9_600), sampleRate: 48_000))
    let isDone = Guarded(false)
    Task {
      await device.finish()
      isDone.withLock { $0 = true }
    }
    backend.state.withLock { $0.fault = AudioDeviceError.none(.microphone) }
    backend.client?.lost(.lost("Mic 1"))
    #expect(
      await eventually {
        clock.advance(by: 1)
        return isDone.withLock { $0 }
      })
    #expect(device.playedSamples == 0)
    #expect(device.names == nil)
    backend.state.withLock { $0.fault = nil }
    #expect(
      await eventually {
        clock.advance(by: 1)
        return device.names?.microphone == "Mic 2"
      })
    #expect(
      await eventually { seen.withLock { $0.last } == .opened(microphone: "Mic 2", loudspeaker: "Speaker") })
    let told = seen.withLock { $0 }
    #expect(told.dropFirst().first == .lost(.lost("Mic 1")))
    #expect(told.contains(.waiting(AudioDeviceError.none(.microphone))))
    // The first opening takes what was asked for or nothing; later ones take what there is.
    #expect(backend.state.withLock { $0.fallsBack.first } == false)
    #expect(backend.state.withLock { $0.fallsBack.dropFirst().allSatisfy { $0 } })
    device.close()
  }

  @Test("a system that asks before the user is heard opens the streams again once that is allowed")
  func permission() async throws {
    let device = device()
    await device.begin(sampleRate: 48_000)
    backend.state.withLock { $0.capturePermission = .refused }
    #expect(throws: AudioDeviceError.notPermitted) { try device.start { _ in } }
    // What sounds is left alone.
    #expect(backend.state.withLock { ($0.openings, $0.closings) } == (1, 0))
    backend.state.withLock { $0.capturePermission = .reopens }
    let heard = Guarded(0)
    try device.start { _ in heard.withLock { $0 += 1 } }
    #expect(backend.state.withLock { ($0.openings, $0.closings) } == (2, 1))
    backend.capture()
    #expect(await eventually { heard.withLock { $0 } == 1 })
    try device.start { _ in }
    #expect(backend.state.withLock { $0.openings } == 2)
    device.close()
  }

  @Test("streams that cannot be opened again for the user's voice are waited for")
  func permissionWithoutDevices() async throws {
    let device = device()
    try device.open()
    backend.state.withLock {
      $0.capturePermission = .reopens
      $0.fault = AudioDeviceError.none(.microphone)
    }
    #expect(throws: AudioDeviceError.none(.microphone)) { try device.start { _ in } }
    backend.state.withLock { $0.fault = nil }
    #expect(
      await eventually {
        clock.advance(by: 1)
        return device.names?.microphone == "Mic 2"
      })
    device.close()
  }

  @Test("a closed device stays closed, and closing twice is closing once")
  func close() async throws {
    let device = device()
    try device.open()
    device.close()
    device.close()
    #expect(backend.state.withLock { $0.closings } == 1)
    #expect(throws: AudioDeviceError.closed) { try device.open() }
    await device.begin(sampleRate: 16_000)
    await device.write(SpeechChunk(samples: [1, 1], sampleRate: 16_000))
    await device.finish()
    #expect(device.playedSamples == 0)
    for await _ in device.events {}
  }
}
