import Testing
import VoiceAudio
import VoiceIO
import YoobTesting

@Suite("A virtual room")
struct VirtualRoomTests {
  private let clock = ManualClock()
  private let executor = ManualExecutor()

  /// A room whose microphone is open, and what it has heard.
  private struct Opened {
    let room: VirtualRoom
    let heard = Guarded<[Float]>([])
  }

  private func open(
    _ echo: RoomEcho = .none, noise: Float = 0, latency: Double = 0.02,
    processor: (any NearEndProcessing & Sendable)? = nil
  ) throws -> Opened {
    var options = VirtualRoom.Options()
    options.echo = echo
    options.noise = noise
    options.outputLatency = latency
    let opened = Opened(room: VirtualRoom(options, processor: processor, clock: clock))
    try opened.room.start { [heard = opened.heard] frame in heard.withLock { $0 += frame.samples } }
    return opened
  }

  private func pass(_ seconds: Double) {
    executor.drain()
    for _ in 0..<Int((seconds * 200).rounded()) {
      clock.advance(by: 0.005)
      executor.drain()
    }
  }

  /// Sound without a period, at 16 kHz.
  private func sound(_ count: Int, seed: UInt64 = 5) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in Float(random.next() >> 40) / Float(1 << 24) - 0.5 }
  }

  private func play(_ samples: [Float], in room: VirtualRoom, rate: Int = 16_000, finishes: Bool = true) {
    executor.task {
      await room.begin(sampleRate: rate)
      await room.write(SpeechChunk(samples: samples, sampleRate: rate))
      if finishes { await room.finish() }
    }
    executor.drain()
  }

  private func given(_ room: VirtualRoom) -> [Float] { room.sounds.flatMap(\.clip.samples) }

  private func energy(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { $0 + $1 * $1 } }

  @Test("the microphone hears the loudspeaker with the level and the delay that were set")
  func directEcho() throws {
    let opened = try open(RoomEcho(delay: 0.045, gain: 0.5, tail: 0), latency: 0.03)
    let samples = sound(4000)
    pass(0.1)
    play(samples, in: opened.room)
    pass(1)
    let start = Int((0.1 + 0.03 + 0.045) * 16_000)
    let heard = opened.heard.withLock { $0 }
    #expect(heard.count == 17_600)
    #expect(heard[..<start].allSatisfy { $0 == 0 })
    #expect(Array(heard[start..<start + 4000]) == samples.map { $0 * 0.5 })
    #expect(heard[(start + 4000)...].allSatisfy { $0 == 0 })
    #expect(abs((opened.room.sounds.first?.start ?? 0) - 0.13) < 1e-9)
  }

  @Test("reflections keep the level and do not come before the sound", arguments: [0.045, 0.22])
  func reflections(delay: Double) throws {
    let opened = try open(RoomEcho(delay: delay, gain: 0.7), latency: 0)
    let samples = sound(16_000)
    play(samples, in: opened.room)
    pass(2)
    let heard = opened.heard.withLock { $0 }
    let start = Int(delay * 16_000)
    #expect(heard[..<start].allSatisfy { $0 == 0 })
    let level = (energy(heard) / energy(samples)).squareRoot()
    #expect(abs(level - 0.7) < 0.07)
    #expect(energy(heard[(start + 16_000)...]) > 0)
  }

  @Test("speech at another rate is heard at its own time")
  func otherRate() throws {
    let opened = try open(RoomEcho(delay: 0.01, gain: 1, tail: 0))
    let tone = (0..<12_000).map { Float(($0 / 24) % 2 == 0 ? 0.4 : -0.4) }  // 500 Hz for half a second
    play(tone, in: opened.room, rate: 24_000)
    pass(1)
    let heard = opened.heard.withLock { $0 }
    let expected = StreamingResampler.convert(AudioClip(samples: tone, sampleRate: 24_000), to: 16_000)
      .samples
    #expect(heard[480..<480 + 8000].elementsEqual(expected, by: { abs($0 - $1) < 1e-5 }))
    #expect(given(opened.room) == tone)
  }

  @Test("a hold keeps the position, and the sound goes on with the next sample")
  func hold() throws {
    let opened = try open()
    let room = opened.room
    let samples = sound(8000)
    play(samples, in: room)
    pass(0.12)
    #expect(room.pause() == 1600)
    #expect(room.pause() == 1600)
    pass(0.5)
    #expect(room.playedSamples == 1600)
    room.resume()
    room.resume()
    pass(1)
    #expect(given(room) == samples)
    #expect(room.sounds.map(\.position) == [0, 1600])
    let gap = room.sounds[1].start - room.sounds[0].end
    #expect(abs(gap - 0.52) < 1e-9)
    #expect(room.events.map(\.kind) == [.began, .held, .resumed, .finished])
    #expect(room.events.map(\.position) == [0, 1600, 1600, 8000])
    #expect(abs(room.heardSeconds - 0.5) < 1e-9)
  }

  @Test("what is written while it is held is heard after it")
  func heldWrite() throws {
    let room = try open().room
    let samples = sound(3200)
    play(Array(samples[..<1600]), in: room, finishes: false)
    pass(0.05)
    room.pause()
    executor.task {
      await room.write(SpeechChunk(samples: Array(samples[1600...]), sampleRate: 16_000))
      await room.finish()
    }
    pass(0.5)
    #expect(given(room).count == 480)
    room.resume()
    pass(0.5)
    #expect(given(room) == samples)
    #expect(room.events.last?.kind == .finished)
  }

  @Test("an interruption drops the rest, also of what is held")
  func interruption() throws {
    for isHeld in [false, true] {
      let room = try open(RoomEcho(delay: 0.02, gain: 1, tail: 0)).room
      let samples = sound(16_000)
      play(samples, in: room)
      pass(0.3)
      if isHeld { room.pause() }
      #expect(room.interrupt() == 4480)
      room.resume()
      pass(1)
      #expect(given(room) == Array(samples[..<4480]))
      #expect(room.playedSamples == 4480)
      #expect(room.events.last?.kind == .interrupted)
    }
  }

  @Test("a queue that runs dry leaves a gap, and one that does not leaves none")
  func gaps() throws {
    let room = try open().room
    play(sound(1600), in: room, finishes: false)
    pass(0.05)
    executor.task { [samples = sound(1600, seed: 6)] in
      await room.write(SpeechChunk(samples: samples, sampleRate: 16_000))
    }
    pass(0.5)
    #expect(room.sounds.count == 1)
    executor.task { [samples = sound(1600, seed: 7)] in
      await room.write(SpeechChunk(samples: samples, sampleRate: 16_000))
    }
    pass(0.5)
    #expect(room.sounds.map(\.position) == [0, 3200])
    #expect(abs((room.sounds.last?.start ?? 0) - 0.57) < 1e-9)
  }

  @Test("a long utterance makes its writer wait")
  func backpressure() throws {
    let room = try open().room
    let isWritten = Guarded(false)
    executor.task { [samples = sound(48_000)] in
      await room.begin(sampleRate: 16_000)
      await room.write(SpeechChunk(samples: samples, sampleRate: 16_000))
      isWritten.withLock { $0 = true }
    }
    pass(0.9)
    #expect(!isWritten.withLock { $0 })
    pass(0.2)
    #expect(isWritten.withLock { $0 })
  }

  @Test("recordings of the user are heard when they were scheduled, several at once together")
  func user() throws {
    let opened = try open()
    let clip = AudioClip(samples: sound(1600), sampleRate: 16_000)
    #expect(opened.room.speak(clip, at: 0.5) == 0.5)
    #expect(opened.room.speak(clip, at: 0.55) == 0.55)
    pass(0.3)
    #expect(opened.room.speak(clip, at: 0.1) == 0.3)
    pass(0.7)
    var expected = [Float](repeating: 0, count: 16_000)
    for start in [8000, 8800, 4800] {
      for index in 0..<1600 { expected[start + index] += clip.samples[index] }
    }
    #expect(opened.heard.withLock { $0 } == expected)
  }

  @Test("noise has the level that was set and follows from the seed")
  func noise() throws {
    let first = try open(noise: 0.01)
    pass(1)
    let heard = first.heard.withLock { $0 }
    let level = (energy(heard) / Float(heard.count)).squareRoot()
    #expect(abs(level - 0.01) < 0.0003)
    let second = try open(noise: 0.01)
    pass(1)
    #expect(second.heard.withLock { $0 } == heard)
  }

  @Test("a processor is given what the loudspeaker gives at the same time")
  func processor() throws {
    struct Far: NearEndProcessing, Sendable {
      let sampleRate = 16_000
      let frames: Guarded<[Float]>
      func process(near: inout [Float], far: [Float]) {
        frames.withLock { $0 += far }
        near = far.map { _ in 0.25 }
      }
    }
    let frames = Guarded<[Float]>([])
    let opened = try open(RoomEcho(delay: 0.1, gain: 1, tail: 0), processor: Far(frames: frames))
    let samples = sound(1600)
    play(samples, in: opened.room)
    pass(0.2)
    #expect(Array(frames.withLock { $0[320..<1920] }) == samples)
    #expect(opened.heard.withLock { $0 }.allSatisfy { $0 == 0.25 })
  }

  @Test("a processor of another rate is refused")
  func wrongProcessor() {
    struct Wide: NearEndProcessing, Sendable {
      let sampleRate = 48_000
      func process(near: inout [Float], far: [Float]) {}
    }
    #expect(throws: VirtualRoom.Failure.processorRate(48_000)) { try open(processor: Wide()) }
  }

  @Test("a closed microphone gives nothing, and the next listener counts from its own start")
  func reopening() throws {
    let opened = try open()
    pass(0.1)
    opened.room.stop()
    pass(0.1)
    #expect(opened.heard.withLock(\.count) == 1600)
    let positions = Guarded<[Int]>([])
    try opened.room.start { frame in positions.withLock { $0.append(frame.position) } }
    pass(0.03)
    #expect(positions.withLock { $0 } == [0, 160, 320])
  }

  @Test("without a log nothing is kept, and the seconds are counted")
  func noLog() throws {
    var options = VirtualRoom.Options()
    options.keepsLog = false
    let room = VirtualRoom(options, clock: clock)
    play(sound(8000), in: room)
    pass(1)
    #expect(room.sounds.isEmpty && room.events.isEmpty)
    #expect(abs(room.heardSeconds - 0.5) < 1e-9)
  }
}
