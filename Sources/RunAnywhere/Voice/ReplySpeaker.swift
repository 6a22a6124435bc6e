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

  /// Pauses before a clause, in seconds, by how the one before it ended.
  private static let pauses: [Clause.Ending: Double] = [.sentence: 0.22, .clause: 0.08, .code: 0.22]

  let run: ReplyRun
  let tts: any TtsEngine
  let options: TtsOptions
  let port: SinkPort
  let clock: any PacingClock
  let report: @Sendable (Progress) -> Void

  func speak() async {
    var isOpen = false
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
      if let previous { sound = sound.delayed(seconds: Self.pauses[previous] ?? 0) }
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
          words: sound.words))
    }
  }

  static func message(_ error: any Error) -> String {
    (error as? SDKException)?.errorDescription ?? "\(error)"
  }
}

extension SynthesizedSpeech {
  /// The same with silence before it.
  fileprivate func delayed(seconds: Double) -> SynthesizedSpeech {
    let count = Int(seconds * Double(sampleRate))
    guard count > 0 else { return self }
    var delayed = self
    delayed.samples = [Float](repeating: 0, count: count) + samples
    for index in phones.indices {
      delayed.phones[index].start += count
      delayed.phones[index].end += count
    }
    for index in words.indices {
      delayed.words[index].start += count
      delayed.words[index].end += count
    }
    if !pitch.isEmpty {
      delayed.pitch = [Float](repeating: 0, count: Int((seconds * 80).rounded())) + pitch
    }
    return delayed
  }
}
