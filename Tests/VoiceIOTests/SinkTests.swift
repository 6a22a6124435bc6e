import Testing
import VoiceAudio
import VoiceIO
import YoobTesting

@Suite("Virtual loudspeakers")
struct SinkTests {
  private let clock = ManualClock()
  private let executor = ManualExecutor()

  private func chunk(_ count: Int, _ value: Float = 0.5, words: [WordTiming] = []) -> SpeechChunk {
    SpeechChunk(samples: [Float](repeating: value, count: count), sampleRate: 1000, words: words)
  }

  private func pass(_ seconds: Double) {
    for _ in 0..<Int((seconds * 100).rounded()) {
      clock.advance(by: 0.01)
      executor.drain()
    }
  }

  @Test("sound is played at its rate from the first chunk on")
  func pace() {
    let sink = RecordingSink(clock: clock)
    executor.task { [chunk] in
      await sink.begin(sampleRate: 1000)
      await sink.write(chunk(500, 0.5, []))
    }
    executor.drain()
    #expect(sink.playedSamples == 0)
    pass(0.2)
    #expect(sink.playedSamples == 200)
    pass(1)
    #expect(sink.playedSamples == 500)
  }

  @Test("finish returns when the last sample was heard")
  func finish() {
    let sink = RecordingSink(clock: clock)
    let isDone = Guarded(false)
    executor.task { [chunk] in
      await sink.begin(sampleRate: 1000)
      await sink.write(chunk(500, 0.5, []))
      await sink.finish()
      isDone.withLock { $0 = true }
    }
    executor.drain()
    pass(0.49)
    #expect(!isDone.withLock { $0 })
    pass(0.02)
    #expect(isDone.withLock { $0 })
  }

  @Test("a record that follows a loudspeaker holds and ends no later than that was heard")
  func heardElsewhere() throws {
    let sink = RecordingSink(clock: clock)
    executor.task { [chunk] in
      await sink.begin(sampleRate: 1000)
      await sink.write(chunk(1500, 0.5, []))
    }
    executor.drain()
    pass(0.9)
    #expect(sink.pause(atMost: 500) == 500)
    #expect(try #require(sink.segments.last).clip.samples.count == 500)
    pass(1)
    sink.resume()
    pass(0.3)
    #expect(sink.playedSamples == 800)
    #expect(sink.interrupt(atMost: 600) == 600)
    #expect(sink.segments.map(\.clip.samples.count) == [500, 100])
    #expect(sink.interrupt(atMost: 2_000) == 600)
  }

  @Test("write waits while two seconds are queued")
  func backPressure() {
    let sink = RecordingSink(clock: clock)
    let written = Guarded(0)
    executor.task { [chunk] in
      await sink.begin(sampleRate: 1000)
      for _ in 0..<10 {
        await sink.write(chunk(1000, 0.5, []))
        written.withLock { $0 += 1 }
      }
    }
    executor.drain()
    #expect(written.withLock { $0 } == 2)
    pass(1.01)
    #expect(written.withLock { $0 } == 3)
  }

  @Test("an interruption is exact, wakes whoever waits, and drops what is queued")
  func interrupt() {
    let sink = RecordingSink(clock: clock)
    let isDone = Guarded(false)
    executor.task { [chunk] in
      await sink.begin(sampleRate: 1000)
      await sink.write(
        chunk(
          1900, 0.5, [WordTiming(text: "a", start: 0, end: 50), WordTiming(text: "b", start: 300, end: 400)]))
      await sink.finish()
      isDone.withLock { $0 = true }
    }
    executor.drain()
    pass(0.25)
    #expect(sink.interrupt() == 250)
    executor.drain()
    #expect(isDone.withLock { $0 })
    pass(1)
    #expect(sink.playedSamples == 250)
    #expect(sink.segments.map(\.clip.samples.count) == [250])
    #expect(sink.segments.first?.words.map(\.text) == ["a"])
  }

  @Test("what is written after an interruption is not heard")
  func lateWrite() {
    let sink = RecordingSink(clock: clock)
    executor.task { [chunk] in
      await sink.begin(sampleRate: 1000)
      await sink.write(chunk(100, 0.5, []))
      sink.interrupt()
      await sink.write(chunk(100, 0.5, []))
    }
    executor.drain()
    pass(1)
    #expect(sink.segments.isEmpty)
  }

