import Testing
import VoiceAudio
import VoiceIO
import YoobTesting

@testable import RunAnywhere

/// Engines that do what engines should not.
private struct RawLlm: LlmEngine {
  let write: @Sendable (@escaping @Sendable (String) -> Bool) async throws -> GenerationResult
  func generate(
    _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
  ) async throws -> GenerationResult { try await write(onText) }
}

private struct RawTts: TtsEngine {
  let sampleRate = 16_000
  let voices: [String] = []
  let speak: @Sendable (String) async throws -> SynthesizedSpeech
  func synthesize(_ text: String, options: TtsOptions) async throws -> SynthesizedSpeech {
    try await speak(text)
  }
}

private struct RawStt: SttEngine {
  let listen: @Sendable ([Float]) async throws -> Transcription
  func transcribe(_ samples: [Float], options: SttOptions) async throws -> Transcription {
    try await listen(samples)
  }
}

private struct RawVad: VadEngine {
  let judge: @Sendable ([Float]) -> Float
  func makeDetector() throws -> any SpeechDetector { Detector(judge: judge) }
  private final class Detector: SpeechDetector {
    let windowSize = 512
    let judge: @Sendable ([Float]) -> Float
    init(judge: @escaping @Sendable ([Float]) -> Float) { self.judge = judge }
    func probability(_ window: [Float]) throws -> Float { judge(window) }
    func reset() {}
  }
}

private struct MuteTurnDetector: TurnDetector {
  let longestInput = 128_000
  let asked: Guarded<Int>
  func completeness(_ samples: [Float]) async throws -> Float {
    asked.withLock { $0 += 1 }
    await never()
    return 1
  }
}

/// Does not end, and does not care whether it is cancelled.
private func never() async { await OneShot().value() }

@Suite("Engines that break")
struct BrokenEngineTests {
  private static let question = "..AAAAAAAAAA"
  private static let trouble = SDKException(.generationFailed, category: .component, "The engine broke.")

  private func bench(_ adjust: (inout VoiceEngines) -> Void) throws -> SessionBench {
    let bench = SessionBench(
      transcripts: ["A": "how are you today", "B": "and now again please"], adjust: adjust
    ) { _ in "I am fine today. Thank you for asking me that." }
    try bench.session.start()
    return bench
  }

  private func errors(_ bench: SessionBench) -> [String] {
    bench.events.compactMap { if case .error(let message, recoverable: true) = $0 { message } else { nil } }
  }

  private func isDone(_ bench: SessionBench) -> Bool { bench.events.last == .agentStateChanged(.listening) }

  /// Asks the question, and expects one error within `limit` milliseconds, which begins so, and that the session
  /// listens again.
  private func expectGivenUp(_ bench: SessionBench, within limit: Int, _ message: String) {
    bench.hear(Self.question)
    #expect(bench.listen(upTo: limit) { !errors(bench).isEmpty })
    #expect(errors(bench).count == 1)
    #expect(errors(bench).first?.hasPrefix(message) == true)
    #expect(isDone(bench))
  }

  /// Whether nothing but numbers within -1...1 was heard.
  private func isClean(_ bench: SessionBench) -> Bool {
    bench.sink.segments.allSatisfy { $0.clip.samples.allSatisfy { abs($0) <= 1 } }
  }

  // MARK: Language model

  /// Asks the question of a language model whose reply may have five tokens, and waits for the reply.
  private func askForFewWords(_ llm: RawLlm) throws -> SessionBench {
    var generation = LlmOptions()
    generation.maxOutputTokens = 5
    let bench = SessionBench(
      transcripts: ["A": "how are you today"], generation: generation, adjust: { $0.llm = llm },
      reply: { _ in "" })
    try bench.session.start()
    bench.hear(Self.question)
    #expect(bench.listen(upTo: 60_000) { bench.session.history.last?.role == .assistant })
    return bench
  }

