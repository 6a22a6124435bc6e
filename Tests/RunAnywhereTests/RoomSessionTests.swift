import RunAnywhere
import Testing
import VoiceAudio
import VoiceIO
import YoobTesting

@Suite("Sessions in a virtual room")
struct RoomSessionTests {
  private static let reply = "one two three four five six seven eight nine ten. eleven twelve."

  private func engines(_ clock: ManualClock = ManualClock()) -> VoiceEngines {
    VoiceEngines(
      vad: ScriptedVad(), stt: ScriptedStt(["A": "how are you", "B": "stop it now"], clock: clock),
      llm: ScriptedLlm(clock: clock) { _ in Self.reply }, tts: ScriptedTts(clock: clock))
  }

  private func recording(_ script: String) -> AudioClip {
    AudioClip(samples: ScriptedSound.samples(script), sampleRate: ScriptedSound.sampleRate)
  }

  @Test("a turn is heard, answered and interrupted on one clock, the same each time")
  func conversation() async throws {
    guard #available(macOS 15, iOS 18, *) else { return }
    var runs: [[VirtualRoom.Sound]] = []
    for _ in 0..<2 {
      var options = VirtualRoom.Options()
      options.noise = 0
      let bench = RoomSession(engines(), .lockstep(RoomSession.Work()), room: options)
      try bench.session.start()
      bench.room.speak(recording("AAAAAA"), at: 0.5)
      #expect(await bench.pass(upTo: 4) { bench.room.heardSeconds > 0.5 })
      let user = bench.room.speak(recording("BBBBBBBBBB"), at: bench.room.now)
      #expect(await bench.pass(upTo: 2) { bench.room.events.last?.kind == .interrupted })
      let sound = try #require(bench.room.sounds.last)
      #expect(sound.end > user + 0.5 && sound.end < user + 0.6)
      await bench.close()
      await bench.close()
      #expect(bench.liveTasks == 0)
      #expect(bench.events.contains { $0.value == .userTranscribed(text: "how are you", isFinal: true) })
      runs.append(bench.room.sounds)
    }
    #expect(runs[0] == runs[1])
  }

  @Test(
    "a prefix is found by its words",
    arguments: [
      ("the cat sat on the mat", "", 0), ("the cat sat on the mat", "the cat", 2),
      ("the cat sat on the mat", "The cat sa", 3), ("the cat sat on the mat", "a cat sat on the mat.", 6),
      ("", "hello", 0),
    ])
  func prefix(text: String, heard: String, count: Int) {
    #expect(HeardWords.prefix(of: HeardWords.words(text), heard: HeardWords.words(heard)) == count)
  }

  @Test("words have no punctuation and keep their apostrophes' letters")
  func words() {
    #expect(HeardWords.words("Don’t stop -- it's 5, OK?") == ["dont", "stop", "its", "5", "ok"])
  }

  @Test("clauses are found in what was heard, and what was lost or heard twice is told")
  func trace() {
    let known: [[Float]] = [[0, 0.1, 0.2, 0.3], [0.4, 0, 0.5], [0.1, 0.9]]
    let whole = SpokenTrace([0, 0, 0.1, 0.2, 0.3, 0, 0, 0.4, 0, 0.5], of: known)
    #expect(whole.fault == nil)
    #expect(whole.clauses == [.init(index: 0, start: 1, heard: 4), .init(index: 1, start: 7, heard: 3)])
    let cut = SpokenTrace([0, 0.1, 0.2, 0.3, 0.4], of: known)
    #expect(cut.fault == nil && cut.clauses.last == .init(index: 1, start: 4, heard: 1))
    #expect(SpokenTrace([0, 0.1, 0.3], of: known).fault == 1)
    #expect(SpokenTrace([0, 0.1, 0.2, 0.2, 0.3], of: known).fault == 1)
    #expect(SpokenTrace([], of: known).clauses.isEmpty)
  }
}