  @Test("the recording is silent where nothing was heard, gaps inside an utterance included")
  func timeline() {
    let sink = RecordingSink(clock: clock)
    executor.task { [chunk, clock] in
      await sink.begin(sampleRate: 1000)
      await sink.write(chunk(100, 0.5, []))
      await clock.sleep(until: 0.5)
      await sink.write(chunk(100, 0.25, []))
      await sink.finish()
      await clock.sleep(until: 1)
      await sink.begin(sampleRate: 1000)
      await sink.write(chunk(100, 0.75, []))
      await sink.finish()
    }
    executor.drain()
    pass(2)
    let recording = sink.recording(sampleRate: 1000, duration: 1.5)
    #expect(recording.samples.count == 1500)
    #expect(sink.segments.map { Int(($0.start * 1000).rounded()) } == [0, 500, 1000])
    #expect(sink.segments.map(\.utterance) == [1, 1, 2])
    #expect(recording.samples[50] == 0.5 && recording.samples[300] == 0)
    #expect(recording.samples[550] == 0.25 && recording.samples[1050] == 0.75)
  }

  @Test("an interruption inside a later run keeps the earlier runs whole")
  func interruptLaterRun() {
    let sink = RecordingSink(clock: clock)
    executor.task { [chunk, clock] in
      await sink.begin(sampleRate: 1000)
      await sink.write(chunk(100, 0.5, []))
      await clock.sleep(until: 0.5)
      await sink.write(chunk(100, 0.25, []))
    }
    executor.drain()
    pass(0.55)
    #expect(sink.interrupt() == 150)
    #expect(sink.segments.map(\.clip.samples.count) == [100, 50])
  }

