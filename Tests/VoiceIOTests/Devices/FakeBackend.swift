@testable import VoiceIO

/// A sound system that a test plays by hand.
final class FakeBackend: DuplexBackend {
  struct State {
    var client: DuplexClient?
    var openings = 0
    var closings = 0
    var flushes = 0
    var fault: AudioDeviceError?
    var fallsBack: [Bool] = []
    var latency: Double? = 0
  }
  let state = Guarded(State())

  func open(_ client: DuplexClient, captureRate: Int, mayFallBack: Bool) throws -> OpenedDevices {
    try state.withLock { state in
      state.fallsBack.append(mayFallBack)
      if let fault = state.fault { throw fault }
      state.openings += 1
      state.client = client
      return OpenedDevices(microphone: "Mic \(state.openings)", loudspeaker: "Speaker")
    }
  }
  func close() {
    state.withLock { state in
      state.closings += 1
      state.client = nil
    }
  }
  func flush() { state.withLock { $0.flushes += 1 } }
  func withOutputLatency<Result>(_ body: (Double?) -> Result) -> Result {
    body(state.withLock { $0.latency })
  }

  var client: DuplexClient? { state.withLock { $0.client } }

  /// One frame of 10 ms from the microphone.
  func capture(_ value: Float = 0) { client?.capture([Float](repeating: value, count: 160), 0.01) }
}

/// Lets other work go on until `isMet`; false when five minutes have passed.
func eventually(_ isMet: () -> Bool) async -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(300)
  while !isMet() {
    guard clock.now < deadline else { return false }
    try? await clock.sleep(for: .milliseconds(5))
  }
  return true
}
