import VoiceAudio
import VoiceIO

/// Turns what a microphone delivers into packets, on its own thread.
final class MicrophoneFeed: Sendable {
  /// Seconds between two levels.
  static let levelInterval = 0.05
  /// Samples of a packet: 20 ms.
  static let packet = 480

  private struct State {
    var resampler = StreamingResampler(from: 16_000, to: YoobMicrophone.sampleRate)
    var waiting: [Float] = []
    var isMuted = false
    var isOpen = false
    var nextLevel = 0.0
    var readers: [Int: @Sendable ([UInt8]) -> Void] = [:]
  }
  private let state = Guarded(State())
  private let order = Guarded(())  // packets leave in their order, and none after the mute
  private let clock: any PacingClock
  private let onLevel: @Sendable (Float) -> Void

  /// `onLevel` is called twenty times a second at most.
  init(clock: any PacingClock, onLevel: @escaping @Sendable (Float) -> Void) {
    self.clock = clock
    self.onLevel = onLevel
  }

  /// Begins with nothing that waits.
  func open() {
    state.withLock { state in
      state.isOpen = true
      state.waiting = []
      state.resampler.reset()
      state.nextLevel = 0
    }
  }

  /// Nothing is handed on any more.
  func close() { state.withLock { $0.isOpen = false } }

  var isMuted: Bool {
    get { state.withLock { $0.isMuted } }
    set {
      order.withLock { _ in
        state.withLock { state in
          state.isMuted = newValue
          state.waiting = []
        }
      }
    }
  }

  /// Calls `reader` with every packet, in place of an older one of that number; nil ends that.
  func set(_ number: Int, _ reader: (@Sendable ([UInt8]) -> Void)?) {
    state.withLock { $0.readers[number] = reader }
  }

  /// Sound from the device.
  func take(_ frame: AudioFrame) {
    let now = clock.now
    order.withLock { _ in
      let (packets, readers, level) = state.withLock {
        state -> ([[UInt8]], [@Sendable ([UInt8]) -> Void], Float?) in
        guard state.isOpen else { return ([], [], nil) }
        var level: Float?
        if now >= state.nextLevel {
          state.nextLevel = now + Self.levelInterval
          level = state.isMuted ? 0 : min(1, Level(frame.samples).rms * 4)
        }
        guard !state.isMuted else { return ([], [], level) }
        if state.resampler.inputRate != frame.sampleRate {
          state.resampler = StreamingResampler(from: frame.sampleRate, to: YoobMicrophone.sampleRate)
        }
        state.waiting += state.resampler.process(frame.samples)
        let whole = state.waiting.count / Self.packet * Self.packet
        let packets = stride(from: 0, to: whole, by: Self.packet).map { start in
          PCM16.encode(Array(state.waiting[start..<start + Self.packet]))
        }
        state.waiting.removeFirst(whole)
        return (packets, Array(state.readers.values), level)
      }
      if let level { onLevel(level) }
      for packet in packets {
        for reader in readers { reader(packet) }
      }
    }
  }
}
