import Observation
import VoiceIO
import YoobFace
import YoobWire

/// What all kinds of conversations show, and their life: one run after the other.
@MainActor @Observable final class ConversationModel {
  private(set) var state = YoobConversation.State.idle
  private(set) var userTranscript = ""
  private(set) var assistantTranscript = ""
  private(set) var lastError: YoobError?
  private(set) var goAwayTimeLeft: String?

  @ObservationIgnored let avatar: YoobAvatar
  @ObservationIgnored private var run: Run?
  /// The end of the last run.
  @ObservationIgnored private var ending: Task<Void, Never>?
  /// Counts the stops; a start that began before the last one is void.
  @ObservationIgnored private var stops = 0

  /// One conversation, from its start to its end.
  @MainActor private final class Run {
    let driver: ConversationDriver
    let ready = OneShot()
    var tap: Int?
    var ownsMicrophone = false
    /// The number under which the avatar tells of its end.
    let ending: Int
    var reader: Task<Void, Never>?
    /// Waits for the character.
    var preparing: Task<Void, any Error>?

    init(_ driver: ConversationDriver, _ avatar: YoobAvatar) {
      self.driver = driver
      avatar.lastEnding += 1
      ending = avatar.lastEnding
    }
  }

  init(_ avatar: YoobAvatar) { self.avatar = avatar }

  deinit {
    guard let run else { return }
    let avatar = avatar
    let number = run.ending
    Task { @MainActor in
      avatar.endings[number] = nil
      ConversationModel.release(run, avatar)
      await run.driver.stop()
    }
  }

  /// What a run needs: its protocol and its way to the service.
  typealias Parts = (session: any ConversationSession, ports: ConversationPorts)

  /// Begins a conversation and returns when it is open; without effect while one runs.
  func start(inputID: String?, _ make: () throws -> Parts) async throws {
    guard run == nil else { return }
    let stops = stops
    await ended()
    guard self.stops == stops else { throw CancellationError() }
    guard run == nil else { return }
    let parts = try make()
    let driver = ConversationDriver(parts.session, parts.ports)
    let run = Run(driver, avatar)
    self.run = run
    (userTranscript, assistantTranscript, lastError, goAwayTimeLeft) = ("", "", nil, nil)
    show(.connecting)
    run.tap = avatar.microphone.tap { [weak driver] pcm in
      driver?.microphone(pcm)
    } onState: { [weak driver] state in
      if state != .live, state != .starting { driver?.microphoneStopped() }
    }
    run.reader = Task { [weak self] in
      for await news in driver.news { self?.take(news, run) }
      self?.finished(run)
    }
    avatar.endings[run.ending] = { [weak self, weak run] in
      // The phase is told after this.
      Task { self?.avatarEnded(run) }
    }
    do {
      try await prepareCharacter(run)
      try requireCurrent(run)
      await driver.start()
      try requireCurrent(run)
      run.ownsMicrophone = avatar.microphone.state == .off || avatar.microphone.hasFailed
      try await avatar.microphone.start(inputID: inputID)
    } catch {
      guard self.run === run else { throw reason(stops, error) }
      lastError = error as? YoobError ?? lastError
      await end(run)
      throw lastError ?? error
    }
    await driver.microphoneStarted()
    await withTaskCancellationHandler {
      await run.ready.value()
    } onCancel: {
      run.ready.fire()
    }
    if Task.isCancelled { await end(run) }
    guard self.run === run else { throw reason(stops, CancellationError()) }
  }

  private func requireCurrent(_ run: Run) throws {
    guard self.run === run else { throw CancellationError() }
  }

  /// Why a start that ended meanwhile has failed: it was stopped, or what went wrong before.
  private func reason(_ stops: Int, _ error: any Error) -> any Error {
    self.stops == stops ? lastError ?? error : CancellationError()
  }

  /// A typed message; it interrupts a reply.
  func send(text: String) {
    guard let driver = run?.driver else { return }
    typing = Task { [typing] in
      await typing?.value
      await driver.send(text: text)
    }
  }
  /// The message that is being handed on.
  @ObservationIgnored private var typing: Task<Void, Never>?

