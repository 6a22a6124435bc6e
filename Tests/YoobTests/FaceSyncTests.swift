import Foundation
import Testing
import VoiceAudio
import VoiceIO
import YoobFace
import YoobTesting

@testable import Yoob

@MainActor @Suite("Lips and sound")
struct FaceSyncTests {
  @Test("frames show the face of the moment, moving with the voice and still without it")
  func frames() async throws {
    let bench = AvatarBench(.local(AvatarBench.lunaFolder))
    try await bench.avatar.prepare()
    let source = try bench.avatar.frameSource(
      width: 180, height: 320, isSquareCrop: false, isTransparent: false)
    func frame() -> YoobFrame {
      source.frame(at: bench.clock.now, playhead: bench.avatar.voice.facePlayhead)
    }
    let still = frame()
    #expect(still.rgba.count == 180 * 320 * 4)
    #expect(still.playhead == nil)
    // The lips by themselves: breath and eyes move the picture at any time.
    let rest = bench.avatar.readLips().gap
    await bench.pass(0.4)
    #expect(abs(bench.avatar.readLips().gap - rest) < 0.5)
    try bench.avatar.speak(pcm: AvatarBench.speech(0.6))
    await bench.pass(0.4)
    let speaking = frame()
    #expect(abs((speaking.playhead ?? 0) - 0.4) < 0.011)
    #expect(speaking.rgba != still.rgba)
    var gaps: [Float] = []
    for _ in 0..<15 {
      gaps.append(bench.avatar.readLips().gap)
      await bench.pass(0.01)
    }
    #expect((gaps.max() ?? 0) > rest + 2)
  }

