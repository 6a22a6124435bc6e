import VoiceAudio
import VoiceIO

/// What is said, as text on standard error, and on a terminal how loud the microphone hears.
final class Captions: Sendable {
  private struct State {
    var isMeterShown = false
    var isAtLineStart = true
  }
  private let isQuiet: Bool
  private let state = Guarded(State())

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  func write(_ text: String) {
    guard !isQuiet, !text.isEmpty else { return }
    state.withLock { state in
      hideMeter(&state)
      Console.write(text, to: 2)
      state.isAtLineStart = text.hasSuffix("\n")
    }
  }

  /// Draws the meter, unless a line of text is open. `peak` is a magnitude, 0...1.
  func showMeter(peak: Float) {
    guard !isQuiet, Console.isInteractive else { return }
    state.withLock { state in
      guard state.isAtLineStart else { return }
      Console.write("\r\u{1B}[K" + Self.meter(peak), to: 2)
      state.isMeterShown = true
    }
  }

  /// Takes the meter away.
  func close() { state.withLock { hideMeter(&$0) } }

  private func hideMeter(_ state: inout State) {
    if state.isMeterShown { Console.write("\r\u{1B}[K", to: 2) }
    state.isMeterShown = false
  }

  /// Twenty cells from -60 dB to full scale.
  private static func meter(_ peak: Float) -> String {
    let cells = Int(max(0, min(20, (Level.dBFS(peak) + 60) / 3)))
    return String(repeating: "█", count: cells) + String(repeating: "░", count: 20 - cells)
  }
}