  @Test("a language model that fails in the middle of a sentence: an error, and what was heard is kept")
  func llmFailsMidSentence() throws {
    let isBroken = Guarded(true)
    let bench = try bench { engines in
      let good = engines.llm
      engines.llm = RawLlm { onText in
        guard isBroken.withLock({ $0 }) else {
          return try await good.generate([], options: LlmOptions(), onText: onText)
        }
        _ = onText("One two three four. Five ")
        throw Self.trouble
      }
    }
    bench.hear(Self.question + String(repeating: ".", count: 40))
    #expect(errors(bench).first?.contains("The engine broke.") == true)
    #expect(errors(bench).count == 1)
    #expect(isDone(bench))
    let heard = bench.session.history.last { $0.role == .assistant }?.content ?? ""
    #expect("One two three four. Five".hasPrefix(heard))
    isBroken.withLock { $0 = false }
    bench.hear("BBBBBBBBBB" + String(repeating: ".", count: 60))
    #expect(bench.session.history.last?.content == "I am fine today. Thank you for asking me that.")
  }

  @Test("a language model that never gives a word is given up after a minute, and the next turn works")
  func llmNeverBegins() throws {
    let isBroken = Guarded(true)
    let bench = try bench { engines in
      let good = engines.llm
      engines.llm = RawLlm { onText in
        if isBroken.withLock({ $0 }) { await never() }
        return try await good.generate([], options: LlmOptions(), onText: onText)
      }
    }
    expectGivenUp(
      bench, within: 70_000,
      "The reply could not be written: The language model gave no text for 60 seconds.")
    isBroken.withLock { $0 = false }
    bench.hear("BBBBBBBBBB" + String(repeating: ".", count: 60))
    #expect(bench.session.history.last?.content.hasPrefix("I am fine") == true)
  }

  @Test("a language model that stops in the middle and gives empty pieces is given up too")
  func llmStalls() throws {
    let bench = try bench { engines in
      engines.llm = RawLlm { onText in
        _ = onText("One two three four. Five ")
        _ = onText("")
        await never()
        return GenerationResult(text: "")
      }
    }
    expectGivenUp(bench, within: 70_000, "The reply could not be written: ")
  }

  @Test("a language model that never ends is cut off at its greatest length")
  func llmNeverEnds() throws {
    let bench = try askForFewWords(
      RawLlm { onText in
        for _ in 0..<10_000 { _ = onText("word ") }  // deaf to the answer
        await never()
        return GenerationResult(text: "")
      })
    let heard = try #require(bench.session.history.last?.content)
    #expect(heard.count <= 200 && heard.count > 150)
    #expect(errors(bench) == [])
  }

  @Test("one enormous piece of text is cut to the greatest length")
  func llmHuge() throws {
    let bench = try askForFewWords(
      RawLlm { onText in
        let text = String(repeating: "word ", count: 200_000)
        _ = onText(text)
        return GenerationResult(text: text)
      })
    #expect(bench.session.history.last.map { $0.content.count <= 200 } == true)
  }

  @Test("a session closes although an engine does not heed that it is cancelled")
  func closesOverStuckEngine() throws {
    let bench = try bench { engines in
      engines.llm = RawLlm { _ in
        await never()
        return GenerationResult(text: "")
      }
    }
    bench.hear(Self.question + "..........")
    let session = bench.session
    let close = bench.perform { await session.close() }
    bench.wait(milliseconds: 11_000)
    #expect(close.isFinished)
  }

  // MARK: Voice

  @Test("a voice whose samples are no numbers here and there is heard without them")
  func ttsSomeNaN() throws {
    let bench = try bench { engines in
      let good = engines.tts
      engines.tts = RawTts { text in
        var speech = try await good.synthesize(text, options: TtsOptions())
        for index in stride(from: 0, to: speech.samples.count, by: 7) { speech.samples[index] = .nan }
        speech.samples[1] = .infinity
        speech.samples[2] = 40
        speech.pitch = [.nan, -5, 100]
        return speech
      }
    }
    bench.hear(Self.question + String(repeating: ".", count: 60))
    #expect(errors(bench) == [])
    #expect(bench.soundingSamples > 16_000)
    #expect(isClean(bench))
  }

