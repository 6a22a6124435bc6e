import Testing
import VoiceAudio
import VoiceIO

@Suite("Microphones")
struct MicrophoneTests {
  private func collect(_ microphone: some Microphone) throws -> Guarded<[AudioFrame]> {
    let frames = Guarded<[AudioFrame]>([])
    try microphone.start { frame in frames.withLock { $0.append(frame) } }
    return frames
  }

  @Test("a clip is played in real time, in frames of 32 ms, then silence until stop")
  func file() throws {
    let clock = ManualClock()
    let microphone = FileMicrophone(
      AudioClip(samples: [Float](repeating: 0.5, count: 500), sampleRate: 1000), clock: clock)
    let frames = try collect(microphone)
    clock.advance(by: 0.031)
    #expect(frames.withLock { $0 }.isEmpty)
    clock.advance(by: 0.969)
    let all = frames.withLock { $0 }
    #expect(all.count == 31)
    #expect(all.map(\.position) == Array(stride(from: 0, to: 992, by: 32)))
    #expect(all.flatMap(\.samples) == [Float](repeating: 0.5, count: 500) + [Float](repeating: 0, count: 492))
    microphone.stop()
    clock.advance(by: 1)
    #expect(frames.withLock { $0.count } == 31)
  }

  @Test("a clip with a tail ends, and whoever waits is told")
  func tail() async throws {
    let clock = ManualClock()
    let microphone = FileMicrophone(
      AudioClip(samples: [Float](repeating: 0.5, count: 100), sampleRate: 1000), tail: 0.1,
      clock: clock)
    let frames = try collect(microphone)
    clock.advance(by: 5)
    await microphone.waitUntilFinished()
    #expect(frames.withLock { $0 }.map(\.samples.count).reduce(0, +) == 224)
    #expect(clock.pendingCount == 0)
  }

  @Test("whoever waits for a stopped microphone is let go")
  func stopped() async throws {
    let microphone = FileMicrophone(AudioClip(samples: [], sampleRate: 16_000), clock: ManualClock())
    _ = try collect(microphone)
    microphone.stop()
    await microphone.waitUntilFinished()
  }

  @Test("a clip of no rate does not hang")
  func noRate() throws {
    let clock = ManualClock()
    let microphone = FileMicrophone(AudioClip(samples: [], sampleRate: 0), tail: 1, clock: clock)
    let frames = try collect(microphone)
    clock.advance(by: 3)
    #expect(frames.withLock { $0.count } <= 3)
  }

  @Test("pushed sound is handed on with its position, and dropped while closed")
  func push() throws {
    let microphone = PushMicrophone()
    microphone.push([1], sampleRate: 8000)
    let frames = try collect(microphone)
    microphone.push([1, 2], sampleRate: 8000)
    microphone.push([3], sampleRate: 8000)
    microphone.push([4], sampleRate: 48_000)
    microphone.push([], sampleRate: 48_000)
    microphone.stop()
    microphone.push([5], sampleRate: 48_000)
    let all = frames.withLock { $0 }
    #expect(all.map(\.samples) == [[1, 2], [3], [4]])
    #expect(all.map(\.position) == [0, 2, 0])
  }

  @Test("a microphone can be opened again")
  func reopen() throws {
    let microphone = PushMicrophone()
    _ = try collect(microphone)
    microphone.stop()
    let frames = try collect(microphone)
    microphone.push([1], sampleRate: 8000)
    #expect(frames.withLock { $0.count } == 1)
  }
}
