import Testing
import VoiceAudio
import VoiceIO

@testable import RunAnywhere

@Suite("Microphone inlet")
struct MicrophoneInletTests {
  private func frame(_ value: Float, count: Int = 320) -> AudioFrame {
    AudioFrame(samples: [Float](repeating: value, count: count), sampleRate: 16_000, position: 0)
  }

  @Test("only the first frame wakes the reader")
  func wakesOnce() {
    let inlet = MicrophoneInlet()
    #expect(inlet.push(frame(1), time: 0))
    #expect(!inlet.push(frame(2), time: 0))
    _ = inlet.take()
    #expect(inlet.push(frame(3), time: 0))
  }

  @Test("the newest second is kept, the rest is counted")
  func keepsNewest() {
    let inlet = MicrophoneInlet()
    for index in 0..<60 { _ = inlet.push(frame(Float(index)), time: 0) }
    let backlog = inlet.take()
    let (arrivals, dropped) = (backlog.arrivals, backlog.dropped)
    #expect(arrivals.count == 50)
    #expect(arrivals.first?.frame.samples.first == 10)
    #expect(dropped == 10 * 320)
    #expect(inlet.take().dropped == 0)
  }

  @Test("samples that the device dropped itself are counted, and a new beginning is none of them")
  func gap() {
    let inlet = MicrophoneInlet()
    func push(_ position: Int) {
      _ = inlet.push(
        AudioFrame(samples: [Float](repeating: 0, count: 160), sampleRate: 16_000, position: position),
        time: 0)
    }
    push(0)
    push(160)
    #expect(inlet.take().dropped == 0)
    push(1600)
    let backlog = inlet.take()
    #expect(backlog.dropped == 1280)
    #expect(abs(backlog.droppedSeconds - 0.08) < 1e-9)
    push(0)
    push(160)
    #expect(inlet.take().dropped == 0)
  }

  @Test("one frame of three seconds is cut to its newest second")
  func hugeFrame() {
    let inlet = MicrophoneInlet()
    _ = inlet.push(frame(1, count: 48_000), time: 0)
    let backlog = inlet.take()
    let (arrivals, dropped) = (backlog.arrivals, backlog.dropped)
    #expect(arrivals.map(\.frame.samples.count).reduce(0, +) == 16_000)
    #expect(arrivals.first?.frame.position == 32_000)
    #expect(dropped == 32_000)
  }
}

@Suite("Utterance audio")
struct UtteranceAudioTests {
  @Test("silence stands where samples were lost", arguments: [10, 70 * 16_000])
  func lost(count: Int) {
    var audio = UtteranceAudio()
    audio.append([1, 2])
    audio.skip(count)
    audio.append([3])
    #expect(audio.end == count + 3)
    #expect(audio.slice((count + 2)..<(count + 3)) == [3])
  }

  @Test("ranges are cut to what is kept")
  func slices() {
    var audio = UtteranceAudio()
    audio.append((0..<100_000).map(Float.init))
    #expect(audio.slice(99_998..<200_000) == [99_998, 99_999])
    audio.forget(before: 90_000)
    #expect(audio.slice(0..<90_001) == [90_000])
    #expect(audio.end == 100_000)
  }
}

@Suite("Heard ledger")
struct HeardLedgerTests {
  private func ledger(_ text: String, perWord: Int = 100) -> HeardLedger {
    var ledger = HeardLedger()
    let speech = SpeechText(text)
    let words = speech.words.enumerated().map { index, word in
      WordTiming(text: word.text, start: index * perWord, end: (index + 1) * perWord)
    }
    _ = ledger.append(speech, words: words, sampleCount: words.count * perWord)
    return ledger
  }

  @Test(
    "a word counts as heard from its half on",
    arguments: [
      (0, ""), (49, ""), (50, "Hello"), (149, "Hello"), (150, "Hello there"),
      (300, "Hello there **friend**"), (9999, "Hello there **friend**"), (-5, ""),
    ])
  func half(played: Int, heard: String) {
    #expect(ledger("Hello 😀 there **friend**").heardText(played: played).replacing(" 😀", with: "") == heard)
  }

  @Test("a written word that takes several spoken ones counts as one")
  func severalWords() {
    let ledger = ledger("Pay $3.50 now.")  // pay, three, dollars, and, fifty, cents, now
    #expect(ledger.heardText(played: 349) == "Pay")
    #expect(ledger.heardText(played: 350) == "Pay $3.50")
  }

