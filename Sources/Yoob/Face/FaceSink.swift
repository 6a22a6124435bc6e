import VoiceAudio
import VoiceIO

/// A loudspeaker with a face: what it is given is shown in step with what is heard.
final class FaceSink: PausableSpeechSink {
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
    var sampleRate = 16_000
    var written = 0
    var utterance = 0
    var levels = LevelTrack()
    var words: [YoobCaption.Word] = []
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

  /// The face that the next utterance moves.
  func show(_ face: FaceBox?) {
    state.withLock { state in
      state.face = face
      if face == nil { state.isShown = false }
    }
  }

  /// Seconds of the open utterance that were heard; nil when none is open.
  var playhead: Double? {
    let rate: Int? = state.withLock { $0.isOpen ? $0.sampleRate : nil }
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
    let rate = state.withLock { max(1, $0.sampleRate) }
    let heard = Double(inner.playedSamples) / Double(rate)
    return state.withLock { state in
      state.words.isEmpty
        ? nil : Words(utterance: state.utterance, words: state.words.filter { $0.start < heard })
    }
  }

  // MARK: SpeechSink

  func begin(sampleRate: Int) async {
    interrupt()
    let face = state.withLock { state -> FaceBox? in
      state.isOpen = true
      state.isShown = state.face != nil
      state.sampleRate = sampleRate
      state.written = 0
      state.utterance += 1
      state.words = []
      state.levels.begin(sampleRate: sampleRate)
      return state.face
    }
    face?.begin()
    await inner.begin(sampleRate: sampleRate)
    onChange()
  }

  func write(_ chunk: SpeechChunk) async {
    let place = state.withLock { state -> (face: FaceBox?, start: Int)? in
      guard state.isOpen else { return nil }
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

  func finish() async {
    let face = state.withLock { $0.isShown ? $0.face : nil }
    face?.end()
    await inner.finish()
    guard !Task.isCancelled else { return }
    close()
  }

  @discardableResult func interrupt() -> Int {
    let heard = inner.interrupt()
    close()
    return heard
  }

  var playedSamples: Int { inner.playedSamples }

  private func close() {
    let (wasOpen, face) = state.withLock { state -> (Bool, FaceBox?) in
      defer { (state.isOpen, state.isShown) = (false, false) }
      return (state.isOpen, state.isOpen && state.isShown ? state.face : nil)
    }
    face?.end()
    if wasOpen { onChange() }
  }

  // MARK: Holding

  var canPause: Bool { (inner as? any PausableSpeechSink)?.canPause ?? false }

  @discardableResult func pause() -> Int { (inner as? any PausableSpeechSink)?.pause() ?? playedSamples }

  func resume() { (inner as? any PausableSpeechSink)?.resume() }
}
