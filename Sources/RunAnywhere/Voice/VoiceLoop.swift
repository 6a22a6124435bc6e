import VoiceAudio
import VoiceIO

/// Carries out what the turn machine decides. It lives in one task, which owns all its state.
final class VoiceLoop {
  /// Silence of the microphone that is reported, in samples at 16 kHz.
  private static let deadAir = 16_000 * 8

  let core: SessionCore
  var machine: TurnMachine
  var generation: LlmOptions
  var speech: TtsOptions
  var reply: ActiveReply?
  var lineTickets: [Int: LineTicket] = [:]
  var lastVoicedTime = 0.0
  var turnNumber = 0
  var counts = TurnCounts()
  var utteranceNumber = 0
  var finalSttMs = 0.0
  var claimedHeardMs: Int?
  /// Kept until the next reply is part of the conversation.
  var lastHeard: HeardReply?
  private var detector: (any SpeechDetector)?
  private var resampler: (rate: Int, resampler: StreamingResampler)?
  private var pending: [Float] = []
  private var audio = UtteranceAudio()
  private var zeros = 0
  /// The part of a lost sample that no position stands for yet.
  private var lost = 0.0
  var prefilling: Task<Void, Never>?
  private var nextKey = 0
  private var nextLine = 0
  private var running: [Int: Task<Void, Never>] = [:]

  init(
    core: SessionCore, settings: TurnMachine.Settings, generation: LlmOptions, speech: TtsOptions
  ) {
    self.core = core
    self.generation = generation
    self.speech = speech
    var settings = settings
    settings.hasDetector = core.engines.turn != nil
    machine = TurnMachine(settings: settings)
  }

  /// Handles input until the session is closed or fails, then releases all it holds.
  func run() async {
    var failure: SDKException?
    for await input in core.mailbox {
      if case .close = input { break }
      do throws(SDKException) {
        try handle(input)
      } catch {
        failure = error
        break
      }
    }
    await shutDown(failure)
  }

  private func handle(_ input: LoopInput) throws(SDKException) {
    switch input {
    case .started:
      core.events.append(.agentStateChanged(.listening))
      if let reason = core.engines.turnMissing { diagnose(.turnDetectorMissing(reason: reason)) }
    case .sound: try drainInlet()
    case .machine(let input): feed(input)
    case .transcribed(let job, let milliseconds, let text):
      finalSttMs = milliseconds
      feed(.transcript(job: job, text: text, overlap: overlap(of: text)))
    case .piece(let id, let text): takePiece(id, text)
    case .written(let id, let result): finishText(id, result)
    case .spoken(let id, let progress): takeProgress(id, progress)
    case .tick(let id): tick(id)
    case .taskEnded(let key): running[key] = nil
    case .typed(let text, let taken):
      lastVoicedTime = core.clock.now
      feed(.typed(text))
      taken.fire()
    case .asked(let instructions, let taken):
      lastVoicedTime = core.clock.now
      feed(.asked(instructions: instructions))
      taken.fire()
    case .line(let text, let ticket):
      nextLine += 1
      lineTickets[nextLine] = ticket
      feed(.line(id: nextLine, text: text))
    case .interrupted(let heardMs):
      if let heardMs, machine.reply?.isCommitted != true { correctHeard(heardMs) }
      claimedHeardMs = heardMs
      feed(.interruptRequested)
      claimedHeardMs = nil
      if let reply { core.port.grant(reply.run.id) }  // a reply in preparation goes on
    case .heard(let ms): correctHeard(ms)
    case .configured(let update, let taken):
      apply(update)
      taken.fire()
    case .failed(let error): throw error
    case .close: break
    }
  }

  private func apply(_ update: SessionUpdate) {
    if let options = update.generation {
      generation = options
      if let prompt = options.systemPrompt {
        core.history.withLock { $0.systemPrompt = prompt }
      }
    }
    if let vad = update.vad { machine.settings.vad = vad }
    if let turns = update.turnHandling { machine.settings.turns = turns }
    if let voice = update.voice { speech.voice = voice }
    if let speed = update.speed { speech.speed = speed }
  }

  // MARK: Hearing

  private func drainInlet() throws(SDKException) {
    let backlog = core.inlet.take()
    if backlog.dropped > 0 {
      diagnose(.inputDropped(samples: backlog.dropped))
      skip(backlog.droppedSeconds)
    }
    for arrival in backlog.arrivals {
      let samples = at16k(arrival.frame)
      watchForDeadAir(samples)
      pending += samples
      try detect(arrivedAt: arrival.time)
    }
  }

  /// Keeps the sample clock right over sound that was lost; what waits of a window goes with it.
  private func skip(_ seconds: Double) {
    lost += seconds * 16_000
    let count = Int(lost)
    lost -= Double(count)
    audio.skip(count + pending.count)
    feed(.lost(count: count + pending.count))
    pending = []
  }

  private func at16k(_ frame: AudioFrame) -> [Float] {
    guard frame.sampleRate != 16_000 else {
      resampler = nil
      return frame.samples
    }
    if resampler?.rate != frame.sampleRate {
      resampler = (frame.sampleRate, StreamingResampler(from: frame.sampleRate, to: 16_000))
    }
    return resampler?.resampler.process(frame.samples) ?? []
  }

