#if canImport(Glibc)
  import Testing
  import VoiceAudio
  import YoobTesting

  @testable import VoiceIO

  @Suite(
    "Sound server", .serialized,
    .enabled(if: VirtualSound.isInstalled, Comment(rawValue: VirtualSound.absence)))
  struct PulseDeviceTests {
    /// Noise that resembles nothing but itself, -1...1.
    private func noise(_ count: Int, seed: UInt64) -> [Float] {
      var state = seed
      return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int64(bitPattern: state) >> 40) / Float(1 << 23)
      }
    }

    /// Where `part` lies in `whole` and how much alike they are there, 0...1.
    private func find(_ part: [Float], in whole: [Float]) -> (offset: Int, likeness: Float) {
      guard whole.count >= part.count else { return (0, 0) }
      let energy = part.reduce(0) { $0 + $1 * $1 }
      var best: (offset: Int, likeness: Float) = (0, 0)
      whole.withUnsafeBufferPointer { whole in
        part.withUnsafeBufferPointer { part in
          for offset in 0...(whole.count - part.count) {
            var sum: Float = 0
            var other: Float = 0
            // Every fourth sample tells enough, but for the best places.
            for index in stride(from: 0, to: part.count, by: 4) {
              sum += part[index] * whole[offset + index]
              other += whole[offset + index] * whole[offset + index]
            }
            let likeness = 4 * sum / max(1e-9, (energy * 4 * other).squareRoot())
            if likeness > best.likeness { best = (offset, likeness) }
          }
        }
      }
      return best
    }

    @Test("devices are listed with their names; what a loudspeaker plays is no microphone")
    func list() async throws {
      let sound = try await VirtualSound()
      let devices = try AudioDevice.list(server: sound.server)
      #expect(
        devices == [
          AudioDevice(id: "mic", name: "Test microphone", kind: .microphone, isDefault: true),
          AudioDevice(id: "speaker", name: "Test loudspeaker", kind: .loudspeaker, isDefault: true),
          AudioDevice(id: "mouth", name: "Mouth", kind: .loudspeaker, isDefault: false),
        ])
    }

    @Test("without a sound server the error says what to do")
    func noServer() {
      do {
        _ = try AudioDevice.list(server: "unix:/nonexistent/native")
        Issue.record("a server answered")
      } catch {
        guard case .noServer = error as? AudioDeviceError else {
          Issue.record("\(error)")
          return
        }
        #expect("\(error)".contains("pulseaudio --start"))
      }
    }

    @Test("what is played is captured again, sample for sample, and all of it counts as heard")
    func roundTrip() async throws {
      let sound = try await VirtualSound()
      // The microphone hears its own loudspeaker, as it is.
      let device = DuplexDevice(
        .init(microphone: "mic", loudspeaker: "mouth", server: sound.server))
      defer { device.close() }
      let captured = Guarded<[Float]>([])
      let positions = Guarded<[Int]>([])
      try device.start { frame in
        captured.withLock { $0 += frame.samples }
        positions.withLock { $0.append(frame.position) }
      }
      #expect(device.names?.microphone == "Test microphone")
      let marks = [noise(800, seed: 1), noise(800, seed: 2)]
      let speech = marks[0] + [Float](repeating: 0, count: 4_000) + marks[1]
      // A busy machine may tear the sound; then it is said again.
      var gap: Int?
      for _ in 0..<20 {
        let start = captured.withLock { $0.count }
        await device.begin(sampleRate: 16_000)
        await device.write(SpeechChunk(samples: speech, sampleRate: 16_000))
        #expect(device.playedSamples < speech.count)
        await device.finish()
        #expect(device.playedSamples == speech.count)
        let heard = captured.withLock { $0.count }
        #expect(await eventually { captured.withLock { $0.count } > heard + 4_800 })
        let sound = captured.withLock { Array($0[max(0, start - 1_600)...]) }
        let found = marks.map { find($0, in: sound) }
        if found.allSatisfy({ $0.likeness > 0.8 }) {
          gap = found[1].offset - found[0].offset
          if abs(gap! - 4_800) <= 1 { break }
        }
      }
      #expect(gap.map { abs($0 - 4_800) <= 1 } == true)
      #expect(positions.withLock { zip($0, $0.dropFirst()).allSatisfy { $1 - $0 == 160 } })
    }

    @Test("interrupt silences the loudspeaker at once and tells how much was heard")
    func interrupt() async throws {
      let sound = try await VirtualSound()
      let device = DuplexDevice(.init(microphone: "mic", loudspeaker: "mouth", server: sound.server))
      defer { device.close() }
      try device.open()
      await device.begin(sampleRate: 24_000)
      await device.write(SpeechChunk(samples: noise(48_000, seed: 3), sampleRate: 24_000))
      #expect(await eventually { device.playedSamples > 4_800 })
      let played = device.interrupt()
      #expect(played >= 4_800 && played < 48_000)
      #expect(device.interrupt() == played)
      // The next utterance starts from nothing.
      await device.begin(sampleRate: 24_000)
      #expect(device.playedSamples == 0)
      await device.write(SpeechChunk(samples: noise(2_400, seed: 4), sampleRate: 24_000))
      await device.finish()
      #expect(device.playedSamples == 2_400)
    }

    @Test("a second owner gets a clear error, the first keeps working, and afterwards it is free")
    func secondOwner() async throws {
      let sound = try await VirtualSound()
      let first = DuplexDevice(.init(server: sound.server))
      let count = Guarded(0)
      try first.start { _ in count.withLock { $0 += 1 } }
      let second = DuplexDevice(.init(server: sound.server))
      #expect(throws: AudioDeviceError.busy("Test microphone")) { try second.open() }
      let before = count.withLock { $0 }
      #expect(await eventually { count.withLock { $0 } > before + 10 })
      first.close()
      try second.open()
      second.close()
    }

    @Test(
      "an unplugged microphone gives way to another, is waited for where there is none, and is taken again")
    func unplugged() async throws {
      let sound = try await VirtualSound()
      try sound.control(
        "load-module", "module-null-source", "source_name=spare", "description=Spare")
      let spare = try sound.control("list", "short", "modules").split(separator: "\n")
        .first { $0.contains("module-null-source") }?.split(separator: "\t").first.map(String.init)
      let remap = try sound.control("list", "short", "modules").split(separator: "\n")
        .first { $0.contains("module-remap-source") }?.split(separator: "\t").first.map(String.init)
      let device = DuplexDevice(.init(microphone: "mic", server: sound.server))
      defer { device.close() }
      let events = Guarded<[DuplexDevice.Event]>([])
      let stream = device.events
      Task { for await event in stream { events.withLock { $0.append(event) } } }
      let frames = Guarded(0)
      try device.start { _ in frames.withLock { $0 += 1 } }
      try sound.control("unload-module", #require(remap))
      #expect(await eventually { device.names?.microphone == "Spare" })
      #expect(
        await eventually {
          events.withLock { $0.contains(.opened(microphone: "Spare", loudspeaker: "Test loudspeaker")) }
        })
      var before = frames.withLock { $0 }
      #expect(await eventually { frames.withLock { $0 } > before + 10 })
      try sound.control("unload-module", #require(spare))
      #expect(
        await eventually { events.withLock { $0.contains(.waiting(AudioDeviceError.none(.microphone))) } })
      #expect(events.withLock { $0.contains(.lost(.lost("Spare"))) })
      #expect(device.names == nil)
      try sound.control(
        "load-module", "module-remap-source", "master=mouth.monitor", "source_name=mic",
        "source_properties=device.description=Back")
      #expect(await eventually { device.names?.microphone == "Back" })
      before = frames.withLock { $0 }
      #expect(await eventually { frames.withLock { $0 } > before + 10 })
    }

    @Test("a server that ends is told of, and closing is quick and harmless")
    func serverEnds() async throws {
      let sound = try await VirtualSound()
      let device = DuplexDevice(.init(server: sound.server))
      let events = Guarded<[DuplexDevice.Event]>([])
      let stream = device.events
      Task { for await event in stream { events.withLock { $0.append(event) } } }
      try device.start { _ in }
      await device.begin(sampleRate: 16_000)
      await device.write(SpeechChunk(samples: noise(16_000, seed: 5), sampleRate: 16_000))
      sound.stop()
      await device.finish()
      #expect(
        await eventually {
          events.withLock { $0.contains { if case .waiting(.noServer) = $0 { true } else { false } } }
        })
      #expect(device.playedSamples < 16_000)
      device.close()
      device.close()
    }
  }
#endif
