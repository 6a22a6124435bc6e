import Testing
import VoiceIO

@testable import RunAnywhere

@Suite("Clauses put together")
struct ClauseAssemblyTests {
  private static let speech = SynthesizedSpeech(
    samples: [1, 2, 3], sampleRate: 100,
    phones: [PhoneTiming(symbol: "a", start: 0, end: 3, isStressed: true)],
    words: [WordTiming(text: "a", start: 1, end: 3)], pitch: [120, 121])

  @Test("a sentence is followed by a longer pause than a clause")
  func pauses() {
    #expect(Clause.Ending.clause.pause == 0.08)
    #expect(Clause.Ending.sentence.pause == 0.22)
    #expect(Clause.Ending.code.pause == 0.22)
  }

  @Test("a pause moves all times")
  func delay() {
    let delayed = Self.speech.delayed(seconds: 0.02)
    #expect(delayed.samples == [0, 0, 1, 2, 3])
    #expect(delayed.phones == [PhoneTiming(symbol: "a", start: 2, end: 5, isStressed: true)])
    #expect(delayed.words == [WordTiming(text: "a", start: 3, end: 5)])
    #expect(Self.speech.delayed(seconds: 0) == Self.speech)
  }

  @Test("what follows keeps its place after what was there")
  func append() {
    var all = SynthesizedSpeech(samples: [], sampleRate: 24_000)
    all.append(Self.speech)
    #expect(all == Self.speech)
    all.append(Self.speech)
    #expect(all.samples == [1, 2, 3, 1, 2, 3])
    #expect(all.phones.map(\.start) == [0, 3])
    #expect(all.words.map(\.end) == [3, 6])
    #expect(all.pitch == [120, 121, 120, 121])
  }

  @Test("the pitch keeps step with the sound over many joints")
  func pitchStep() {
    // 30 ms are 2.4 values.
    let part = SynthesizedSpeech(
      samples: [Float](repeating: 0, count: 720), sampleRate: 24_000, pitch: [120, 121, 122])
    var all = SynthesizedSpeech(samples: [], sampleRate: 24_000)
    for index in 0..<100 { all.append(index == 0 ? part : part.delayed(seconds: 0.08)) }
    #expect(abs(all.pitch.count - all.samples.count / 300) <= 1)
    let last = all.pitch.lastIndex(of: 120) ?? 0
    #expect(abs(last - (all.samples.count - 720) / 300) <= 1)
  }

  @Test("a pitch that is not known throughout is left out")
  func partialPitch() {
    var mute = Self.speech
    mute.pitch = []
    var all = Self.speech
    all.append(mute)
    #expect(all.pitch == [])
    all.append(Self.speech)
    #expect(all.pitch == [])
  }
}
