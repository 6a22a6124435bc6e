import VoiceAudio
import VoiceIO
import YoobFace

/// All that an avatar says, whoever plays it, and what of it is heard now. Safe from every thread.
final class AvatarVoice: Sendable {
  /// What is heard at one moment.
  struct Moment: Sendable {
    /// Seconds of the utterance; nil while nothing is said.
    var playhead: Double?
    /// Peak, 0...1.
    var level: Float = 0
    var words: FaceSink.Words?
  }

  let sink: FaceSink
  /// The loudspeaker as the pump has it, and as a voice session has it.
  let port: SpeakerPort
  let sessionPort: SpeakerPort
  let pump: SpeechPump
  let clock: any PacingClock
  private let reported = Guarded<ReportedSpeech?>(nil)
  private let face = Guarded<FaceBox?>(nil)
  private let observers: Guarded<[Int: @Sendable (SpeechPump.Event) -> Void]>
  private let onChange: @Sendable () -> Void

  /// `onBegin` is called as an utterance begins to be heard, `onChange` when one begins or ends.
  init(
    _ devices: AvatarDevices, onBegin: @escaping @Sendable () -> Void,
    onChange: @escaping @Sendable () -> Void
  ) {
    let sink = FaceSink(devices.sink, onChange: onChange)
    self.sink = sink
    let port = SpeakerPort(sink: sink, speaker: .app)
    self.port = port
    sessionPort = SpeakerPort(sink: sink, speaker: .session)
    self.onChange = onChange
    clock = devices.clock
    let observers = Guarded<[Int: @Sendable (SpeechPump.Event) -> Void]>([:])
    self.observers = observers
    pump = SpeechPump(sink: port, clock: devices.clock, spawn: devices.spawn) { event in
      for observer in observers.withLock({ Array($0.values) }) { observer(event) }
      if case .began = event { onBegin() }
      onChange()
    }
  }

  deinit { pump.close() }

  /// Whether anything waits or is heard.
  var isBusy: Bool { pump.isBusy || sink.isOpen || reported.withLock { $0 != nil } }

  /// The face that the next utterance moves.
  func show(_ face: FaceBox?) {
    self.face.withLock { $0 = face }
    sink.show(face)
  }

  // MARK: Sound

  /// Takes sound; returns the number of its utterance, nil for no samples.
  @discardableResult func speak(_ pcm: [UInt8], sampleRate: Int) throws(YoobError) -> Int? {
    try requireNoSession()
    if let speech = reported.withLock({ $0 }) {
      guard speech.isEnded else {
        throw .invalidAudio("the app plays this utterance itself; call endSpeech() first")
      }
      endReported()
    }
    let utterance = try pump.append(pcm, sampleRate: sampleRate)
    if utterance != nil { onChange() }
    return utterance
  }

  /// Calls `observer` with what becomes of utterances, from any thread, until the returned closure is called.
  func observe(_ observer: @escaping @Sendable (SpeechPump.Event) -> Void) -> @Sendable () -> Void {
    let number = observers.withLock { observers in
      let number = (observers.keys.max() ?? 0) + 1
      observers[number] = observer
      return number
    }
    return { [observers] in _ = observers.withLock { $0.removeValue(forKey: number) } }
  }

  /// Takes sound that the app plays itself; returns whether an utterance began.
  func show(_ pcm: [UInt8], sampleRate: Int) throws(YoobError) -> Bool {
    try requireNoSession()
    guard !pump.isBusy else {
      throw .invalidAudio("the avatar plays an utterance; wait for its end, or interrupt it")
    }
    var check = SpeechLine()
    guard try check.append(pcm, sampleRate: sampleRate, now: 0) != nil else { return false }
    let (speech, isNew) = reported.withLock { reported in
      if let reported, !reported.isEnded { return (reported, false) }
      reported?.end()
      let new = ReportedSpeech(
        sampleRate: sampleRate, face: face.withLock { $0 }, clock: clock)
      reported = new
      return (new, true)
    }
    guard speech.sampleRate == sampleRate else {
      throw .invalidAudio(
        "the utterance began with \(speech.sampleRate) Hz and goes on with \(sampleRate); call endSpeech() first"
      )
    }
    try speech.append(PCM16.decode(pcm))
    if isNew { onChange() }
    return isNew
  }

  func played(samples: Int) {
    guard let speech = reported.withLock({ $0 }) else { return }
    speech.report(samples)
    if speech.isOver { endReported() }
  }

  func end() {
    guard let speech = reported.withLock({ $0 }) else { return pump.end() }
    speech.end()
    if speech.isOver { endReported() }
  }

  /// Stops now; returns the samples that were heard.
  func interrupt() -> Int {
    if let speech = reported.withLock({ $0 }) {
      endReported()
      return speech.heard
    }
    // A session that took over from the app's own sound is who is heard.
    if sink.speaker == SpeakerPort.Speaker.session.rawValue {
      let heard = sessionPort.interrupt()
      _ = pump.interrupt()
      return heard
    }
    if pump.isBusy { return pump.interrupt() }
    guard let speaker = sink.speaker else { return 0 }
    return sink.interrupt(as: speaker)
  }

  /// Ends an utterance that the app plays itself, that is complete, and of whose last moment nobody tells.
  func endForgotten() {
    if reported.withLock({ $0?.isForgotten ?? false }) { endReported() }
  }

  private func requireNoSession() throws(YoobError) {
    if sink.speaker == SpeakerPort.Speaker.session.rawValue {
      throw .invalidAudio("a voice session speaks through the avatar; interrupt it first")
    }
  }

  private func endReported() {
    let speech = reported.withLock { reported in
      defer { reported = nil }
      return reported
    }
    speech?.end()
    onChange()
  }

  // MARK: What is heard

  /// Seconds of the utterance that were heard, where the face takes part in it.
  var facePlayhead: Double? {
    if let speech = reported.withLock({ $0 }) { return speech.playhead }
    return sink.facePlayhead
  }

  /// What is heard now.
  var moment: Moment {
    if let speech = reported.withLock({ $0 }) {
      return Moment(playhead: speech.playhead, level: speech.level)
    }
    return Moment(playhead: sink.playhead, level: sink.level, words: sink.heardWords)
  }

  /// The shape of the mouth now; nil without a face, and while nothing is said.
  var viseme: YoobViseme? {
    guard let face = face.withLock({ $0 }), let playhead = facePlayhead else { return nil }
    return face.advance(to: clock.now, playhead: playhead) { face in
      YoobViseme(time: playhead, weights: Array(face.visemes))
    }
  }
}
