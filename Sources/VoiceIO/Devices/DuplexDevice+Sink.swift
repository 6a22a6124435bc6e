import VoiceAudio

extension DuplexDevice {
  /// Seconds of speech that may wait to be heard before `write` suspends.
  private static let maxQueued = 2.0

  public func begin(sampleRate: Int) async {
    interrupt()
    try? open()
    state.withLock { state in
      // Without devices an utterance is over as it begins; `events` says why.
      guard state.phase != .idle, state.phase != .closed else { return }
      state.output.begin(sampleRate: sampleRate)
      state.ended = OneShot()
    }
  }

  public func write(_ chunk: SpeechChunk) async {
    await wait(untilQueued: Self.maxQueued)
    _ = state.withLock { $0.output.append(chunk.samples) }
    await wait(untilQueued: Self.maxQueued)
  }

  public func finish() async {
    state.withLock { $0.output.complete() }
    await wait(untilQueued: 0)
    guard !Task.isCancelled else { return }
    endUtterance()
  }

  @discardableResult public func interrupt() -> Int {
    let wasOpen = endUtterance()
    if wasOpen { backend.flush() }
    return playedSamples
  }

  @discardableResult public func pause() -> Int {
    follow()
    let isNews = state.withLock { $0.output.hold() }
    if isNews { backend.flush() }
    return playedSamples
  }

  public func resume() {
    let changed: OneShot? = state.withLock { state in
      guard state.output.release() else { return nil }
      defer { state.ended = OneShot() }
      return state.ended
    }
    changed?.fire()  // those who wait look again
  }

  public var playedSamples: Int {
    follow()
    return state.withLock { $0.output.played }
  }

  /// Closes the open utterance at what was heard of it; false when none is open.
  @discardableResult func endUtterance() -> Bool {
    follow()
    let ended: OneShot? = state.withLock { state in
      guard state.output.isOpen else { return nil }
      state.output.end()
      return state.ended
    }
    ended?.fire()
    return ended != nil
  }

  func render(_ count: Int, generation: Int) -> [Float] {
    let now = clock.now
    return state.withLock { state in
      guard state.generation == generation else { return [Float](repeating: 0, count: count) }
      state.lastRender = now
      let samples = state.output.render(count)
      state.far.append(samples)
      state.outputPeak = max(state.outputPeak, Level(samples).peak)
      return samples
    }
  }

  /// Brings the heard position up to now.
  private func follow() {
    backend.withOutputLatency { latency in
      guard let latency else { return }
      state.withLock { state in
        guard state.phase == .running else { return }
        let heard = Double(state.output.rendered) - latency * Double(Self.outputRate)
        state.output.advance(toHeard: heard)
      }
    }
  }

  private func wait(untilQueued seconds: Double) async {
    while !Task.isCancelled {
      follow()
      let next: (excess: Double, ended: OneShot)? = state.withLock { state in
        let excess = state.output.queued - seconds
        guard state.output.isOpen, excess > 1e-9 else { return nil }
        return (excess, state.ended)
      }
      guard let next else { return }
      await clock.sleep(until: clock.now + max(0.01, min(next.excess, 0.5)), orOneOf: [next.ended])
    }
  }
}
