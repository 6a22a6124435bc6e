import Foundation
import Testing
import VoiceAudio
import VoiceIO
import YoobFace

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
    try bench.avatar.speak(pcm: AvatarBench.speech(0.6))
    await bench.pass(0.4)
    let speaking = frame()
    #expect(abs((speaking.playhead ?? 0) - 0.4) < 0.011)
    #expect(speaking.rgba != still.rgba)
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