  /// Ends the conversation, or the start that waits for the end of the last one. Idempotent.
  func stop() {
    stops += 1
    end()
  }

  /// Ends the conversation; returns when nothing of it runs any more. Idempotent.
  func close() async {
    stop()
    await ended()
  }

  /// A conversation does not wait for a face, but where the avatar's session has ended it needs another one.
  private func prepareCharacter(_ run: Run) async throws {
    let needsSession: Bool
    switch avatar.phase {
    case .stopped: needsSession = true
    case .notPrepared, .failed: needsSession = false
    case .downloading, .warming, .ready, .speaking: return
    }
    let task = Task { [avatar] in try await avatar.prepare() }
    run.preparing = task
    guard needsSession else { return }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func avatarEnded(_ run: Run?) {
    guard let run, self.run === run else { return }
    if case .stopped(let error) = avatar.phase { lastError = error }
    end()
  }

  // MARK: The end

  private func end(_ run: Run) async {
    if self.run === run { end() }
    await ended()
  }

  private func end() {
    guard let run else { return }
    let (typing, reader) = (typing, run.reader)
    cleanUp(run)
    ending = Task {
      await typing?.value
      await run.driver.stop()
      await reader?.value
    }
  }

  /// Returns when nothing of the last conversation runs any more.
  private func ended() async {
    while let last = ending {
      await last.value
      if ending == last { ending = nil }
    }
  }

  /// The conversation has ended by itself.
  private func finished(_ run: Run) {
    guard self.run === run else { return }
    cleanUp(run)
    ending = Task { await run.driver.stop() }
  }

  private func cleanUp(_ run: Run) {
    self.run = nil
    typing = nil
    avatar.endings[run.ending] = nil
    Self.release(run, avatar)
    show(.ended)
  }

  private static func release(_ run: Run, _ avatar: YoobAvatar) {
    if let tap = run.tap { avatar.microphone.closeTap(tap) }
    run.tap = nil
    run.preparing?.cancel()
    run.preparing = nil
    // A failure stays to be seen.
    if run.ownsMicrophone, !avatar.microphone.hasFailed { avatar.microphone.stop() }
    run.ownsMicrophone = false
    run.ready.fire()
  }

  // MARK: What happens

  private func take(_ news: ConversationNews, _ run: Run) {
    guard self.run === run else {
      // Of a conversation that was stopped only the last words count.
      if case .transcript(let transcript, let words) = news, self.run == nil { show(transcript, words) }
      return
    }
    switch news {
    case .state(.ended): break  // shown once all of it is given back, so that the next one can begin
    case .state(let new):
      show(YoobConversation.State(new))
      if [.listening, .thinking, .speaking].contains(new) { run.ready.fire() }
    case .transcript(let transcript, let words): show(transcript, words)
    case .connecting: goAwayTimeLeft = nil
    case .goAway(let seconds): goAwayTimeLeft = "\(Int(min(max(0, seconds), 86_400).rounded(.up)))s"
    case .failure(let error): lastError = error
    }
  }

  private func show(_ new: YoobConversation.State) {
    state = new
    let attention: FaceState =
      switch new {
      case .idle, .connecting, .ended: .idle
      case .listening: .listening
      case .thinking: .thinking
      case .speaking: .speaking
      }
    if avatar.attention != attention { avatar.attention = attention }
  }

  private func show(_ transcript: ConversationTranscript, _ words: [YoobCaption.Word]) {
    switch transcript.role {
    case .user: userTranscript = transcript.text
    case .assistant: assistantTranscript = transcript.text
    }
    avatar.captionReaders.send(
      YoobCaption(
        role: transcript.role == .user ? .user : .assistant, text: transcript.text, words: words,
        isFinal: transcript.isFinal))
  }
}

extension YoobConversation.State {
  init(_ state: ConversationState) {
    self =
      switch state {
      case .idle: .idle
      case .connecting: .connecting
      case .listening: .listening
      case .thinking: .thinking
      case .speaking: .speaking
      case .ended: .ended
      }
  }
}

extension YoobMicrophone {
  var hasFailed: Bool { if case .failed = state { true } else { false } }
}
