import VoiceAudio
import VoiceIO
import YoobNet
import YoobWire

/// Drives one conversation from its start to its end: opens its sockets, plays its replies through the
/// avatar, and tells its protocol what happens.
///
/// ```swift
/// let driver = ConversationDriver(RealtimeClientSession(options: options), ports)
/// await driver.start()
/// for await news in driver.news { … }   // ends with the conversation
/// await driver.stop()                   // returns when nothing of it runs any more
/// ```
actor ConversationDriver {
  /// Seconds between two reports of what was heard.
  static let reportInterval = 0.1
  /// Packets of the microphone that may wait: one second.
  static let mostPackets = 50
  /// Seconds that work of the app, a tool or its credentials, may take to heed its cancellation when the
  /// conversation ends.
  static let patience = 2.0

  /// What is told to the app, in order; one reader.
  nonisolated let news: AsyncStream<ConversationNews>
  nonisolated let ports: ConversationPorts
  private nonisolated let tell: AsyncStream<ConversationNews>.Continuation
  private nonisolated let packets: AsyncStream<MicrophoneInput>
  private nonisolated let sendPacket: AsyncStream<MicrophoneInput>.Continuation
  nonisolated let pumpEvents = Guarded<[SpeechPump.Event]>([])

  private enum MicrophoneInput: Sendable {
    case sound([UInt8])
    case stopped
  }

  private(set) var session: any ConversationSession
  private var queue: [ConversationAction] = []
  private var isPerforming = false
  private var isStarted = false
  private(set) var isOver = false
  /// Fires when the next deadline may have changed.
  private var changed = OneShot()
  private var forgetVoice: (@Sendable () -> Void)?
  private var resampler: StreamingResampler?

  // The work that goes on, by numbers.
  var tasks: [Int: Task<Void, Never>] = [:]
  private var lastTask = 0
  var calls: [String: (run: Int, watch: Int)] = [:]
  /// Each fires when that work has ended.
  private var ends: [Int: OneShot] = [:]

  // The socket.
  var connection: Connection?
  var lastConnection = 0
  var connecting: Int?
  var wasReady = false
  /// An error of the app's own credentials, to be told in place of the session's.
  var ownError: YoobError?

  var playback = ConversationPlayback()

  /// A conversation that has not begun.
  init(_ session: any ConversationSession, _ ports: ConversationPorts) {
    self.session = session
    self.ports = ports
    (news, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
    (packets, sendPacket) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostPackets))
  }

  deinit {
    forgetVoice?()
    for task in tasks.values { task.cancel() }
    connection?.outbox.finish()
    sendPacket.finish()
    tell.finish()
  }

  // MARK: For the conversation

  /// Begins. Without effect when it has begun, or ended.
  func start() {
    guard !isStarted, !isOver else { return }
    isStarted = true
    let rate = type(of: session).inputSampleRate
    if rate != YoobMicrophone.sampleRate {
      resampler = StreamingResampler(from: YoobMicrophone.sampleRate, to: rate)
    }
    let (wake, sendWake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let pumpEvents = pumpEvents
    let forget = ports.voice.observe { event in
      pumpEvents.withLock { $0.append(event) }
      sendWake.yield()
    }
    forgetVoice = {
      forget()
      sendWake.finish()
    }
    own { driver in
      for await _ in wake { await driver()?.takePumpEvents() }
    }
    let packets = packets
    own { driver in
      for await input in packets { await driver()?.hear(input) }
    }
    let clock = ports.clock
    own { driver in
      while let (due, changed) = await driver()?.nextTick() {
        await clock.sleep(until: due, orOneOf: [changed])
        guard !Task.isCancelled else { return }
        await driver()?.tick()
      }
    }
    advance { $0.start(at: $1) }
  }

  /// The microphone delivers from now on.
  func microphoneStarted() { input { $0.microphoneStarted(at: $1) } }

  /// Sound of the user: 24 kHz mono PCM16. Never waits; of what nobody takes the newest second is kept.
  nonisolated func microphone(_ pcm: [UInt8]) { sendPacket.yield(.sound(pcm)) }

  /// The microphone was muted or stopped.
  nonisolated func microphoneStopped() { sendPacket.yield(.stopped) }

  /// A typed message.
  func send(text: String) { input { $0.send(text: text, at: $1) } }

  /// Ends the conversation, and returns when nothing of it runs any more. Idempotent.
  func stop() async {
    takePumpEvents()
    advance { $0.stop(at: $1) }
    finish()
    let clock = ports.clock
    let last = clock.now + Self.patience
    while let number = tasks.keys.first(where: { $0 != Self.ownTask }) {
      // Nobody can end a closure of the app that does not heed its cancellation.
      if let end = ends[number] { await clock.sleep(until: last, orOneOf: [end]) }
      if ends[number]?.isFired ?? true { await tasks[number]?.value }
      forget(number)
    }
    await ports.afterStop()
  }

  // MARK: The work

  /// The number of the task that runs now, of this driver.
  @TaskLocal private static var ownTask: Int?

  /// Runs work that ends with the conversation at the latest. Returns its number.
  @discardableResult func own(
    _ work: @escaping @Sendable (_ driver: @Sendable () -> ConversationDriver?) async -> Void
  ) -> Int {
    lastTask += 1
    let number = lastTask
    let end = OneShot()
    ends[number] = end
    tasks[number] = ports.start { [weak self] in
      await Self.$ownTask.withValue(number) {
        await work { [weak self] in self }
      }
      end.fire()
      await self?.forget(number)
    }
    if isOver { tasks[number]?.cancel() }
    return number
  }

  private func forget(_ number: Int) {
    tasks[number] = nil
    ends[number] = nil
  }

  /// Something happened: first what the loudspeaker did before it.
  func input(_ step: (inout any ConversationSession, Double) -> [ConversationAction]) {
    takePumpEvents()
    advance(step)
  }

  /// Tells the protocol something, and does what it says.
  func advance(_ step: (inout any ConversationSession, Double) -> [ConversationAction]) {
    guard !isOver else { return }
    queue += step(&session, ports.clock.now)
    guard !isPerforming else { return }
    isPerforming = true
    while !queue.isEmpty { perform(queue.removeFirst()) }
    isPerforming = false
    changed.fire()
    if session.state == .ended { finish() }
  }

  private func perform(_ action: ConversationAction) {
    switch action {
    case .connect(let delay):
      tell.yield(.connecting)
      connect(after: delay)
    case .send(let text): send(text)
    case .close(let code, let reason): closeConnection(code: code, reason: reason)
    case .beginUtterance(let itemID, let rate): beginUtterance(itemID, rate)
    case .play(let pcm, let itemID): play(pcm, itemID)
    case .endUtterance(let itemID): endUtterance(itemID)
    case .interruptPlayback: interruptPlayback()
    case .holdPlayback(let isHeld):
      if isHeld { ports.voice.port.pause() } else { ports.voice.port.resume() }
    case .words(let itemID, let words): playback.add(words, to: itemID)
    case .visemes: break  // the face hears the sound itself
    case .state(let state):
      if state == .listening || state == .thinking { wasReady = true }
      tell.yield(.state(state))
    case .transcript(let transcript):
      tell.yield(.transcript(transcript, words: playback.heardWords(of: transcript)))
    case .callTool(let id, let name, let arguments): call(id, name, arguments)
    case .cancelTool(let id): cancelCall(id)
    case .goAway(let seconds): tell.yield(.goAway(secondsLeft: seconds))
    case .failure(let failure): fail(YoobError(failure))
    }
  }

  /// Tells the app of an error; one of its own goes before the protocol's.
  func fail(_ error: YoobError) {
    tell.yield(.failure(ownError ?? error))
    ownError = nil
  }

  /// Ends all that runs; `stop()` waits for it.
  private func finish() {
    guard !isOver else { return }
    isOver = true
    forgetVoice?()
    forgetVoice = nil
    sendPacket.finish()
    closeConnection(code: 1000, reason: "")
    for id in calls.keys { calls[id].map { tasks[$0.watch]?.cancel() } }
    for task in tasks.values { task.cancel() }
    changed.fire()
    tell.finish()
  }

  private func hear(_ input: MicrophoneInput) {
    switch input {
    case .stopped: self.input { $0.microphoneStopped(at: $1) }
    case .sound(let pcm):
      var pcm = pcm
      if resampler != nil, let samples = resampler?.process(PCM16.decode(pcm)) {
        pcm = PCM16.encode(samples)
      }
      self.input { $0.microphone(pcm, at: $1) }
    }
  }

  // MARK: Time

  /// When to look next, and what may change that; nil after the end.
  private func nextTick() -> (due: Double?, changed: OneShot)? {
    guard !isOver else { return nil }
    changed = OneShot()
    let now = ports.clock.now
    // What stays due must not keep this busy.
    let deadline = session.nextDeadline.map { max($0, now + 0.001) }
    let report = playback.sounding.map { _ in max(now + 0.001, playback.nextReport) }
    return ([deadline, report].compactMap(\.self).min(), changed)
  }

  private func tick() {
    takePumpEvents()
    let now = ports.clock.now
    if playback.sounding != nil, now >= playback.nextReport - 1e-9 { reportPlayed() }
    if let deadline = session.nextDeadline, now >= deadline { advance { $0.tick(at: $1) } }
  }

  /// What became of the avatar's utterances since the last look.
  func takePumpEvents() {
    let events = pumpEvents.withLock { events in
      defer { events = [] }
      return events
    }
    for event in events where !isOver { take(event) }
  }
}
