import VoiceAudio

/// A clip as a microphone: played once in real time, in frames of 32 ms, then silence.
public final class FileMicrophone: Microphone {
  private struct State {
    var deliver: (@Sendable (AudioFrame) -> Void)?
    var startTime: Double?
    var position = 0
    var timer: ClockTimer?
  }
  /// Two of them are a window of voice activity detection at 16 kHz, which waits for none of its samples.
  private let frameSize: Int
  private let clip: AudioClip
  private let end: Int?
  private let clock: any PacingClock
  private let state = Guarded(State())
  private let order = Guarded(())  // one delivery at a time
  private let finished = OneShot()

  /// `tail` is the silence after the clip in seconds; nil goes on until `stop()`.
  public init(_ clip: AudioClip, tail: Double? = nil, clock: any PacingClock = MonotonicClock()) {
    self.clip = clip
    self.clock = clock
    frameSize = max(1, clip.sampleRate * 4 / 125)
    end = tail.map { clip.samples.count + Int(max(0, $0) * Double(clip.sampleRate)) }
  }

  /// Time on the clock of the first sample; nil before `start`.
  public var startTime: Double? { state.withLock { $0.startTime } }

  /// Returns when the clip and its tail were delivered, or the microphone was stopped.
  public func waitUntilFinished() async { await finished.value() }

  public func start(_ deliver: @escaping @Sendable (AudioFrame) -> Void) throws {
    let isNew = state.withLock { state in
      guard state.startTime == nil else { return false }
      state.deliver = deliver
      state.startTime = clock.now
      return true
    }
    if isNew { scheduleNext() }
  }

  public func stop() {
    let timer = state.withLock { state in
      state.deliver = nil
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
    finished.fire()
  }

  /// A frame is due when its last sample has sounded.
  private func scheduleNext() {
    let due: Double? = state.withLock { state in
      guard state.deliver != nil, let startTime = state.startTime else { return nil }
      return startTime + Double(state.position + frameSize) / Double(max(1, clip.sampleRate))
    }
    guard let due else { return }
    let timer = clock.schedule(at: due) { [weak self] in self?.deliverFrame() }
    state.withLock { state in
      if state.deliver == nil { timer.cancel() } else { state.timer = timer }
    }
  }

  private func deliverFrame() {
    let isOver = order.withLock { _ in
      let next: ((@Sendable (AudioFrame) -> Void), AudioFrame)? = state.withLock { state in
        guard let deliver = state.deliver else { return nil }
        let count = frameSize
        let position = state.position
        var samples = Array(clip.samples.dropFirst(position).prefix(count))
        samples += [Float](repeating: 0, count: count - samples.count)
        state.position += count
        return (
          deliver, AudioFrame(samples: samples, sampleRate: clip.sampleRate, position: position)
        )
      }
      guard let (deliver, frame) = next else { return true }
      deliver(frame)
      guard let end else { return false }
      return frame.position + frame.samples.count >= end
    }
    if isOver { finished.fire() } else { scheduleNext() }
  }
}
