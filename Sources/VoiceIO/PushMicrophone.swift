import VoiceAudio

/// A microphone whose sound is pushed in, such as from a socket. Any rate; it may change.
public final class PushMicrophone: Microphone {
  private struct State {
    var deliver: (@Sendable (AudioFrame) -> Void)?
    var position = 0
    var sampleRate = 0
  }
  private let state = Guarded(State())
  private let order = Guarded(())  // one delivery at a time, and none begins after `stop`

  /// Sound may come in large pieces, faster than it was spoken: one minute.
  public var backlogSeconds: Double { 60 }

  /// A microphone that hears what is pushed into it.
  public init() {}

  public func start(_ deliver: @escaping @Sendable (AudioFrame) -> Void) throws {
    state.withLock { state in
      guard state.deliver == nil else { return }
      state.deliver = deliver
      state.position = 0
    }
  }

  public func stop() { state.withLock { $0.deliver = nil } }

  /// Hands `samples` (mono, -1...1) on; dropped while the microphone is closed.
  public func push(_ samples: [Float], sampleRate: Int) {
    guard !samples.isEmpty, sampleRate > 0 else { return }
    order.withLock { _ in
      let next: ((@Sendable (AudioFrame) -> Void), AudioFrame)? = state.withLock { state in
        guard let deliver = state.deliver else { return nil }
        if sampleRate != state.sampleRate {
          state.sampleRate = sampleRate
          state.position = 0
        }
        defer { state.position += samples.count }
        return (
          deliver, AudioFrame(samples: samples, sampleRate: sampleRate, position: state.position)
        )
      }
      if let (deliver, frame) = next { deliver(frame) }
    }
  }
}