  @Test(
    "a voice that gives no sound, broken sound or sound without a rate: an error, no silence taken for speech",
    arguments: [0, 1, 2])
  func ttsUseless(kind: Int) throws {
    let bench = try bench { engines in
      engines.tts = RawTts { _ in
        switch kind {
        case 0: SynthesizedSpeech(samples: [], sampleRate: 16_000)
        case 1: SynthesizedSpeech(samples: [Float](repeating: .nan, count: 1600), sampleRate: 16_000)
        default: SynthesizedSpeech(samples: [0.1, 0.1], sampleRate: 0)
        }
      }
    }
    bench.hear(Self.question + String(repeating: ".", count: 40))
    #expect(errors(bench).count == 1)
    #expect(errors(bench).first?.contains("The voice gave") == true)
    #expect(isDone(bench))
    #expect(bench.session.history.last?.role == .user)
  }

  @Test("a voice whose rate changes from clause to clause is heard at one, for as long")
  func ttsRates() throws {
    let count = Guarded(0)
    let bench = try bench { engines in
      engines.tts = RawTts { text in
        let rate = count.withLock { count in
          count += 1
          return count.isMultiple(of: 2) ? 48_000 : 8_000
        }
        let words = text.split(separator: " ").count
        return SynthesizedSpeech(
          samples: (0..<(rate * words / 5)).map { $0.isMultiple(of: 40) ? 0.3 : 0.2 }, sampleRate: rate)
      }
    }
    bench.hear(Self.question + String(repeating: ".", count: 60))
    #expect(count.withLock { $0 } == 2)
    #expect(Set(bench.sink.segments.map(\.clip.sampleRate)) == [16_000])
    // Ten words of 200 ms.
    #expect(abs(bench.soundingSamples - 32_000) < 400)
    #expect(bench.session.history.last?.content == "I am fine today. Thank you for asking me that.")
  }

  @Test("a voice that gives impossible times of words: what was heard is still in order")
  func ttsTimes() throws {
    let bench = try bench { engines in
      let good = engines.tts
      engines.tts = RawTts { text in
        var speech = try await good.synthesize(text, options: TtsOptions())
        speech.words = speech.words.enumerated().map { index, word in
          WordTiming(text: word.text, start: index.isMultiple(of: 2) ? -99_999 : .max / 4, end: -5)
        }
        speech.phones = [PhoneTiming(symbol: "a", start: .min / 4, end: .max / 4)]
        return speech
      }
    }
    bench.hear(Self.question)
    bench.listen(upTo: 3000) { bench.isSpeaking }
    bench.hear(".....")
    bench.session.interrupt()
    bench.hear(".")
    let heard = bench.session.history.last { $0.role == .assistant }?.content ?? ""
    #expect("I am fine today. Thank you for asking me that.".hasPrefix(heard))
  }

  @Test("a voice that never ends is given up after a minute")
  func ttsStalls() throws {
    let bench = try bench { engines in
      engines.tts = RawTts { _ in
        await never()
        return SynthesizedSpeech(samples: [], sampleRate: 16_000)
      }
    }
    expectGivenUp(
      bench, within: 150_000, "The reply could not be spoken: The voice gave no sound for 60 seconds.")
  }

  // MARK: Recognizer

  @Test("a recognizer that never answers is given up, and the session listens on")
  func sttStalls() throws {
    let isBroken = Guarded(true)
    let bench = try bench { engines in
      let good = engines.stt
      engines.stt = RawStt { samples in
        if isBroken.withLock({ $0 }) { await never() }
        return try await good.transcribe(samples, options: SttOptions())
      }
    }
    bench.hear(Self.question)
    #expect(bench.listen(upTo: 300_000) { !errors(bench).isEmpty })
    #expect(errors(bench).first?.contains("The recognizer gave no text for") == true)
    isBroken.withLock { $0 = false }
    bench.hear("BBBBBBBBBB" + String(repeating: ".", count: 60))
    #expect(bench.finals == ["and now again please"])
  }