  @Test("a voice that gives no times is shared out by letters")
  func noTimes() {
    var ledger = HeardLedger()
    let timings = ledger.append(SpeechText("one two three"), words: [], sampleCount: 1400)
    #expect(timings.map(\.start) == [0, 400, 800])
    #expect(ledger.heardText(played: 700) == "one two")
  }

  @Test("clauses follow each other")
  func clauses() {
    var ledger = ledger("One two.")
    let speech = SpeechText(" Three.")
    let times = ledger.append(
      speech, words: [WordTiming(text: "Three.", start: 10, end: 110)], sampleCount: 110)
    #expect(times == [WordTiming(text: "Three.", start: 210, end: 310)])
    #expect(ledger.total == 310)
    #expect(ledger.heardText(played: 260) == "One two. Three.")
  }

  @Test("more sound heard never means fewer words")
  func monotonic() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<50 {
      let ledger = ledger(randomText(using: &random, pieces: 12))
      var last = 0
      for played in stride(from: 0, through: ledger.total, by: 37) {
        let count = ledger.heardText(played: played).unicodeScalars.count
        #expect(count >= last)
        last = count
      }
    }
  }
}

@Suite("Conversation history")
struct ConversationHistoryTests {
  @Test("the newest messages stay, with the system prompt, and begin with the user's")
  func bounded() {
    var history = ConversationHistory(systemPrompt: "S", maxCharacters: 300)
    for turn in 0..<100 {
      history.append(ChatMessage(role: .user, content: "question \(turn)"))
      history.append(ChatMessage(role: .assistant, content: "answer \(turn)"))
    }
    let prompt = history.prompt()
    #expect(prompt.first == ChatMessage(role: .system, content: "S"))
    #expect(prompt.dropFirst().first?.role == .user)
    #expect(prompt.last?.content == "answer 99")
    #expect(prompt.map(\.content.count).reduce(0, +) <= 301)
  }

  @Test("most turns keep the prompt's beginning, which the model has cached")
  func stablePrefix() {
    var history = ConversationHistory(systemPrompt: nil, maxCharacters: 1000)
    var moves = 0
    for turn in 0..<200 {
      let first = history.messages.first
      history.append(ChatMessage(role: .user, content: "question \(turn)"))
      if let first, history.messages.first != first { moves += 1 }
    }
    #expect(moves <= 8)
  }

  @Test("only the newest message of the user can be taken back")
  func retract() {
    var history = ConversationHistory(systemPrompt: nil)
    history.append(ChatMessage(role: .user, content: "a"))
    history.retractUser("b")
    #expect(history.messages.count == 1)
    history.retractUser("a")
    #expect(history.messages.isEmpty)
  }
}

@Suite("Endpoint rule")
struct EndpointRuleTests {
  @Test(
    "a sentence without its end is waited for",
    arguments: [
      ("What is the capital of France?", false), ("I want to", true), ("Well, I think so,", true),
      ("Give me bread and", true), ("Give me bread and.", true), ("", true), ("Yes.", false),
      ("No, because", true), ("Um", true), ("Let me think...", true), ("What is it for?", false),
    ])
  func table(text: String, isUnfinished: Bool) {
    #expect(EndpointRule.looksUnfinished(text) == isUnfinished)
  }

  @Test("maxDelayMs below minDelayMs does not shorten the wait")
  func order() {
    #expect(EndpointRule.delayMs(after: "and", Endpointing(minDelayMs: 800, maxDelayMs: 100)) == 800)
  }

  @Test(
    "what a recognizer writes for noise is no speech",
    arguments: [
      ("[BLANK_AUDIO]", ""), ("[BLANK_", ""), ("(speaking in foreign", ""), ("(soft music)", ""),
      (" Hello  there. ", "Hello there."), ("...", ""),
      ("Hi [laughs] you", "Hi you"), ("Wait (I think so", "Wait I think so"),
      ("One (two [three] four", "One two four"), ("Nine) ten", "Nine ten"),
    ])
  func noise(text: String, spoken: String) {
    #expect(EndpointRule.spokenText(Transcription(text: text)) == spoken)
  }

  @Test("a transcript that the recognizer does not trust is no speech")
  func confidence() {
    #expect(EndpointRule.spokenText(Transcription(text: "Thank you.", confidence: 0.1)) == "")
  }

  @Test("a transcript of which the recognizer gives no confidence is speech")
  func noConfidence() {
    #expect(EndpointRule.spokenText(Transcription(text: "Thank you.")) == "Thank you.")
    #expect(Transcription(text: "Thank you.").confidence == nil)
  }
}
