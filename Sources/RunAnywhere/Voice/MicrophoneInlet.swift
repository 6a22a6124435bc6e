import VoiceAudio
import VoiceIO

/// The edge from the microphone to voice activity detection: keeps the newest second, drops the
/// oldest and counts what it drops.
final class MicrophoneInlet: Sendable {
  struct Arrival: Sendable {
    var frame: AudioFrame
    /// Time on the session's clock at which the frame's last sample arrived.
    var time: Double
  }
  private struct State {
    var arrivals: [Arrival] = []
    var seconds = 0.0
    var dropped = 0
    var isSignalled = false
  }
  private let capacity: Double
  private let state = Guarded(State())

  /// `capacity` in seconds.
  init(capacity: Double = 1) { self.capacity = capacity }

  /// Takes a frame in. Returns whether the reader must be woken.
  func push(_ frame: AudioFrame, time: Double) -> Bool {
    guard !frame.samples.isEmpty, frame.sampleRate > 0 else { return false }
    return state.withLock { state in
      let newest = newestPart(of: frame, dropped: &state.dropped)
      state.arrivals.append(Arrival(frame: newest, time: time))
      state.seconds += Self.length(newest)
      while state.seconds > capacity + 1e-9, state.arrivals.count > 1 {
        let oldest = state.arrivals.removeFirst().frame
        state.seconds -= Self.length(oldest)
        state.dropped += oldest.samples.count
      }
      defer { state.isSignalled = true }
      return !state.isSignalled
    }
  }

  /// All that waits, and the samples dropped since the last call.
  func take() -> (arrivals: [Arrival], dropped: Int) {
    state.withLock { state in
      defer { state = State() }
      return (state.arrivals, state.dropped)
    }
  }

  private func newestPart(of frame: AudioFrame, dropped: inout Int) -> AudioFrame {
    let room = Int(capacity * Double(frame.sampleRate))
    let excess = frame.samples.count - room
    guard excess > 0 else { return frame }
    dropped += excess
    return AudioFrame(
      samples: Array(frame.samples.suffix(room)), sampleRate: frame.sampleRate,
      position: frame.position + excess)
  }

  private static func length(_ frame: AudioFrame) -> Double {
    Double(frame.samples.count) / Double(frame.sampleRate)
  }
}
