import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import VoiceProcessing

/// A conversation over this machine's microphone and loudspeaker, until somebody ends it.
struct LiveConversation {
  /// What came of it.
  struct Outcome {
    /// What was heard of her, when it is kept and the conversation has begun.
    var spoken: SpokenTimeline?
    /// Why the conversation was over before somebody ended it.
    var fault: (any Error)?
  }

  let engines: VoiceEngines
  let device: DuplexDevice
  var generation = LlmOptions()
  var eventsPath: String?
  var quiet = false
  /// Whether her answers are kept, for a file or a film.
  var keepsSound = false
  /// Seconds without a microphone and a loudspeaker after which the conversation is given up.
  var deviceWait = LiveConversation.usualDeviceWait
  /// The window in which her face is seen; nil for none.
  var window: TalkWindow.Options?

  static let usualDeviceWait = 30.0

  /// The devices, opened; the echo of one is taken out of the other where this build can.
  static func open(_ options: DuplexDevice.Options) throws -> DuplexDevice {
    let device = DuplexDevice(options, processor: VoiceProcessor.isAvailable ? try VoiceProcessor() : nil)
    try device.open()
    return device
  }

  /// Holds the conversation until `ending` fires or it cannot go on.
  func hold(until ending: OneShot) async throws -> Outcome {
    let clock = MonotonicClock()
    let copy = keepsSound ? RecordingSink(clock: clock) : nil
    let began = copy?.origin ?? clock.now
    let log = try eventsPath.map { try EventLog(path: $0) { clock.now - began } }
    let captions = Captions(isQuiet: quiet)
    let observer = ConversationObserver(captions: captions, clock: clock, log: log, isLive: true)
    let tee = copy.map { TeeSink(device, copy: $0) }
    let heard: any SpeechSink = tee ?? device
    let face: TalkWindow?
    do {
      face = if let window { try await TalkWindow.open(window, sink: heard, clock: clock) } else { nil }
    } catch {
      device.close()
      throw error
    }
    let microphone = MutingMicrophone(device)
    let session = RunAnywhere.voice.createSession(
      engines: engines, generation: generation,
      devices: VoiceDevices(microphone: microphone, sink: face?.sink ?? heard, clock: clock))
    observer.follow { session.history }
    await face?.onAction { action in
      switch action {
      case .close: ending.fire()
      case .interrupt:
        _ = observer.askToStop()
        session.interrupt()
      case .toggleMute:
        microphone.isMuted.toggle()
        observer.mute(microphone.isMuted)
        face?.show(isMuted: microphone.isMuted)
        captions.write(microphone.isMuted ? "(microphone muted)\n" : "(microphone on)\n")
      case .toggleFullScreen, .toggleHelp: break
      }
    }
    let loss = DeviceLoss(clock: clock, patience: deviceWait, captions: captions) { face?.show(notice: $0) }
    let devices = Task { [device] in
      for await event in device.events {
        tee?.take(event)
        loss.take(event) { ending.fire() }
      }
    }
    let diagnostics = Task {
      for await diagnostic in session.diagnostics { observer.handle(diagnostic) }
    }
    let events = Task {
      // A failure that ends the conversation ends the waiting too.
      defer { ending.fire() }
      for try await event in session.events {
        observer.handle(event)
        face?.handle(event)
      }
    }
    let lines = TypedLines(drawsKeys: captions.isDrawn) {
      observer.typed()
      captions.showTyped($0)
    }
    defer { lines.close() }
    let typed = Task {
      for await input in lines.inputs { await Self.answer(input, session, observer, captions, ending) }
    }
    let meter = Task { [device] in
      while !Task.isCancelled {
        let peak = device.takePeaks().input
        captions.showMeter(peak: microphone.isMuted ? 0 : peak)
        observer.microphone(peak: peak)
        await clock.sleep(for: 0.1)
      }
    }
    var outcome = Outcome()
    var hasBegun = false
    do {
      try session.start()
      hasBegun = true
      await ending.value()
    } catch {
      outcome.fault = error
    }
    await face?.close()
    lines.close()
    meter.cancel()
    await meter.value
    await session.close()
    await typed.value
    device.close()
    captions.write("\n")
    captions.close()
    await devices.value
    await diagnostics.value
    do { try await events.value } catch { outcome.fault = outcome.fault ?? error }
    outcome.fault = outcome.fault ?? observer.status.fault ?? loss.fault
    do { try observer.closeLog() } catch { outcome.fault = outcome.fault ?? error }
    if let copy, hasBegun {
      // Nobody wants to see her wait for devices that never came back.
      let end = loss.fault == nil ? clock.now : loss.since ?? clock.now
      outcome.spoken = SpokenTimeline(copy, states: observer.states, origin: began, duration: end - began)
    }
    return outcome
  }

