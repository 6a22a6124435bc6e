import VoiceAudio
import VoiceIO

/// What is said, as text on standard error; on a terminal also what is being typed, and how loud the
/// microphone hears.
final class Captions: Sendable {
  private struct State {
    var screen = CaptionScreen()
    var isOpen = true
  }
  private let isQuiet: Bool
  private let state = Guarded(State())

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  /// Whether there is a terminal to draw on.
  var isDrawn: Bool { !isQuiet && Console.isInteractive }

  func write(_ text: String) {
    guard !isQuiet, !text.isEmpty else { return }
    guard isDrawn else { return state.withLock { _ in _ = Console.write(text, to: 2) } }
    draw { $0.write(Console.plain(text), width: Console.width) }
  }

  /// Draws the meter, unless something is being typed. `peak` is a magnitude, 0...1.
  func showMeter(peak: Float) {
    guard isDrawn else { return }
    draw { $0.setMeter(Self.meter(peak), width: Console.width) }
  }

  /// Draws what has been typed of a line; "" when it was sent.
  func showTyped(_ text: String) {
    guard isDrawn else { return }
    draw { $0.setTyped(Console.plain(text), width: Console.width) }
  }

  /// Takes away what is drawn below the captions, for good.
  func close() {
    guard isDrawn else { return }
    draw { $0.setTyped("", width: Console.width) + $0.setMeter("", width: Console.width) }
    state.withLock { $0.isOpen = false }
  }

  private func draw(_ change: (inout CaptionScreen) -> String) {
    state.withLock { state in
      guard state.isOpen else { return }
      Console.write(change(&state.screen), to: 2)
    }
  }

  /// Twenty cells from -60 dB to full scale.
  private static func meter(_ peak: Float) -> String {
    let cells = Int(max(0, min(20, (Level.dBFS(peak) + 60) / 3)))
    return String(repeating: "█", count: cells) + String(repeating: "░", count: 20 - cells)
  }
}
