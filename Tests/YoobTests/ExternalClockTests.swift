import Foundation
import Testing
import VoiceIO

@testable import Yoob

@MainActor @Suite("Speech that the app plays itself")
struct ExternalClockTests {
  @Test("the face follows what was reported, goes on for a moment, and never past what was given")
  func follows() {
    var playback = ReportedPlayback(sampleRate: 1000)
    playback.append(1000)
    #expect(playback.played(0) == nil)
    playback.report(100, now: 1)
    #expect(playback.played(1.1) == 200)
    #expect(playback.played(3) == 350)
    playback.report(300, now: 1.5)
    #expect(playback.played(1.5) == 350)
    #expect(playback.played(1.6) == 400)
    playback.report(200, now: 1.6)
    #expect(playback.played(1.6) == 400)
    playback.report(5000, now: 2)
    #expect(playback.played(9) == 1000)
    #expect(playback.heard == 1000)
    #expect(!playback.isOver)
    playback.end()
    #expect(playback.isOver)
  }

  @Test("nothing sounds, the avatar speaks until all was heard, and tells what was heard when interrupted")
  func speaks() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    try bench.avatar.appendAudio(pcm: AvatarBench.speech(2))
    #expect(bench.avatar.phase == .speaking)
    #expect(throws: YoobError.self) { try bench.avatar.speak(pcm: AvatarBench.speech(0.1)) }
    bench.avatar.audioPlayed(samples: 24_000)
    #expect(bench.avatar.voice.facePlayhead == 1)
    bench.avatar.endSpeech()
    #expect(bench.avatar.phase == .speaking)
    bench.avatar.audioPlayed(samples: 48_000)
    #expect(bench.avatar.phase == .ready)
    try bench.avatar.appendAudio(pcm: AvatarBench.speech(2))
    bench.avatar.audioPlayed(samples: 4321)
    #expect(bench.avatar.interrupt() == 4321)
    #expect(bench.avatar.phase == .ready)
    await bench.pass(0.5)
    #expect(bench.heard == 0)
  }

  @Test("what follows the end is another utterance, counted from its own beginning, at any rate")
  func next() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    try bench.avatar.appendAudio(pcm: AvatarBench.speech(2))
    bench.avatar.audioPlayed(samples: 24_000)
    bench.avatar.endSpeech()
    // The app has the next reply before it has told of the last moment of this one.
    try bench.avatar.appendAudio(pcm: AvatarBench.speech(1, rate: 16_000), sampleRate: 16_000)
    bench.avatar.audioPlayed(samples: 8000)
    #expect(bench.avatar.voice.facePlayhead == 0.5)
    #expect(bench.avatar.phase == .speaking)
    #expect(bench.avatar.stats.utterances == 2)
    bench.avatar.endSpeech()
    try bench.avatar.speak(pcm: AvatarBench.speech(0.1))
    #expect(bench.avatar.interrupt() == 0)
  }

  @Test("an utterance of whose last samples nobody tells is over once they must have been heard")
  func forgotten() async throws {
    let bench = AvatarBench()
    try await bench.avatar.prepare()
    try bench.avatar.appendAudio(pcm: AvatarBench.speech(1))
    bench.avatar.endSpeech()
    bench.avatar.audioPlayed(samples: 12_000)
    await bench.pass(2)
    // Half a second is more than a last moment: the app may have paused.
    #expect(bench.avatar.phase == .speaking)
    bench.avatar.audioPlayed(samples: 23_500)
    await bench.pass(0.2)
    #expect(bench.avatar.phase == .speaking)
    await bench.pass(0.3)
    #expect(bench.avatar.phase == .ready)
  }
}
