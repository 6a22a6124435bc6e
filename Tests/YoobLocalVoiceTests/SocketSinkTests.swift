import Testing
import VoiceAudio
import VoiceIO
import YoobTesting

@testable import YoobLocalVoice

@Suite("Socket sink")
struct SocketSinkTests {
  /// A sink whose time and tasks the test moves.
  private final class Bench: Sendable {
    let clock = ManualClock()
    let executor = ManualExecutor()
    let sink: SocketSink
    private let seen: Guarded<[SocketSink.Event]>

    init(visemes: SocketSink.VisemeMaker? = nil, wantsProsody: Bool = false) {
      let seen = Guarded<[SocketSink.Event]>([])
      self.seen = seen
      sink = SocketSink(clock: clock, visemes: visemes) {
        wantsProsody
      } emit: { event in
        seen.withLock { $0.append(event) }
      }
    }

    var events: [SocketSink.Event] { seen.withLock { $0 } }

    var sentBytes: Int {
      events.reduce(0) { sum, event in
        if case .audio(_, let pcm) = event { sum + pcm.count } else { sum }
      }
    }

    func run(_ body: @escaping @Sendable (SocketSink) async -> Void) {
      _ = executor.task { [sink] in await body(sink) }
      executor.drain()
    }

    func advance(_ seconds: Double) {
      for _ in 0..<Int((seconds / 0.05).rounded()) {
        clock.advance(by: 0.05)
        executor.drain()
      }
    }
  }

  private static func chunk(seconds: Double, rate: Int = 24_000) -> SpeechChunk {
    SpeechChunk(samples: [Float](repeating: 0.1, count: Int(seconds * Double(rate))), sampleRate: rate)
  }

  @Test("sound goes out in pieces of 200 ms, at most about two seconds ahead")
  func pace() {
    let bench = Bench()
    bench.run { sink in
      await sink.begin(sampleRate: 24_000)
      await sink.write(Self.chunk(seconds: 10))
      await sink.finish()
    }
    #expect(bench.events.first == .began(utterance: 1, sampleRate: 24_000))
    var now = 0.0
    while now < 9 {
      let aheadMs = Double(bench.sentBytes) / 48 - now * 1000
      #expect(aheadMs <= 2250 && (now > 7.5 || aheadMs >= 1950), "\(now) s: \(aheadMs) ms ahead")
      bench.advance(0.5)
      now += 0.5
    }
    #expect(bench.sentBytes == 480_000)
    for event in bench.events {
      if case .audio(_, let pcm) = event { #expect(pcm.count <= 9600) }
    }
    #expect(!bench.events.contains(.finished(utterance: 1)))
    bench.advance(1.1)
    #expect(bench.events.last == .finished(utterance: 1))
    #expect(bench.sink.playedSamples == 240_000)
  }

  @Test("an interruption stops the sending and tells what was heard")
  func interruption() {
    let bench = Bench()
    bench.run { sink in
      await sink.begin(sampleRate: 24_000)
      await sink.write(Self.chunk(seconds: 10))
      await sink.finish()
    }
    bench.advance(1.5)
    #expect(abs(bench.sink.interrupt() - 36_000) <= 24)
    let sent = bench.sentBytes
    bench.advance(5)
    #expect(bench.sentBytes == sent)
    #expect(bench.events.last == .interrupted(utterance: 1))
    #expect(abs(bench.sink.playedSamples - 36_000) <= 24)
  }

  @Test(
    "another rate is converted; positions stay in the voice's own samples",
    arguments: [16_000, 22_050, 48_000])
  func conversion(rate: Int) {
    let bench = Bench()
    bench.run { sink in
      await sink.begin(sampleRate: rate)
      await sink.write(Self.chunk(seconds: 1, rate: rate))
      await sink.finish()
    }
    bench.advance(2)
    #expect(abs(bench.sentBytes - 48_000) <= 200)
    #expect(bench.sink.playedSamples == rate)
  }

  @Test("mouth frames tell where their chunk begins")
  func visemes() {
    let bench = Bench { phones, count, rate in
      phones.map { _ in [Float(count), Float(rate)] }
    }
    bench.run { sink in
      await sink.begin(sampleRate: 24_000)
      for _ in 0..<2 {
        var chunk = Self.chunk(seconds: 0.5)
        chunk.phones = [PhoneTiming(symbol: "a", start: 0, end: 100)]
        await sink.write(chunk)
      }
    }
    let frames = bench.events.filter { if case .visemes = $0 { true } else { false } }
    #expect(
      frames == [
        .visemes(utterance: 1, startMs: 0, frames: [[12_000, 24_000]]),
        .visemes(utterance: 1, startMs: 500, frames: [[12_000, 24_000]]),
      ])
  }

  @Test("the melody of a chunk goes out before its sound to those who want it", arguments: [true, false])
  func prosody(wanted: Bool) {
    let bench = Bench(wantsProsody: wanted)
    bench.run { sink in
      await sink.begin(sampleRate: 24_000)
      for word in ["It.", "Is it?"] {
        var chunk = Self.chunk(seconds: 0.5)
        chunk.words = [WordTiming(text: word, start: 0, end: 6000)]
        chunk.pitch = [Float](repeating: 220, count: 40)
        await sink.write(chunk)
      }
    }
    var told: [(place: Int, startMs: Int, SpeechProsody)] = []
    for (place, event) in bench.events.enumerated() {
      if case .prosody(1, let startMs, let prosody) = event { told.append((place, startMs, prosody)) }
    }
    #expect(told.map(\.startMs) == (wanted ? [0, 500] : []))
    guard wanted else { return }
    #expect(told[0].place == 1)
    #expect(told[0].2.pitch == [Float](repeating: 220, count: 25))
    #expect(told[0].2.marks.allSatisfy { $0 == .none })
    #expect(told[1].2.marks.filter { $0 == .question }.count == 13)
  }

  @Test("utterances are numbered one after the other")
  func numbers() {
    let bench = Bench()
    bench.run { sink in
      for _ in 0..<2 {
        await sink.begin(sampleRate: 24_000)
        await sink.write(Self.chunk(seconds: 0.1))
      }
    }
    #expect(bench.events.contains(.interrupted(utterance: 1)))
    #expect(bench.events.contains(.began(utterance: 2, sampleRate: 24_000)))
  }
}