  /// Does what a typed line asks for.
  private static func answer(
    _ input: TypedLines.Input, _ session: VoiceSession, _ observer: ConversationObserver,
    _ captions: Captions,
    _ ending: OneShot
  ) async {
    observer.typed()
    switch input {
    case .end: ending.fire()
    case .tooLong:
      captions.write("A line of more than \(LineEditor.longest) bytes was not sent. Send it in parts.\n")
    case .line(let line):
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      switch text {
      case "": break
      case "/stop":
        if !observer.askToStop() { captions.write("She is not speaking.\n") }
        session.interrupt()
      case "/help": captions.write(help)
      case "/quit": ending.fire()
      case _ where text.hasPrefix("/"):
        captions.write("There is no \(text.prefix { $0 != " " }). " + help)
      default: await session.send(text: text)
      }
    }
  }

  private static let help = """
    Type a message and press Enter to send it; it interrupts her like speech.
      /stop   she stops speaking
      /help   this list
      /quit   ends the conversation, like Ctrl-C, and Ctrl-D on an empty line

    """
}

/// Tells what happens to the devices, and gives up when none comes back.
private final class DeviceLoss: Sendable {
  private struct State {
    var timer: ClockTimer?
    var since: Double?
    var lastTold: AudioDeviceError?
    var fault: FileFault?
  }
  private let clock: any PacingClock
  private let patience: Double
  private let captions: Captions
  private let onNotice: @Sendable (String?) -> Void
  private let state = Guarded(State())

  /// `onNotice` is told what is wrong with the devices, and nil when they are back.
  init(
    clock: any PacingClock, patience: Double, captions: Captions,
    onNotice: @escaping @Sendable (String?) -> Void
  ) {
    self.clock = clock
    self.patience = patience
    self.captions = captions
    self.onNotice = onNotice
  }

  /// Why the conversation cannot go on.
  var fault: FileFault? { state.withLock { $0.fault } }
  /// Time of the clock since which there have been no devices; nil while there are.
  var since: Double? { state.withLock { $0.since } }

  func take(_ event: DuplexDevice.Event, giveUp: @escaping @Sendable () -> Void) {
    switch event {
    case .opened(let microphone, let loudspeaker):
      state.withLock { state in
        state.timer?.cancel()
        (state.timer, state.since, state.lastTold) = (nil, nil, nil)
      }
      captions.write("Microphone: \(microphone). Loudspeaker: \(loudspeaker).\n")
      onNotice(nil)
    case .lost(let error):
      begin(error, giveUp)
      captions.write("\n\(error.text)\n")
      onNotice(error.text)
    case .waiting(let error):
      let isNews = state.withLock { state in
        defer { state.lastTold = error }
        return state.lastTold != error
      }
      if isNews { captions.write("Waiting up to \(Int(patience)) seconds: \(error.text)\n") }
    }
  }

  private func begin(_ error: AudioDeviceError, _ giveUp: @escaping @Sendable () -> Void) {
    let isWaiting = state.withLock { $0.timer != nil }
    guard !isWaiting else { return }
    let now = clock.now
    let timer = clock.schedule(at: now + patience) { [weak self] in
      guard let self else { return }
      state.withLock { state in
        state.fault = FileFault("\(error.text) None came back within \(Int(patience)) seconds.")
      }
      giveUp()
    }
    state.withLock { ($0.timer, $0.since) = (timer, now) }
  }
}

/// A sink that is heard and recorded at once. The record holds still while there are no devices, and goes no
/// further than the devices have: what nobody heard is not in it.
private final class TeeSink: PausableSpeechSink {
  private struct State {
    var isHeld = false
    var isLost = false
    /// Whether all of the utterance was heard.
    var isHeard = false
  }
  private let heard: DuplexDevice
  private let copy: RecordingSink
  private let state = Guarded(State())

  init(_ heard: DuplexDevice, copy: RecordingSink) {
    self.heard = heard
    self.copy = copy
  }

  /// Follows what happens to the devices.
  func take(_ event: DuplexDevice.Event) {
    switch event {
    case .opened: change { $0.isLost = false }
    case .lost: change { $0.isLost = true }
    case .waiting: break
    }
  }

  func begin(sampleRate: Int) async {
    state.withLock { ($0.isHeld, $0.isHeard) = (false, false) }
    await heard.begin(sampleRate: sampleRate)
    await copy.begin(sampleRate: sampleRate)
    change { _ in }
  }

  func write(_ chunk: SpeechChunk) async {
    // At once: each returns only when little is left to be heard.
    async let copied: Void = copy.write(chunk)
    await heard.write(chunk)
    await copied
  }

  func finish() async {
    await heard.finish()
    // Devices that are lost now take nothing of it away.
    change { $0.isHeard = true }
    await copy.finish()
  }

  @discardableResult func interrupt() -> Int {
    let played = heard.interrupt()
    copy.interrupt(atMost: played)
    return played
  }

  @discardableResult func pause() -> Int {
    change { $0.isHeld = true }
    return heard.pause()
  }

  func resume() {
    heard.resume()
    change { $0.isHeld = false }
  }

  var playedSamples: Int { heard.playedSamples }

  /// Pauses or resumes the record, which is without effect when it is so already.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      if !state.isHeard, state.isHeld || state.isLost {
        copy.pause(atMost: heard.playedSamples)
      } else {
        copy.resume()
      }
    }
  }
}
