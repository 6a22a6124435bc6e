import Testing
import VoiceAudio
import YoobTesting

@testable import VoiceIO

@Suite("Melody of speech")
struct SpeechProsodyTests {
  private static func words(_ text: String, each: Int = 100) -> [WordTiming] {
    text.split(separator: " ").enumerated().map {
      WordTiming(text: String($1), start: $0 * each, end: ($0 + 1) * each)
    }
  }

  @Test(
    "80 values a second become 50 frames, and stressed phones mark theirs",
    arguments: [16_000, 22_050, 24_000])
  func frames(rate: Int) {
    let pitch = (0..<80).map { Float($0 < 40 ? 200 : 0) }
    let phones = [
      PhoneTiming(symbol: "a", start: rate / 5, end: rate * 2 / 5, isStressed: true),
      PhoneTiming(symbol: "b", start: rate * 2 / 5, end: rate),
    ]
    let prosody = SpeechProsody(
      phones: phones, words: [], pitch: pitch, sampleCount: rate, sampleRate: rate)
    #expect(prosody.pitch.count == 50 && prosody.marks.count == 50)
    #expect(
      prosody.pitch.prefix(25).allSatisfy { $0 == 200 } && prosody.pitch.suffix(25).allSatisfy { $0 == 0 })
    #expect(prosody.marks.indices.filter { prosody.marks[$0] == .stressed } == Array(10..<20))
    #expect(prosody.interleaved.count == 100 && prosody.interleaved[20...21] == [200, 1])
  }

  @Test("a voice that gives no pitch, or no sound, has no melody")
  func empty() {
    #expect(SpeechProsody(phones: [], words: [], pitch: [], sampleCount: 100, sampleRate: 100).isEmpty)
    #expect(SpeechProsody(phones: [], words: [], pitch: [1], sampleCount: 0, sampleRate: 100).isEmpty)
    #expect(SpeechProsody(phones: [], words: [], pitch: [1], sampleCount: 9, sampleRate: 0).isEmpty)
  }

  @Test("times outside of the sound and pitches that are no numbers are survived")
  func odd() {
    let phones = [
      PhoneTiming(symbol: "a", start: -500, end: 9000, isStressed: true),
      PhoneTiming(symbol: "a", start: 50, end: 20, isStressed: true),
    ]
    let prosody = SpeechProsody(
      phones: phones, words: [], pitch: [.nan, .infinity, -3], sampleCount: 10, sampleRate: 100)
    #expect(prosody.pitch == [0, 0, 0, 0, 0])
    #expect(prosody.marks == [SpeechProsody.Mark](repeating: .stressed, count: 5))
  }

  @Test(
    "a yes/no question is marked from its last stressed sound on, another sentence is not",
    arguments: [
      ("Are you going?", [0..<300]), ("Fine. Is it “you?”", [100..<400]), ("What is it?", []),
      ("And how's that?", []), ("So, Where? Really?", [200..<300]), ("I know it.", []),
      ("Do you? Do you?", [0..<200, 200..<400]), ("Now, would you", []),
    ])
  func questions(text: String, expected: [Range<Int>]) {
    #expect(YesNoQuestions.find(in: Self.words(text)) == expected)
  }

  @Test("the mark of a question begins at its last stressed sound")
  func questionMark() {
    let phones = [
      PhoneTiming(symbol: "a", start: 0, end: 20, isStressed: true),
      PhoneTiming(symbol: "b", start: 40, end: 60, isStressed: true),
    ]
    let prosody = SpeechProsody(
      phones: phones, words: Self.words("Is it?", each: 50), pitch: [200], sampleCount: 120, sampleRate: 100)
    #expect(prosody.marks.indices.filter { prosody.marks[$0] == .stressed } == Array(0..<10))
    #expect(prosody.marks.indices.filter { prosody.marks[$0] == .question } == Array(20..<50))
  }

  @Test("a recording keeps the pitch in step with its sound, chunk by chunk, and cuts it with it")
  func recording() {
    let clock = ManualClock()
    let executor = ManualExecutor()
    let sink = RecordingSink(clock: clock)
    executor.task {
      await sink.begin(sampleRate: 1000)
      // 30 ms are 2.4 values.
      for value in 1...10 {
        await sink.write(
          SpeechChunk(
            samples: [Float](repeating: 0.1, count: 30), sampleRate: 1000,
            pitch: [Float](repeating: Float(value), count: 3)))
      }
    }
    executor.drain()
    clock.advance(by: 0.5)
    executor.drain()
    let pitch = sink.segments.first?.pitch ?? []
    #expect(pitch.count == 25)
    for value in 1...10 { #expect(pitch[(30 * (value - 1) + 15) * 80 / 1000] == Float(value)) }
    #expect(sink.segments.first?.prosody.pitch.count == 15)
  }

  @Test("an interruption cuts the pitch where it cuts the sound")
  func cut() {
    let clock = ManualClock()
    let executor = ManualExecutor()
    let sink = RecordingSink(clock: clock)
    executor.task {
      await sink.begin(sampleRate: 1000)
      await sink.write(
        SpeechChunk(
          samples: [Float](repeating: 0.1, count: 1000), sampleRate: 1000,
          pitch: [Float](repeating: 200, count: 80)))
    }
    executor.drain()
    clock.advance(by: 0.25)
    sink.interrupt()
    #expect(sink.segments.first?.pitch.count == 20)
  }
}
