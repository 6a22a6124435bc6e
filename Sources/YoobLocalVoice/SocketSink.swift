import VoiceAudio
import VoiceIO

/// Speech on its way to a remote listener: sent ahead of time in short pieces, at most about two
/// seconds ahead of a loudspeaker that began with the first of them.
final class SocketSink: PausableSpeechSink {
  /// Rate of the sound that is sent.
  static let wireRate = 24_000
  /// Milliseconds of a piece.
  static let pieceMs = 200

  /// What happens to an utterance; utterances are numbered from 1.
  enum Event: Sendable, Equatable {
    case began(utterance: Int, sampleRate: Int)
    /// Mono PCM16, little-endian, at `wireRate`.
    case audio(utterance: Int, pcm: [UInt8])
    /// 100 frames of 15 weights a second, from `startMs` on.
    case visemes(utterance: Int, startMs: Int, frames: [[Float]])
    /// Pitch and marks from `startMs` on.
    case prosody(utterance: Int, startMs: Int, SpeechProsody)
    /// The listener is to hold the sound, or to go on with it.
    case held(utterance: Int, Bool)
    /// All was heard.
    case finished(utterance: Int)
    case interrupted(utterance: Int)
  }

  /// Mouth frames of a chunk, 100 a second, from its phones.
  typealias VisemeMaker =
    @Sendable (_ phones: [PhoneTiming], _ sampleCount: Int, _ sampleRate: Int) -> [[Float]]

  private struct State {
    var utterance = 0
    var sampleRate = SocketSink.wireRate
    var isOpen = false
    /// Samples of the utterance that were written.
    var written = 0
    var resampler: StreamingResampler?
  }

  private let pacer: CallbackSink
  private let state: Guarded<State>
  private let visemes: VisemeMaker?
  private let wantsProsody: @Sendable () -> Bool
  private let emit: @Sendable (Event) -> Void

  /// `emit` is called in order and must not block. `visemes` nil sends no mouth frames; `canPause` tells
  /// whether the listener heeds `held`.
  init(
    clock: any PacingClock = MonotonicClock(), visemes: VisemeMaker?,
    wantsProsody: @escaping @Sendable () -> Bool = { false },
    canPause: @escaping @Sendable () -> Bool = { false },
    emit: @escaping @Sendable (Event) -> Void
  ) {
    let state = Guarded(State())
    self.state = state
    self.visemes = visemes
    self.wantsProsody = wantsProsody
    self.emit = emit
    pacer = CallbackSink(clock: clock, canPause: canPause) { event in Self.take(event, state, emit) }
  }

  private static func take(
    _ event: CallbackSink.Event, _ state: Guarded<State>, _ emit: @Sendable (Event) -> Void
  ) {
    switch event {
    case .began(let utterance, let sampleRate):
      state.withLock { state in
        state = State(utterance: utterance, sampleRate: sampleRate, isOpen: true)
        if sampleRate != wireRate {
          state.resampler = StreamingResampler(from: sampleRate, to: wireRate)
        }
      }
      emit(.began(utterance: utterance, sampleRate: sampleRate))
    case .chunk(let utterance, let chunk):
      let samples = state.withLock { state in
        state.written += chunk.samples.count
        return state.resampler?.process(chunk.samples) ?? chunk.samples
      }
      if !samples.isEmpty { emit(.audio(utterance: utterance, pcm: PCM16.encode(samples))) }
    case .paused(let utterance, _): emit(.held(utterance: utterance, true))
    case .resumed(let utterance): emit(.held(utterance: utterance, false))
    case .finished(let utterance, _):
      state.withLock { $0.isOpen = false }
      emit(.finished(utterance: utterance))
    case .interrupted(let utterance, _):
      state.withLock { $0.isOpen = false }
      emit(.interrupted(utterance: utterance))
    }
  }

  func begin(sampleRate: Int) async { await pacer.begin(sampleRate: sampleRate) }

  func write(_ chunk: SpeechChunk) async {
    let (utterance, rate, start) = state.withLock { ($0.utterance, $0.sampleRate, $0.written) }
    if let visemes {
      let frames = visemes(chunk.phones, chunk.samples.count, rate)
      pacer.inOrder {
        guard !frames.isEmpty, isOpen(utterance) else { return }
        emit(.visemes(utterance: utterance, startMs: start * 1000 / rate, frames: frames))
      }
    }
    let prosody = wantsProsody() ? chunk.prosody : nil
    if let prosody, !prosody.isEmpty {
      pacer.inOrder {
        guard isOpen(utterance) else { return }
        emit(.prosody(utterance: utterance, startMs: start * 1000 / rate, prosody))
      }
    }
    let size = max(1, rate * Self.pieceMs / 1000)
    var place = 0
    while place < chunk.samples.count, isOpen(utterance), !Task.isCancelled {
      let end = min(place + size, chunk.samples.count)
      await pacer.write(SpeechChunk(samples: Array(chunk.samples[place..<end]), sampleRate: rate))
      place = end
    }
  }

  private func isOpen(_ utterance: Int) -> Bool {
    state.withLock { $0.isOpen && $0.utterance == utterance }
  }

  func finish() async {
    pacer.inOrder {
      let rest: (utterance: Int, samples: [Float])? = state.withLock { state in
        guard state.isOpen, let samples = state.resampler?.finish(), !samples.isEmpty else { return nil }
        return (state.utterance, samples)
      }
      if let rest { emit(.audio(utterance: rest.utterance, pcm: PCM16.encode(rest.samples))) }
    }
    await pacer.finish()
  }

  @discardableResult func interrupt() -> Int { pacer.interrupt() }

  var canPause: Bool { pacer.canPause }

  @discardableResult func pause() -> Int { pacer.pause() }

  func resume() { pacer.resume() }

  var playedSamples: Int { pacer.playedSamples }
}
