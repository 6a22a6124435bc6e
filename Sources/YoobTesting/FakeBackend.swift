import VoiceIO

/// A sound system that a test plays by hand.
package final class FakeBackend: DuplexBackend {
  package struct State {
    package var client: DuplexClient?
    package var openings = 0
    package var closings = 0
    package var flushes = 0
    package var fault: AudioDeviceError?
    package var fallsBack: [Bool] = []
    package var latency: Double? = 0
    /// Whether the next wish to hear the user is refused, or needs the streams opened again.
    package var capturePermission: CapturePermission?
  }
  package enum CapturePermission { case refused, reopens }
  package let state = Guarded(State())

  package init() {}

  package func open(_ client: DuplexClient, captureRate: Int, mayFallBack: Bool) throws -> OpenedDevices {
    try state.withLock { state in
      state.fallsBack.append(mayFallBack)
      if let fault = state.fault { throw fault }
      state.openings += 1
      state.client = client
      return OpenedDevices(microphone: "Mic \(state.openings)", loudspeaker: "Speaker")
    }
  }
  package func close() {
    state.withLock { state in
      state.closings += 1
      state.client = nil
    }
  }
  package func flush() { state.withLock { $0.flushes += 1 } }
  package func withOutputLatency<Result>(_ body: (Double?) -> Result) -> Result {
    body(state.withLock { $0.latency })
  }

  package func allowCapture() throws -> Bool {
    try state.withLock { state in
      switch state.capturePermission {
      case .refused: throw AudioDeviceError.notPermitted
      case .reopens:
        state.capturePermission = nil
        return state.client != nil
      case nil: return false
      }
    }
  }

  package var client: DuplexClient? { state.withLock { $0.client } }

  /// One frame of 10 ms from the microphone.
  package func capture(_ value: Float = 0) { client?.capture([Float](repeating: value, count: 160), 0.01) }
}