  @Test(
    "a recognizer that writes nothing, rubbish or far too much: no answer to nothing, no end of the session",
    arguments: [0, 1, 2, 3])
  func sttRubbish(kind: Int) throws {
    let texts = ["", "\u{FFFD}\u{0}\u{FFFD}", " \n\t ", String(repeating: "word ", count: 100_000)]
    let bench = try bench { engines in
      engines.stt = RawStt { _ in
        var result = Transcription(text: texts[kind], confidence: .nan, durationMs: -5)
        result.words = [.init(text: "x", startMs: -9, endMs: .min, confidence: .nan)]
        return result
      }
    }
    bench.hear(Self.question + String(repeating: ".", count: 60))
    #expect(bench.finals.count == (kind == 3 ? 1 : 0))
    #expect(bench.finals.allSatisfy { $0.count <= 20_000 })
    bench.hear("....")
    #expect(bench.end == nil)
  }

  // MARK: Voice activity and turns

  @Test("a voice activity model that gives no number once is passed over; for a second, the session says so")
  func vadNaN() throws {
    let brokenWindows = Guarded(0..<0)
    let count = Guarded(0)
    let bench = try bench { engines in
      engines.vad = RawVad { window in
        let index = count.withLock { count in
          count += 1
          return count
        }
        if brokenWindows.withLock({ $0.contains(index) }) { return .nan }
        return abs(window[0]) > 0.001 ? 0.95 : 0.01
      }
    }
    brokenWindows.withLock { $0 = 10..<14 }
    bench.hear(Self.question + String(repeating: ".", count: 60))
    #expect(bench.finals == ["how are you today"])
    brokenWindows.withLock { $0 = 0..<Int.max }
    bench.hear("....................")
    #expect(throws: SDKException.self) { try bench.end?.get() }
    let last = try #require(bench.events.last)
    #expect(last == .error(message: "Voice activity detection failed.", recoverable: false))
  }

  @Test("a turn detector that never answers leaves the decision to the words, and is asked again later")
  func detectorStalls() throws {
    let asked = Guarded(0)
    let bench = try bench { $0.turn = MuteTurnDetector(asked: asked) }
    bench.hear(Self.question + String(repeating: ".", count: 120))
    #expect(bench.finals == ["how are you today"])
    #expect(asked.withLock { $0 } == 1)
    bench.hear("BBBBBBBBBB" + String(repeating: ".", count: 60))
    #expect(bench.finals.count == 2)
    #expect(asked.withLock { $0 } == 2)
  }

  // MARK: Rules that need many turns

  @Test("forty turns leave no timer and no job behind")
  func noGrowth() throws {
    let bench = try bench { _ in }
    var pending: [Int] = []
    for _ in 0..<40 {
      bench.hear("AAAAAA" + String(repeating: ".", count: 44))
      pending.append(bench.clock.pendingCount)
    }
    #expect(bench.finals.count == 40)
    #expect(pending.allSatisfy { $0 <= 1 })
    #expect(bench.session.history.count < 100)
  }

  @Test("the bar for an interruption does not follow what was loud before")
  func fixedBar() {
    var machine = TurnMachine(settings: .init())
    func hear(_ probability: Float, milliseconds: Int) -> [TurnMachine.Action] {
      (0..<(milliseconds / 32)).flatMap { _ in machine.handle(.window(probability: probability, count: 512)) }
    }
    // A loud question, the answer, and ten seconds of something that nearly passes for speech.
    _ = hear(0.99, milliseconds: 1000) + hear(0.01, milliseconds: 300)
    _ = machine.handle(.typed("hello"))
    guard let reply = machine.reply?.id else {
      Issue.record("no reply")
      return
    }
    _ = machine.handle(.soundReady(reply: reply)) + machine.handle(.soundStarted(reply: reply))
    #expect(!hear(0.45, milliseconds: 10_000).contains(.stop(reply: reply)))
    #expect(hear(0.55, milliseconds: 1500).contains(.stop(reply: reply)))
  }
}
