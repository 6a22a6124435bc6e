import Testing

@testable import RunAnywhere

@Suite("Listening to a quiet room")
struct QuietListenerTests {
  /// Notes the first sample of each window that it is asked about.
  private final class Recorder: SpeechDetector {
    let windowSize = 512
    var heard: [Float] = []
    var answer: Float = 0.02
    func probability(_ window: [Float]) -> Float {
      heard.append(window[0])
      return answer
    }
    func reset() { heard = [] }
  }

  private let recorder = Recorder()

  /// A window whose level is that of a sine of that height, and whose first sample is its number.
  private func window(_ number: Int, height: Float) -> [Float] {
    [Float(number) * 1e-6] + (1..<512).map { $0.isMultiple(of: 2) ? height : -height }
  }

  @Test("after a second without speech every second window is looked at")
  func quiet() throws {
    let listener = QuietListener(recorder)
    for number in 0..<132 { #expect(try listener.probability(window(number, height: 0.001)) == 0.02) }
    #expect(recorder.heard.count == 32 + 50)
  }

  @Test("the window before the first louder one is caught up with, in order")
  func catchingUp() throws {
    for count in 40...41 {
      recorder.reset()
      let listener = QuietListener(recorder)
      for number in 0..<count { _ = try listener.probability(window(number, height: 0.001)) }
      recorder.answer = 0.9
      #expect(try listener.probability(window(count, height: 0.01)) == 0.9)
      #expect(
        recorder.heard.suffix(2) == [window(count - 1, height: 0.001)[0], window(count, height: 0.01)[0]])
      recorder.answer = 0.02
    }
  }

  @Test("speech, doubt and loud noise are heard whole")
  func whole() throws {
    for (height, answer) in [(Float(0.001), Float(0.3)), (0.01, 0.02), (0.2, 0.9)] {
      recorder.reset()
      recorder.answer = answer
      let listener = QuietListener(recorder)
      for number in 0..<100 { _ = try listener.probability(window(number, height: height)) }
      #expect(recorder.heard.count == 100)
    }
  }

  @Test("after a reset it listens to every window again")
  func reset() throws {
    let listener = QuietListener(recorder)
    for number in 0..<50 { _ = try listener.probability(window(number, height: 0.001)) }
    listener.reset()
    for number in 0..<32 { _ = try listener.probability(window(number, height: 0.001)) }
    #expect(recorder.heard.count == 32)
  }
}
