import Foundation
import Testing
import VoiceAudio
import VoiceIO

@testable import Yoob

@MainActor @Suite("An avatar speaks")
struct SpeakingTests {
  @Test("a ready avatar is heard at once, speaks while it is heard, and is ready again")
  func speaks() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    #expect(bench.avatar.phase == .ready)
    try bench.avatar.speak(pcm: AvatarBench.speech(1))
    bench.avatar.endSpeech()
    #expect(bench.avatar.phase == .speaking)
    await bench.pass(0.5)
    #expect(bench.avatar.phase == .speaking)
    #expect(bench.speaker.playedSamples == 12_000)
    #expect(bench.avatar.voiceLevel > 0.1)
    await bench.pass(0.6)
    #expect(bench.avatar.phase == .ready)
    #expect(bench.avatar.voiceLevel == 0)
    #expect(bench.speaker.segments.map(\.start) == [0])
    #expect(bench.heard == 24_000)
    #expect(bench.avatar.stats.utterances == 1)
  }

  @Test("what comes in crumbs is heard whole, sample for sample")
  func crumbs() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    let speech = AvatarBench.speech(1.5, rate: 16_000)
    for start in stride(from: 0, to: speech.count, by: 614) {
      try bench.avatar.speak(pcm: speech[start..<min(speech.count, start + 614)], sampleRate: 16_000)
      await bench.pass(0.01)
    }
    bench.avatar.endSpeech()
    await bench.pass(1.5)
    #expect(bench.speaker.segments.flatMap(\.clip.samples) == PCM16.decode([UInt8](speech)))
    #expect(bench.avatar.phase == .ready)
  }

  @Test("an interruption tells the samples that were heard and forgets all that waits")
  func interrupts() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    #expect(bench.avatar.interrupt() == 0)
    try bench.avatar.speak(pcm: AvatarBench.speech(5))
    bench.avatar.endSpeech()
    try bench.avatar.speak(pcm: AvatarBench.speech(5))
    await bench.pass(0.73)
    #expect(bench.avatar.interrupt() == 17_520)
    #expect(bench.avatar.phase == .ready)
    await bench.pass(12)
    #expect(bench.heard == 17_520)
    try bench.avatar.speak(pcm: AvatarBench.speech(0.2))
    bench.avatar.endSpeech()
    await bench.pass(0.5)
    #expect(bench.heard == 17_520 + 4800)
  }

  @Test("utterances are heard one after the other, each at its own rate")
  func rates() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    let rates = [8000, 16_000, 22_050, 24_000, 44_100, 48_000]
    for rate in rates {
      try bench.avatar.speak(pcm: AvatarBench.speech(0.2, rate: rate), sampleRate: rate)
      bench.avatar.endSpeech()
    }
    await bench.pass(1.5)
    #expect(bench.speaker.segments.map(\.clip.sampleRate) == rates)
    #expect(bench.speaker.segments.map(\.clip.samples.count) == rates.map { $0 / 5 })
    #expect(bench.avatar.phase == .ready)
  }

  @Test("sound that cannot be taken is refused and harms nothing")
  func badSound() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    func refusal(_ body: () throws -> Void) -> Bool {
      do {
        try body()
        return false
      } catch {
        if case YoobError.invalidAudio = error { return true }
        return false
      }
    }
    #expect(refusal { try bench.avatar.speak(pcm: Data(count: 3)) })
    #expect(refusal { try bench.avatar.speak(pcm: Data(count: 4), sampleRate: 7999) })
    #expect(refusal { try bench.avatar.speak(pcm: Data(count: 4), sampleRate: 48_001) })
    #expect(refusal { try bench.avatar.appendAudio(pcm: Data(count: 3)) })
    try bench.avatar.speak(pcm: Data())
    #expect(bench.avatar.phase == .ready)
    try bench.avatar.speak(pcm: AvatarBench.speech(0.3))
    #expect(refusal { try bench.avatar.speak(pcm: Data(count: 4), sampleRate: 16_000) })
    #expect(refusal { try bench.avatar.appendAudio(pcm: Data(count: 4)) })
    #expect(refusal { try bench.avatar.speak(pcm: Data(count: 24_000 * 2 * 1201)) })
    bench.avatar.endSpeech()
    await bench.pass(0.5)
    #expect(bench.heard == 7200)
  }

  @Test("without a face the voice is heard all the same, at once")
  func faceless() async throws {
    let bench = AvatarBench(.local(URL(fileURLWithPath: "/nowhere")))
    await #expect(throws: YoobError.self) { try await bench.avatar.prepare() }
    try bench.avatar.speak(pcm: AvatarBench.speech(0.5))
    bench.avatar.endSpeech()
    await bench.pass(0.7)
    #expect(bench.heard == 12_000)
    #expect(bench.speaker.segments.map(\.start) == [0])
    if case .failed = bench.avatar.phase {} else { Issue.record("\(bench.avatar.phase)") }
  }

  @Test("a slow network makes gaps, and every sample is heard once")
  func underruns() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    let speech = AvatarBench.speech(2)
    var sent = 0
    for pause in [0.05, 0.4, 0.02, 0.9, 0.3, 0.01, 0.5] {
      let end = min(speech.count, sent + 9600)
      try bench.avatar.speak(pcm: speech[sent..<end])
      sent = end
      await bench.pass(pause)
    }
    try bench.avatar.speak(pcm: speech[sent...])
    bench.avatar.endSpeech()
    await bench.pass(2.5)
    #expect(bench.speaker.segments.flatMap(\.clip.samples) == PCM16.decode([UInt8](speech)))
    #expect(bench.speaker.segments.count > 2)
    #expect(bench.avatar.phase == .ready)
  }
}
