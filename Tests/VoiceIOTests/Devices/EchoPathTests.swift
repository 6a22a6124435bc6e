#if canImport(Glibc)
  import Foundation
  import Testing
  import VoiceAudio
  import VoiceProcessing

  @testable import VoiceIO

  @Suite(
    "Echo over a sound server", .serialized,
    .enabled(if: VirtualSound.isInstalled, Comment(rawValue: VirtualSound.absence)),
    .enabled(if: VoiceProcessor.isAvailable, "built without echo cancellation"))
  struct EchoPathTests {
    /// Keeps what came in beside what goes out, and how loud both were.
    private struct Probe: NearEndProcessing {
      var processor: VoiceProcessor
      let levels: Guarded<[(before: Float, after: Float)]>
      var sampleRate: Int { processor.sampleRate }

      mutating func process(near: inout [Float], far: [Float]) {
        let before = Level(near).rms
        processor.process(near: &near, far: far)
        let after = Level(near).rms
        levels.withLock { $0.append((before, after)) }
      }
    }

    private func speech() throws -> AudioClip {
      let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let bytes = try Data(contentsOf: tests.appendingPathComponent("Fixtures/question-story.wav"))
      return try WAV.decode([UInt8](bytes))
    }

    /// Decibels by which the frames were made quieter in all; nil when they were as good as silent.
    private func loss(_ levels: ArraySlice<(before: Float, after: Float)>) -> Float? {
      let before = levels.reduce(0) { $0 + $1.before * $1.before } / Float(max(1, levels.count))
      let after = levels.reduce(0) { $0 + $1.after * $1.after } / Float(max(1, levels.count))
      guard before > 1e-4 else { return nil }
      return Level.dBFS(before.squareRoot()) - Level.dBFS(max(1e-6, after.squareRoot()))
    }

    @Test("the loudspeaker's echo is taken out of the microphone", arguments: [45, 220])
    func echo(delay: Int) async throws {
      let sound = try await VirtualSound()
      try sound.control(
        "load-module", "module-loopback", "source=speaker.monitor", "sink=mouth", "latency_msec=\(delay)")
      let levels = Guarded<[(before: Float, after: Float)]>([])
      let processor = try VoiceProcessor(.init(noise: .keep, gain: false))
      let device = DuplexDevice(
        .init(server: sound.server), processor: Probe(processor: processor, levels: levels))
      defer { device.close() }
      try device.start { _ in }
      let clip = try speech()
      // A busy machine tears the echo, which has to be learned again then: it is given time.
      var best: Float = 0
      var tries = 0
      for _ in 0..<30 where best < 20 {
        tries += 1
        let start = levels.withLock { $0.count }
        await device.begin(sampleRate: clip.sampleRate)
        await device.write(SpeechChunk(samples: clip.samples, sampleRate: clip.sampleRate))
        await device.finish()
        let heard = levels.withLock { $0[start...] }
        best = max(best, loss(heard) ?? 0)
      }
      print("echo over virtual devices, \(delay) ms more: \(best) dB in utterance \(tries)")
      #expect(best >= 20)
    }
  }
#endif
