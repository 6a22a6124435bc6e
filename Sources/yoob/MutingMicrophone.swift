import VoiceAudio
import VoiceIO

/// A microphone that gives silence while it is muted, in step with what it would give.
final class MutingMicrophone: ObservableMicrophone {
  private let inner: DuplexDevice
  private let muted = Guarded(false)

  init(_ inner: DuplexDevice) { self.inner = inner }

  /// Whether nothing of what is said is handed on.
  var isMuted: Bool {
    get { muted.withLock { $0 } }
    set { muted.withLock { $0 = newValue } }
  }

  func start(_ deliver: @escaping @Sendable (AudioFrame) -> Void) throws {
    try inner.start { [muted] frame in
      guard muted.withLock({ $0 }) else { return deliver(frame) }
      deliver(
        AudioFrame(
          samples: [Float](repeating: 0, count: frame.samples.count), sampleRate: frame.sampleRate,
          position: frame.position))
    }
  }

  func stop() { inner.stop() }

  func observe(_ report: (@Sendable (DeviceChange) -> Void)?) { inner.observe(report) }
}
