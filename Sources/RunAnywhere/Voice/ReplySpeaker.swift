import VoiceIO

/// What the tasks of one reply share.
final class ReplyRun: Sendable {
  let id: Int
  /// Opens when the reply may be heard, or is over.
  let gate = OneShot()
  /// Fires when the sink has opened the reply's utterance.
  let opened = OneShot()
  let ledger = Guarded(HeardLedger())
  let clauses: AsyncStream<Clause>
  /// Bounded by the reply's length, which `maxOutputTokens` bounds.
  let clauseInlet: AsyncStream<Clause>.Continuation
  private let stopped = OneShot()

  init(id: Int) {
    self.id = id
    (clauses, clauseInlet) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  var isStopped: Bool { stopped.isFired }

  /// Ends all work on the reply. Idempotent.
  func stop() {
    stopped.fire()
    gate.fire()
    clauseInlet.finish()
  }
}

/// Turns the clauses of one reply into sound, one after the other, and gives it to the sink.
struct ReplySpeaker: Sendable {
  enum Progress: Sendable {
    /// The first clause's sound: synthesis time in milliseconds, and its first audible sample.
    case synthesized(milliseconds: Double, audibleAt: Int)
    /// The reply is over and has no sound.
    case soundless
    case began(sampleRate: Int)
    case queued(text: String, words: [WordTiming])
    /// All was heard.
    case finished
    case failed(message: String)
  }

  let run: ReplyRun
  let tts: any TtsEngine
  let options: TtsOptions
  let port: SinkPort
  let clock: any PacingClock
  let report: @Sendable (Progress) -> Void

  func speak() async {
    var isOpen = false
    var isMute = false
    var previous: Clause.Ending?
    for await clause in run.clauses {
      let speech = SpeechText(clause.text, language: options.language)
      guard !run.isStopped else { return }
      guard !speech.words.isEmpty else {
        _ = run.ledger.withLock { $0.append(speech, words: [], sampleCount: 0) }
        continue
      }
      let start = clock.now
      var sound: SynthesizedSpeech
      do {
        sound = try await tts.synthesize(speech.text, options: options)
      } catch {
        if !run.isStopped { report(.failed(message: Self.message(error))) }
        return
      }
      guard !sound.samples.isEmpty else {
        isMute = true
        _ = run.ledger.withLock { $0.append(speech, words: [], sampleCount: 0) }
        continue
      }
      if let previous { sound = sound.delayed(seconds: previous.pause) }
      if previous == nil {
        let audible = sound.samples.firstIndex { abs($0) > 0.002 } ?? 0
        report(.synthesized(milliseconds: (clock.now - start) * 1000, audibleAt: audible))
      }
      previous = clause.ending
      await run.gate.value()
      guard !run.isStopped, await write(clause, speech, sound, opens: !isOpen) else { return }
      isOpen = true
    }
    guard !run.isStopped else { return }
    if isOpen {
      guard await port.use(run.id, { await $0.finish() }) else { return }
      // A sink that has lost its loudspeaker gives up: what it did not play was not heard.
      let missing = run.ledger.withLock(\.total) - port.sink.playedSamples
      if missing > Self.tolerance(tts.sampleRate), !run.isStopped {
        return report(.failed(message: "The loudspeaker stopped before all was heard."))
      }
    } else if isMute {
      report(.failed(message: "The voice gave no sound. Choose another one, or prepare its model again."))
      return
    } else {
      report(.soundless)
      await run.gate.value()
      guard !run.isStopped else { return }
    }
    report(.finished)
  }

  private func write(
    _ clause: Clause, _ speech: SpeechText, _ sound: SynthesizedSpeech, opens: Bool
  ) async -> Bool {
    await port.use(run.id) { sink in
      if opens {
        await sink.begin(sampleRate: sound.sampleRate)
        // Whoever stops a reply bars it first and interrupts the sink then: this comes after both.
        guard !run.isStopped, port.isOwner(run.id) else {
          sink.interrupt()
          return
        }
        run.opened.fire()
        report(.began(sampleRate: sound.sampleRate))
      }
      guard !run.isStopped else { return }
      let words = run.ledger.withLock {
        $0.append(speech, words: sound.words, sampleCount: sound.samples.count)
      }
      report(.queued(text: clause.text, words: words))
      await sink.write(
        SpeechChunk(
          samples: sound.samples, sampleRate: sound.sampleRate, phones: sound.phones,
          words: sound.words, pitch: sound.pitch))
    }
  }

  /// Samples at the end of an utterance that a sink may leave out.
  private static func tolerance(_ sampleRate: Int) -> Int { max(1, sampleRate) / 4 }

  static func message(_ error: any Error) -> String {
    (error as? SDKException)?.errorDescription ?? "\(error)"
  }
}
