import VoiceAudio
import VoiceIO

/// The edge from the microphone to voice activity detection: keeps the newest seconds, drops the
/// oldest and counts what it drops.
final class MicrophoneInlet: Sendable {
  struct Arrival: Sendable {
    var frame: AudioFrame
    /// Time on the session's clock at which the frame's last sample arrived, or would have if sound
    /// that came at once had come at its own pace.
    var time: Double
  }
  /// What `take` finds.
  struct Backlog: Sendable {
    var arrivals: [Arrival] = []
    /// Samples that were lost before the first arrival, at the microphone's rate.
    var dropped = 0
    /// Seconds of them.
    var droppedSeconds = 0.0
  }
  private struct State {
    var backlog = Backlog()
    var seconds = 0.0
    var isSignalled = false
    /// The position that the next frame has when none was lost on its way, at its rate.
    var next: (position: Int, sampleRate: Int)?
  }
  /// Seconds of the longest piece that is kept or dropped as one.
  private static let pieceSeconds = 0.1
  private let capacity: Double
  private let state = Guarded(State())

  /// `capacity` in seconds.
  init(capacity: Double = 1) { self.capacity = max(Self.pieceSeconds, capacity) }

  /// Takes a frame in. Returns whether the reader must be woken.
  func push(_ frame: AudioFrame, time: Double) -> Bool {
    guard !frame.samples.isEmpty, frame.sampleRate > 0 else { return false }
    let pieces = Self.pieces(of: frame, time: time)
    return state.withLock { state in
      if let next = state.next, next.sampleRate == frame.sampleRate, frame.position > next.position {
        // The device dropped these itself, because nobody took them in time.
        state.backlog.dropped += frame.position - next.position
        state.backlog.droppedSeconds +=
          Double(frame.position - next.position) / Double(frame.sampleRate)
      }
      state.next = (frame.position + frame.samples.count, frame.sampleRate)
      state.backlog.arrivals += pieces
      state.seconds += Self.length(frame)
      var count = 0
      while state.seconds > capacity + 1e-9, count < state.backlog.arrivals.count - 1 {
        let oldest = state.backlog.arrivals[count].frame
        state.seconds -= Self.length(oldest)
        state.backlog.dropped += oldest.samples.count
        state.backlog.droppedSeconds += Self.length(oldest)
        count += 1
      }
      state.backlog.arrivals.removeFirst(count)
      defer { state.isSignalled = true }
      return !state.isSignalled
    }
  }

  /// All that waits, and what was dropped since the last call.
  func take() -> Backlog {
    state.withLock { state in
      defer { state = State(next: state.next) }
      return state.backlog
    }
  }

  private static func pieces(of frame: AudioFrame, time: Double) -> [Arrival] {
    let size = max(1, Int(pieceSeconds * Double(frame.sampleRate)))
    let count = frame.samples.count
    guard count > size else { return [Arrival(frame: frame, time: time)] }
    return stride(from: 0, to: count, by: size).map { start in
      let end = min(start + size, count)
      return Arrival(
        frame: AudioFrame(
          samples: Array(frame.samples[start..<end]), sampleRate: frame.sampleRate,
          position: frame.position + start),
        time: time - Double(count - end) / Double(frame.sampleRate))
    }
  }

  private static func length(_ frame: AudioFrame) -> Double {
    Double(frame.samples.count) / Double(frame.sampleRate)
  }
}
