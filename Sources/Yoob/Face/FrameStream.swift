import Dispatch
import VoiceIO

/// Frames at a steady rate for one reader, drawn on a thread of their own; a reader that is late finds the
/// newest.
final class FrameStream: Sendable {
  private struct State {
    var isRunning = true
    var timer: ClockTimer?
    /// Number of the frame that is due next.
    var next = 0
  }

  private let draw: @Sendable (Double) -> YoobFrame
  private let onFrames: @Sendable (_ shown: Int, _ skipped: Int) -> Void
  private let clock: any PacingClock
  private let origin: Double
  private let rate: Double
  private let state = Guarded(State())
  private let queue = DispatchQueue(label: "yoob.frames", qos: .userInteractive)
  private let send: AsyncStream<YoobFrame>.Continuation

  /// A stream that has not begun, and what is drawn: only the reader has that, so that its end is seen. `draw` is asked for the frame of a time on `clock`; `onFrames` is told what was shown and left out.
  static func make(
    rate: Double, clock: any PacingClock, draw: @escaping @Sendable (Double) -> YoobFrame,
    onFrames: @escaping @Sendable (Int, Int) -> Void
  ) -> (stream: FrameStream, frames: AsyncStream<YoobFrame>) {
    let (frames, send) = AsyncStream<YoobFrame>.makeStream(bufferingPolicy: .bufferingNewest(1))
    return (FrameStream(rate, clock, send, draw, onFrames), frames)
  }

  private init(
    _ rate: Double, _ clock: any PacingClock, _ send: AsyncStream<YoobFrame>.Continuation,
    _ draw: @escaping @Sendable (Double) -> YoobFrame, _ onFrames: @escaping @Sendable (Int, Int) -> Void
  ) {
    self.send = send
    self.rate = rate
    self.clock = clock
    self.draw = draw
    self.onFrames = onFrames
    origin = clock.now
  }

  deinit { send.finish() }

  /// Whether somebody still reads.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Begins to draw; ends with the reader or with `stop()`.
  func start() {
    send.onTermination = { [weak self] _ in self?.stop() }
    schedule()
  }

  /// No more frames. Idempotent.
  func stop() {
    let timer = state.withLock { state in
      state.isRunning = false
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
    send.finish()
  }

  private func schedule() {
    let due: Double? = state.withLock { $0.isRunning ? origin + Double($0.next) / rate : nil }
    guard let due else { return }
    let timer = clock.schedule(at: due) { [weak self] in
      guard let self else { return }
      queue.async { self.show() }
    }
    state.withLock { state in
      if state.isRunning { state.timer = timer } else { timer.cancel() }
    }
  }

  private func show() {
    guard state.withLock({ $0.isRunning }) else { return }
    let frame = draw(clock.now)
    // A frame nobody took was not shown.
    var lost = 0
    if case .dropped = send.yield(frame) { lost = 1 }
    let late = state.withLock { state in
      let wanted = Int((clock.now - origin) * rate) + 1
      defer { state.next = max(state.next + 1, wanted) }
      return max(0, wanted - state.next - 1)
    }
    onFrames(1 - lost, lost + late)
    schedule()
  }
}
