import VoiceAudio
import VoiceIO

/// An utterance that the app plays itself and the face only shows.
final class ReportedSpeech: Sendable {
  private struct State {
    var playback: ReportedPlayback
    var levels = LevelTrack()
  }
  let sampleRate: Int
  private let face: FaceBox?
  private let clock: any PacingClock
  private let state: Guarded<State>

  init(sampleRate: Int, face: FaceBox?, clock: any PacingClock) {
    self.sampleRate = sampleRate
    self.face = face
    self.clock = clock
    var first = State(playback: ReportedPlayback(sampleRate: sampleRate))
    first.levels.begin(sampleRate: sampleRate)
    state = Guarded(first)
    face?.begin()
  }

  /// Takes sound ahead of its time. Throws when more than twenty minutes wait.
  func append(_ samples: [Float]) throws(YoobError) {
    let start: Int? = state.withLock { state in
      let waiting = state.playback.appended - state.playback.heard + samples.count
      guard Double(waiting) <= SpeechLine.mostSeconds * Double(sampleRate) else { return nil }
      defer { state.playback.append(samples.count) }
      state.levels.append(samples)
      return state.playback.appended
    }
    guard let start else {
      throw .invalidAudio("more than \(Int(SpeechLine.mostSeconds / 60)) minutes wait to be heard")
    }
    face?.feed(SpeechChunk(samples: samples, sampleRate: sampleRate), start: start)
  }

  /// The listener has heard so many samples.
  func report(_ samples: Int) {
    state.withLock { $0.playback.report(samples, now: clock.now) }
  }

  /// No more sound follows.
  func end() {
    state.withLock { $0.playback.end() }
    face?.end()
  }

  /// Samples that the app has said were heard.
  var heard: Int { state.withLock { $0.playback.heard } }
  /// Whether all was heard.
  var isOver: Bool { state.withLock { $0.playback.isOver } }
  /// Whether it is complete.
  var isEnded: Bool { state.withLock { $0.playback.isEnded } }
  /// Whether it is complete, all but a moment of it was heard, and no more is told of it.
  var isForgotten: Bool { state.withLock { $0.playback.isForgotten(clock.now) } }
  /// Seconds that were heard by now; nil before the first report.
  var playhead: Double? {
    state.withLock { $0.playback.played(clock.now).map { Double($0) / Double(sampleRate) } }
  }
  /// Peak, 0...1, of what is heard now.
  var level: Float {
    guard let playhead else { return 0 }
    return state.withLock { $0.levels.level(at: playhead) }
  }
}