  @Test("frames end with their reader, and with an avatar that is let go")
  func readers() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    for _ in 0..<3 {
      let frames = try bench.avatar.frames(width: 64, height: 64)
      let reader = Task { for await _ in frames { break } }
      for _ in 0..<500 where bench.avatar.stats.framesShown == 0 { await bench.pass(0.01) }
      await reader.value
    }
    await bench.settle()
    #expect(bench.avatar.streams.count { $0.isRunning } == 0)
    var other: YoobAvatar? = YoobAvatar(
      .local(AvatarBench.quickFolder), devices: AvatarDevices(sink: bench.speaker, clock: bench.clock))
    try await other?.prepare()
    let frames = try #require(try other?.frames(width: 64, height: 64))
    let end = Task { for await _ in frames {} }
    other = nil
    await end.value
  }

  @Test("who begins to speak interrupts who speaks, and what the other still says is dropped")
  func twoSpeakers() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    let sink = bench.avatar.sink
    let samples = [Float](repeating: 0.25, count: 24_000)
    try bench.avatar.speak(pcm: AvatarBench.speech(3))
    await bench.pass(0.5)
    bench.executor.task {
      await sink.begin(sampleRate: 24_000)
      await sink.write(SpeechChunk(samples: samples, sampleRate: 24_000))
    }
    await bench.pass(0.2)
    #expect(bench.speaker.segments.map(\.clip.samples.count).first == 12_000)
    #expect(bench.speaker.segments.last?.clip.samples.allSatisfy { $0 == 0.25 } == true)
    #expect(sink.playedSamples > 2000)
    #expect(throws: YoobError.self) { try bench.avatar.appendAudio(pcm: AvatarBench.speech(1)) }
    #expect(throws: YoobError.self) { try bench.avatar.speak(pcm: AvatarBench.speech(1)) }
    #expect(bench.avatar.interrupt() > 2000)
    await bench.pass(0.1)
    try bench.avatar.speak(pcm: AvatarBench.speech(0.2))
    bench.avatar.endSpeech()
    await bench.pass(0.1)
    // What the session says now belongs to nobody.
    bench.executor.task {
      await sink.write(SpeechChunk(samples: samples, sampleRate: 24_000))
      await sink.finish()
      sink.interrupt()
    }
    await bench.pass(0.5)
    #expect(bench.speaker.segments.last?.clip.samples == PCM16.decode([UInt8](AvatarBench.speech(0.2))))
    #expect(bench.avatar.phase == .ready)
  }

  @Test("an utterance that is interrupted before the loudspeaker has it was not heard")
  func interruptedBeginning() async throws {
    let clock = ManualClock()
    let executor = ManualExecutor()
    let slow = SlowSink(RecordingSink(clock: clock))
    let sink = FaceSink(slow)
    executor.task {
      await sink.begin(sampleRate: 1000, as: 1)
      await sink.write(SpeechChunk(samples: [Float](repeating: 0.5, count: 1000), sampleRate: 1000), as: 1)
    }
    executor.drain()
    slow.gate.withLock { $0 }.fire()
    executor.drain()
    clock.advance(by: 0.5)
    #expect(sink.interrupt(as: 1) == 500)
    executor.drain()
    slow.gate.withLock { $0 = OneShot() }
    executor.task { await sink.begin(sampleRate: 1000, as: 1) }
    executor.drain()
    #expect(sink.isOpen)
    #expect(sink.playhead == nil)
    #expect(sink.interrupt(as: 1) == 0)
    slow.gate.withLock { $0 }.fire()
    executor.drain()
    #expect(!sink.isOpen)
    #expect(slow.inner.interrupt() == 0)
  }

  @Test("the shapes of the mouth come with the times at which they are heard")
  func visemes() async throws {
    let bench = AvatarBench(.local(AvatarBench.lunaFolder))
    try await bench.avatar.prepare()
    var seen: [YoobViseme] = []
    let stream = bench.avatar.visemes
    try bench.avatar.speak(pcm: AvatarBench.speech(1))
    bench.avatar.endSpeech()
    await bench.pass(1.3)
    await bench.avatar.close()
    bench.avatar.visemeReaders.finish()
    for await viseme in stream { seen.append(viseme) }
    #expect((20...40).contains(seen.count))
    #expect(seen.map(\.time) == seen.map(\.time).sorted())
    #expect(seen.allSatisfy { $0.weights.count == 15 && abs($0.weights.reduce(0, +) - 1) < 0.05 })
    #expect(seen.contains { $0.weights[0] < 0.5 })
  }

  @Test("a voice session's words become captions as they are heard, and a hold stops the mouth")
  func session() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    let captions = bench.avatar.captions
    let samples = PCM16.decode([UInt8](AvatarBench.speech(1)))
    let avatar = bench.avatar
    let sink = avatar.sink
    bench.executor.task {
      await sink.begin(sampleRate: 24_000)
      await sink.write(
        SpeechChunk(
          samples: samples, sampleRate: 24_000,
          words: [
            WordTiming(text: "Good", start: 0, end: 9600),
            WordTiming(text: "day.", start: 12_000, end: 21_600),
          ]))
      await sink.finish()
    }
    await bench.pass(0.3)
    #expect(avatar.phase == .speaking)
    #expect(sink.pause() == 7200)
    await bench.pass(1)
    #expect(avatar.voice.facePlayhead == 0.3)
    sink.resume()
    await bench.pass(1)
    #expect(avatar.phase == .ready)
    avatar.captionReaders.finish()
    var seen: [YoobCaption] = []
    for await caption in captions { seen.append(caption) }
    #expect(seen.map(\.text) == ["Good", "Good day.", "Good day."])
    #expect(seen.map(\.isFinal) == [false, false, true])
    #expect(seen.last?.words.last?.start == 0.5)
  }
}

/// A loudspeaker that takes its time to begin.
private final class SlowSink: SpeechSink {
  let inner: RecordingSink
  let gate = Guarded(OneShot())

  init(_ inner: RecordingSink) { self.inner = inner }

  func begin(sampleRate: Int) async {
    await gate.withLock { $0 }.value()
    await inner.begin(sampleRate: sampleRate)
  }
  func write(_ chunk: SpeechChunk) async { await inner.write(chunk) }
  func finish() async { await inner.finish() }
  @discardableResult func interrupt() -> Int { inner.interrupt() }
  var playedSamples: Int { inner.playedSamples }
}
