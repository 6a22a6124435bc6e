import RunAnywhere
import VoiceAudio
import VoiceIO
import VoiceProcessing

/// A conversation over this machine's microphone and loudspeaker, until somebody ends it.
struct LiveConversation {
  let engines: VoiceEngines
  let device: DuplexDevice
  var generation = LlmOptions()
  var eventsPath: String?
  var quiet = false
  /// Whether her answers are kept, for a file or a film.
  var keepsSound = false

  /// The devices, opened; the echo of one is taken out of the other where this build can.
  static func open(_ options: DuplexDevice.Options) throws -> DuplexDevice {
    let device = DuplexDevice(options, processor: VoiceProcessor.isAvailable ? try VoiceProcessor() : nil)
    try device.open()
    return device
  }

  /// Holds the conversation until `ending` fires; returns what was said, when it is kept.
  func hold(until ending: OneShot) async throws -> SpokenTimeline? {
    let clock = MonotonicClock()
    let copy = keepsSound ? RecordingSink(clock: clock) : nil
    let began = copy?.origin ?? clock.now
    let log = try eventsPath.map { try EventLog(path: $0) { clock.now - began } }
    let captions = Captions(isQuiet: quiet)
    let observer = ConversationObserver(captions: captions, clock: clock, log: log)
    let sink: any SpeechSink = copy.map { TeeSink(device, copy: $0) } ?? device
    let session = RunAnywhere.voice.createSession(
      engines: engines, generation: generation,
      devices: VoiceDevices(microphone: device, sink: sink, clock: clock))
    let devices = Task { [device] in
      for await event in device.events { report(event, captions) }
    }
    let diagnostics = Task {
      for await diagnostic in session.diagnostics { observer.handle(diagnostic) }
    }
    let events = Task {
      // A failure that ends the conversation ends the waiting too.
      defer { ending.fire() }
      for try await event in session.events { observer.handle(event) }
    }
    let meter = Task { [device] in
      while !Task.isCancelled {
        captions.showMeter(peak: device.takePeaks().input)
        await clock.sleep(for: 0.1)
      }
    }
    var fault: (any Error)?
    do {
      try session.start()
      await ending.value()
    } catch {
      fault = error
    }
    meter.cancel()
    await meter.value
    await session.close()
    device.close()
    captions.write("\n")
    captions.close()
    await devices.value
    await diagnostics.value
    do { try await events.value } catch { fault = fault ?? error }
    if let fault = fault ?? observer.status.fault { throw fault }
    try observer.closeLog()
    return copy.map {
      SpokenTimeline($0, states: observer.states, origin: began, duration: clock.now - began)
    }
  }

  private func report(_ event: DuplexDevice.Event, _ captions: Captions) {
    switch event {
    case .opened(let microphone, let loudspeaker):
      captions.write("Microphone: \(microphone). Loudspeaker: \(loudspeaker).\n")
    case .lost(let error): captions.write("\n\(error)\n")
    case .waiting(let error): captions.write("Waiting: \(error)\n")
    }
  }
}

/// A sink that is heard and recorded at once.
private final class TeeSink: PausableSpeechSink {
  private let heard: any PausableSpeechSink
  private let copy: RecordingSink

  init(_ heard: any PausableSpeechSink, copy: RecordingSink) {
    self.heard = heard
    self.copy = copy
  }

  func begin(sampleRate: Int) async {
    await heard.begin(sampleRate: sampleRate)
    await copy.begin(sampleRate: sampleRate)
  }

  func write(_ chunk: SpeechChunk) async {
    await heard.write(chunk)
    await copy.write(chunk)
  }

  func finish() async {
    await heard.finish()
    await copy.finish()
  }

  @discardableResult func interrupt() -> Int {
    copy.interrupt()
    return heard.interrupt()
  }

  @discardableResult func pause() -> Int {
    copy.pause()
    return heard.pause()
  }

  func resume() {
    heard.resume()
    copy.resume()
  }

  var playedSamples: Int { heard.playedSamples }
}
