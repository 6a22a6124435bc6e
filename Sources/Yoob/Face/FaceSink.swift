import VoiceAudio
import VoiceIO

/// A loudspeaker with a face: what it is given is shown in step with what is heard.
///
/// Several speak through it, each by a `SpeakerPort` of its own, one at a time: who begins interrupts who speaks, and
/// what the other still says is dropped.
final class FaceSink: Sendable {
  /// What of an utterance is heard, in words.
  struct Words: Sendable, Equatable {
    var utterance: Int
    var words: [YoobCaption.Word]
  }
  private struct State {
    var face: FaceBox?
    /// Whether the open utterance moves the face: it was there when the utterance began.
    var isShown = false
    var isOpen = false
    /// Whether the loudspeaker has taken it up: until then it tells of the one before.
    var hasBegun = false
    /// Who speaks, or spoke last.
    var owner = 0
    var sampleRate = 16_000
    var written = 0
    var utterance = 0
    var levels = LevelTrack()
    var words: [YoobCaption.Word] = []
    /// Samples that were heard of each speaker's last utterance.
    var heard: [Int: Int] = [:]
  }

  private let inner: any SpeechSink
  private let state = Guarded(State())
  private let onChange: @Sendable () -> Void

  /// `onChange` is called when an utterance begins or ends.
  init(_ inner: any SpeechSink, onChange: @escaping @Sendable () -> Void = {}) {
    self.inner = inner
    self.onChange = onChange
  }

  /// Whether an utterance is open.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Who speaks; nil when nobody does.
  var speaker: Int? { state.withLock { $0.isOpen ? $0.owner : nil } }

  /// The face that the next utterance moves.
  func show(_ face: FaceBox?) {
    state.withLock { state in
      state.face = face
      if face == nil { state.isShown = false }
    }
  }

  /// Seconds of the open utterance that were heard; nil when none is open.
  var playhead: Double? {
    let rate: Int? = state.withLock { $0.isOpen && $0.hasBegun ? $0.sampleRate : nil }
    return rate.map { Double(inner.playedSamples) / Double(max(1, $0)) }
  }

  /// The playhead, where the face takes part in the utterance.
  var facePlayhead: Double? { state.withLock { $0.isShown } ? playhead : nil }

  /// Peak, 0...1, of what is heard now.
  var level: Float {
    guard let playhead else { return 0 }
    return state.withLock { $0.levels.level(at: playhead) }
  }

  /// Words of the open utterance, or the last one, that began to be heard; nil without times.
  var heardWords: Words? {
    let (rate, hasBegun) = state.withLock { (max(1, $0.sampleRate), $0.hasBegun) }
    let heard = hasBegun ? Double(inner.playedSamples) / Double(rate) : 0
    return state.withLock { state in
      state.words.isEmpty
        ? nil : Words(utterance: state.utterance, words: state.words.filter { $0.start < heard })
    }
  }

  // MARK: For the ports

  func begin(sampleRate: Int, as owner: Int) async {
    stop()
    let (face, utterance) = state.withLock { state -> (FaceBox?, Int) in
      state.isOpen = true
      state.hasBegun = false
      state.owner = owner
      state.heard[owner] = 0
      state.isShown = state.face != nil
      state.sampleRate = sampleRate
      state.written = 0
      state.utterance += 1
      state.words = []
      state.levels.begin(sampleRate: sampleRate)
      return (state.face, state.utterance)
    }
    face?.begin()
    await inner.begin(sampleRate: sampleRate)
    let isCurrent = state.withLock { state in
      guard state.utterance == utterance else { return true }
      state.hasBegun = true
      return state.isOpen
    }
    // It was interrupted before the loudspeaker had it.
    if !isCurrent { inner.interrupt() }
    onChange()
  }

  func write(_ chunk: SpeechChunk, as owner: Int) async {
    let place = state.withLock { state -> (face: FaceBox?, start: Int)? in
      guard state.isOpen, state.owner == owner else { return nil }
      let (start, rate) = (state.written, Double(max(1, chunk.sampleRate)))
      state.written += chunk.samples.count
      state.levels.append(chunk.samples)
      state.words += chunk.words.map {
        YoobCaption.Word(
          text: $0.text, start: Double(start + $0.start) / rate, end: Double(start + $0.end) / rate)
      }
      return (state.isShown ? state.face : nil, start)
    }
    guard let place else { return }
    place.face?.feed(chunk, start: place.start)
    await inner.write(chunk)
  }

  func finish(as owner: Int) async {
    let open = state.withLock { state -> (face: FaceBox?, utterance: Int)? in
      guard state.isOpen, state.owner == owner else { return nil }
      return (state.isShown ? state.face : nil, state.utterance)
    }
    guard let open else { return }
    open.face?.end()
    await inner.finish()
    guard !Task.isCancelled else { return }
    close(open.utterance)
  }

  @discardableResult func interrupt(as owner: Int) -> Int {
    if speaker == owner { stop() }
    return played(as: owner)
  }

  /// Samples of a speaker's open utterance, or of its last one, that were heard.
  func played(as owner: Int) -> Int {
    let known: Int? = state.withLock { state in
      if state.isOpen, state.owner == owner { return state.hasBegun ? nil : 0 }
      return state.heard[owner] ?? 0
    }
    return known ?? inner.playedSamples
  }

  /// Stops whoever speaks.
  func stop() {
    guard let open = state.withLock({ $0.isOpen ? (utterance: $0.utterance, hasBegun: $0.hasBegun) : nil })
    else {
      return
    }
    let heard = inner.interrupt()
    close(open.utterance, heard: open.hasBegun ? heard : 0)
  }

  /// The utterance is over, unless another one has begun.
  private func close(_ utterance: Int, heard: Int? = nil) {
    let heard = heard ?? inner.playedSamples
    let (wasOpen, face) = state.withLock { state -> (Bool, FaceBox?) in
      guard state.isOpen, state.utterance == utterance else { return (false, nil) }
      state.heard[state.owner] = heard
      defer { (state.isOpen, state.isShown) = (false, false) }
      return (true, state.isShown ? state.face : nil)
    }
    face?.end()
    if wasOpen { onChange() }
  }

  // MARK: Holding

  var canPause: Bool { (inner as? any PausableSpeechSink)?.canPause ?? false }

  @discardableResult func pause(as owner: Int) -> Int {
    if speaker == owner { (inner as? any PausableSpeechSink)?.pause() }
    return played(as: owner)
  }

  func resume(as owner: Int) {
    if speaker == owner { (inner as? any PausableSpeechSink)?.resume() }
  }
}