  @Test("chunks are handed on at once, and the end is told when they were heard")
  func callbacks() {
    let events = Guarded<[CallbackSink.Event]>([])
    let sink = CallbackSink(clock: clock) { event in events.withLock { $0.append(event) } }
    let first = chunk(1000)
    executor.task {
      await sink.begin(sampleRate: 1000)
      await sink.write(first)
      await sink.finish()
      await sink.begin(sampleRate: 1000)
      await sink.write(first)
      await sink.finish()
    }
    executor.drain()
    #expect(events.withLock { $0 } == [.began(utterance: 1, sampleRate: 1000), .chunk(utterance: 1, first)])
    pass(1.2)
    sink.interrupt()
    executor.drain()
    #expect(
      events.withLock { Array($0.dropFirst(2)) } == [
        .finished(utterance: 1, played: 1000), .began(utterance: 2, sampleRate: 1000),
        .chunk(utterance: 2, first), .interrupted(utterance: 2, played: 200),
      ])
  }

  @Test("whoever is told of sound may interrupt it from there, and the order stays")
  func interruptFromCallback() {
    let events = Guarded<[CallbackSink.Event]>([])
    let box = Guarded<CallbackSink?>(nil)
    let sink = CallbackSink(clock: clock) { event in
      events.withLock { $0.append(event) }
      if case .chunk = event { box.withLock { $0 }?.interrupt() }
    }
    box.withLock { $0 = sink }
    let first = chunk(1000)
    executor.task {
      await sink.begin(sampleRate: 1000)
      await sink.write(first)
    }
    executor.drain()
    #expect(
      events.withLock { $0 } == [
        .began(utterance: 1, sampleRate: 1000), .chunk(utterance: 1, first),
        .interrupted(utterance: 1, played: 0),
      ])
    box.withLock { $0 = nil }
  }

  @Test("interruptions from other threads never come before what they interrupt")
  func orderAcrossThreads() async {
    let events = Guarded<[CallbackSink.Event]>([])
    let sink = CallbackSink(clock: clock) { event in events.withLock { $0.append(event) } }
    let sound = chunk(10)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<500 {
          await sink.begin(sampleRate: 1000)
          await sink.write(sound)
        }
      }
      group.addTask {
        for _ in 0..<2000 {
          sink.pause()
          sink.resume()
          sink.interrupt()
        }
      }
    }
    var open = 0
    for event in events.withLock({ $0 }) {
      switch event {
      case .began(let utterance, _): open = utterance
      case .chunk(let utterance, _), .paused(let utterance, _), .resumed(let utterance):
        #expect(open == utterance)
      case .finished(let utterance, _), .interrupted(let utterance, _):
        #expect(open == utterance)
        open = 0
      }
    }
  }

  @Test("a sink that hands sound on tells once when it is held and when it goes on")
  func handedOnHold() {
    let events = Guarded<[CallbackSink.Event]>([])
    let sink = CallbackSink(clock: clock) { event in events.withLock { $0.append(event) } }
    #expect(!sink.canPause)
    #expect(CallbackSink(clock: clock, canPause: { true }) { _ in }.canPause)
    executor.task { [chunk] in
      sink.pause()
      await sink.begin(sampleRate: 1000)
      await sink.write(chunk(500, 0.5, []))
      await sink.finish()
    }
    executor.drain()
    pass(0.3)
    sink.pause()
    sink.pause()
    pass(2)
    sink.resume()
    sink.resume()
    pass(0.1)
    #expect(sink.playedSamples == 400)
    pass(1)
    #expect(
      events.withLock { $0.filter { if case .chunk = $0 { false } else { true } } } == [
        .began(utterance: 1, sampleRate: 1000), .paused(utterance: 1, played: 300), .resumed(utterance: 1),
        .finished(utterance: 1, played: 500),
      ])
  }

  @Test("a new utterance interrupts one that is open")
  func beginTwice() {
    let events = Guarded<[CallbackSink.Event]>([])
    let sink = CallbackSink(clock: clock) { event in events.withLock { $0.append(event) } }
    executor.task {
      await sink.begin(sampleRate: 1000)
      await sink.begin(sampleRate: 2000)
    }
    executor.drain()
    #expect(
      events.withLock { $0 } == [
        .began(utterance: 1, sampleRate: 1000), .interrupted(utterance: 1, played: 0),
        .began(utterance: 2, sampleRate: 2000),
      ])
  }

  @Test("a held sink stands still, then goes on with the next sample, phones and words in their places")
  func hold() throws {
    let sink = RecordingSink(clock: clock)
    let ramp = (0..<1000).map { Float($0) / 1000 }
    let isDone = Guarded(false)
    executor.task {
      await sink.begin(sampleRate: 1000)
      await sink.write(
        SpeechChunk(
          samples: ramp, sampleRate: 1000,
          phones: [
            PhoneTiming(symbol: "a", start: 0, end: 400), PhoneTiming(symbol: "b", start: 400, end: 1000),
          ],
          words: [
            WordTiming(text: "one", start: 0, end: 400), WordTiming(text: "two", start: 400, end: 1000),
          ]))
      await sink.finish()
      isDone.withLock { $0 = true }
    }
    executor.drain()
    pass(0.3)
    #expect(sink.pause() == 300)
    #expect(sink.pause() == 300)
    pass(5)
    #expect(sink.playedSamples == 300)
    #expect(!isDone.withLock { $0 })
    sink.resume()
    sink.resume()
    pass(0.2)
    #expect(sink.playedSamples == 500)
    pass(0.6)
    #expect(isDone.withLock { $0 })
    let segments = sink.segments
    #expect(segments.count == 2)
    #expect(segments.flatMap(\.clip.samples) == ramp)
    #expect(abs(segments[1].start - segments[0].start - 5.3) < 0.001)
    #expect(segments[0].phones == [PhoneTiming(symbol: "a", start: 0, end: 300)])
    #expect(
      segments[1].phones == [
        PhoneTiming(symbol: "a", start: 0, end: 100), PhoneTiming(symbol: "b", start: 100, end: 700),
      ])
    #expect(segments.map { $0.words.map(\.text) } == [["one"], ["two"]])
  }

  @Test("what is written while the sink is held follows; an interruption drops it")
  func writtenWhileHeld() {
    for isInterrupted in [false, true] {
      let sink = RecordingSink(clock: clock)
      executor.task { [chunk] in
        await sink.begin(sampleRate: 1000)
        await sink.write(chunk(500, 0.25, []))
        await sink.write(chunk(500, 0.5, []))
      }
      executor.drain()
      pass(0.2)
      sink.pause()
      executor.task { [chunk] in await sink.write(chunk(500, 0.75, [])) }
      pass(1)
      if isInterrupted { #expect(sink.interrupt() == 200) } else { sink.resume() }
      pass(2)
      let samples = sink.segments.flatMap(\.clip.samples)
      #expect(samples.count == (isInterrupted ? 200 : 1500))
      #expect(samples.last == (isInterrupted ? 0.25 : 0.75))
      #expect(sink.playedSamples == samples.count)
    }
  }

  @Test("holding nothing, or a sink that has played all, changes nothing")
  func holdNothing() {
    let sink = RecordingSink(clock: clock)
    sink.pause()
    sink.resume()
    executor.task { [chunk] in
      await sink.begin(sampleRate: 1000)
      sink.pause()
      sink.resume()
      await sink.write(chunk(100, 0.5, []))
    }
    pass(0.5)
    sink.pause()
    executor.task { [chunk] in await sink.write(chunk(100, 0.75, [])) }
    pass(0.5)
    #expect(sink.playedSamples == 100)
    sink.resume()
    pass(0.5)
    #expect(sink.playedSamples == 200)
    #expect(sink.segments.map(\.clip.samples.count) == [100, 100])
  }
}