  private func detect(arrivedAt time: Double) throws(SDKException) {
    do {
      let detector = try detector ?? core.engines.vad.makeDetector()
      self.detector = detector
      let size = max(1, detector.windowSize)
      while pending.count >= size {
        let window = Array(pending.prefix(size))
        pending.removeFirst(size)
        let probability = try detector.probability(window)
        audio.append(window)
        hear(
          probability, count: size, level: Level(window).dBFS, endedAt: time - Double(pending.count) / 16_000)
      }
    } catch {
      throw SDKException(
        .processingFailed, category: .component, "Voice activity detection failed.",
        recoverySuggestion: "Create a new session; if it fails again, prepare its model again.",
        underlying: error)
    }
  }

  private func hear(_ probability: Float, count: Int, level: Float, endedAt time: Double) {
    let voicedEnd = machine.turn?.voicedEnd
    machine.canHold = core.port.pausable?.canPause ?? false
    feed(.window(probability: probability, count: count, level: level))
    if let now = machine.turn?.voicedEnd, now != voicedEnd {
      lastVoicedTime = time - Double(machine.position - now) / 16_000
    }
    audio.forget(before: machine.audioNeededFrom)
  }

  private func watchForDeadAir(_ samples: [Float]) {
    for sample in samples {
      zeros = abs(sample) < 1e-5 ? zeros + 1 : 0
      if zeros == Self.deadAir { diagnose(.silentInput(seconds: Double(zeros) / 16_000)) }
    }
  }

  // MARK: Actions

  func feed(_ input: TurnMachine.Input) {
    for action in machine.handle(input) { perform(action) }
  }

  func diagnose(_ diagnostic: VoiceDiagnostic) {
    counts.count(diagnostic)
    core.diagnosticsInlet.yield(diagnostic)
  }

  private func perform(_ action: TurnMachine.Action) {
    switch action {
    case .emit(let event):
      core.events.append(event)
      if event == .speechStarted { prefill() }
    case .diagnose(let diagnostic): diagnose(diagnostic)
    case .transcribe(let job, let range): transcribe(job, audio.slice(range))
    case .detectTurn(let job, let range): detectTurn(job, audio.slice(range))
    case .prepare(let id, let request): prepare(id, request)
    case .commit(let id): commit(id)
    case .release(let id): release(id)
    case .hold(let id): hold(id)
    case .resume(let id): resume(id)
    case .stop(let id): stop(id, keepsHeard: true)
    case .undo(let id): stop(id, keepsHeard: false)
    case .dropLine(let id): lineTickets.removeValue(forKey: id)?.complete()
    }
  }

  /// Starts a task that the loop owns until it has ended.
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    nextKey += 1
    let key = nextKey
    let task = core.tasks.spawn { [core] in
      await body()
      core.post(.taskEnded(key: key))
    }
    running[key] = task
    return task
  }

  private func transcribe(_ job: Int, _ samples: [Float]) {
    _ = start { [core] in
      let begin = core.clock.now
      do {
        let result = try await core.engines.stt.transcribe(samples, options: SttOptions())
        let milliseconds = (core.clock.now - begin) * 1000
        let text = EndpointRule.spokenText(result)
        core.post(.transcribed(job: job, milliseconds: milliseconds, text: text))
      } catch {
        let message = "The speech was not understood: \(ReplySpeaker.message(error))"
        core.post(.machine(.transcriptionFailed(job: job, message: message)))
      }
    }
  }

  private func detectTurn(_ job: Int, _ samples: [Float]) {
    guard let detector = core.engines.turn else { return }
    _ = start { [core] in
      let begin = core.clock.now
      do {
        let value = try await detector.completeness(samples)
        let milliseconds = (core.clock.now - begin) * 1000
        core.diagnosticsInlet.yield(.turnDetected(completeness: value, milliseconds: milliseconds))
        core.post(.machine(.turnProbability(job: job, value: value)))
      } catch {
        core.post(
          .machine(.turnDetectionFailed(job: job, message: ReplySpeaker.message(error))))
      }
    }
  }

  /// Lets the model read the conversation while the user speaks.
  private func prefill() {
    guard let engine = core.engines.llm as? any PromptPrefilling else { return }
    prefilling?.cancel()
    let messages = core.history.withLock { $0.prompt() }
    var options = generation
    options.systemPrompt = nil
    prefilling = start { [options] in await engine.prefill(messages, options: options) }
  }

  private func shutDown(_ failure: SDKException?) async {
    core.endMailbox()
    core.releaseMicrophone()
    core.port.grant(0)
    reply?.run.stop()
    core.port.sink.interrupt()
    for task in running.values { task.cancel() }
    for task in running.values { await task.value }
    for ticket in lineTickets.values { ticket.complete() }
    for await input in core.mailbox { Self.release(input) }
    detector = nil
    if let failure {
      core.events.append(.error(message: failure.message, recoverable: false))
    }
    core.events.finish(throwing: failure)
    core.diagnosticsInlet.finish()
  }

  /// Lets go whoever waits for an input that is not handled any more.
  private static func release(_ input: LoopInput) {
    switch input {
    case .typed(_, let taken), .asked(_, let taken), .configured(_, let taken): taken.fire()
    case .line(_, let ticket): ticket.complete()
    default: break
    }
  }
}
