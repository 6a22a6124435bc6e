/// What a `DuplexDevice` gives its backend to call, from one thread of it, inside its lock.
package struct DuplexClient: Sendable {
  /// Takes captured samples; `age` is how many seconds ago the first of them reached the microphone.
  package var capture: @Sendable (_ samples: [Float], _ age: Double) -> Void
  /// Gives the next `count` samples to play; `latency` as in `withOutputLatency`.
  package var render: @Sendable (_ count: Int) -> [Float]
  /// The system moved a stream to another device.
  package var moved: @Sendable (OpenedDevices) -> Void
  /// The streams are dead.
  package var lost: @Sendable (AudioDeviceError) -> Void
}

/// The names of what was opened.
package struct OpenedDevices: Sendable, Equatable {
  package var microphone: String
  package var loudspeaker: String

  package init(microphone: String, loudspeaker: String) {
    self.microphone = microphone
    self.loudspeaker = loudspeaker
  }
}

/// A platform's sound system, as one microphone and one loudspeaker that run from `open` to `close`.
package protocol DuplexBackend: Sendable {
  /// Opens both, capture at `captureRate` and playback at `DuplexDevice.outputRate`, mono. With
  /// `mayFallBack` a named device that is missing is replaced by the default one.
  func open(_ client: DuplexClient, captureRate: Int, mayFallBack: Bool) throws -> OpenedDevices
  /// Ends both and waits for calls at work. Idempotent.
  func close()
  /// Drops rendered samples that were not heard yet.
  func flush()
  /// Runs `body` while nothing is rendered, with the seconds from the last rendered sample to the
  /// ear, or nil while they are not known.
  func withOutputLatency<Result>(_ body: (Double?) -> Result) -> Result
  /// Asks whether the user may be heard, where the system wants that asked, and waits for the answer. Returns
  /// whether the streams must be opened again for that. Throws `AudioDeviceError.notPermitted`.
  func allowCapture() throws -> Bool
}

extension DuplexBackend {
  package func allowCapture() throws -> Bool { false }
}
