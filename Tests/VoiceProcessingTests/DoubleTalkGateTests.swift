import Testing
import VoiceAudio

@testable import VoiceProcessing

/// Frames of 10 ms whose powers are as said, in decibels.
@Suite("Speech over the loudspeaker")
struct DoubleTalkGateTests {
  private static let count = 160

  private func frame(_ decibels: Float) -> [Float] {
    let level = PureMath.exp(decibels / 8.685_889_6)
    return (0..<Self.count).map { $0.isMultiple(of: 2) ? level : -level }
  }

  /// Whether the gate is open after so many frames, and what came out of the last.
  @discardableResult
  private func run(
    _ gate: inout DoubleTalkGate, frames: Int, heard: Float, left: Float, far: Float = -20,
    suppressed: Float? = nil
  ) -> [Float] {
    var cleaned: [Float] = []
    for _ in 0..<frames {
      cleaned = suppressed.map(frame) ?? [Float](repeating: 0, count: Self.count)
      gate.process(heard: frame(heard), linear: frame(left), far: frame(far), cleaned: &cleaned)
    }
    return cleaned
  }

  /// A gate that has learned that 18 dB of the echo are taken out, in a quiet room.
  private func learned() -> DoubleTalkGate {
    var gate = DoubleTalkGate()
    run(&gate, frames: 200, heard: -62, left: -62, far: -100)
    run(&gate, frames: 500, heard: -20, left: -38)
    return gate
  }

  @Test("the echo alone never opens it, nor noise, nor a filter that knows nothing yet")
  func closed() {
    var gate = learned()
    for left in stride(from: Float(-45), through: -32, by: 1) {
      let output = run(&gate, frames: 100, heard: -20, left: left)
      #expect(!gate.isOpen)
      #expect(output.allSatisfy { $0 == 0 })
    }
    run(&gate, frames: 300, heard: -62, left: -62)
    #expect(!gate.isOpen)
    var new = DoubleTalkGate()
    run(&new, frames: 150, heard: -20, left: -20)
    #expect(!new.isOpen)
  }

  @Test("the first two seconds of the loudspeaker let nothing through, later ones do")
  func deafStart() {
    var gate = DoubleTalkGate()
    func output(_ far: Float) -> [Float] {
      var cleaned = frame(-40)
      gate.process(heard: frame(-20), linear: frame(-30), far: frame(far), cleaned: &cleaned)
      return cleaned
    }
    #expect(output(-100) == frame(-40))
    let first = (0..<199).map { _ in output(-20) }
    #expect(first.allSatisfy { $0.allSatisfy { $0 == 0 } })
    #expect(output(-20) == frame(-40))
  }

  @Test("a user as loud as the echo opens it within 100 ms and is heard as the filter gives it")
  func opens() {
    var gate = learned()
    let output = run(&gate, frames: 10, heard: -17, left: -20)
    #expect(gate.isOpen)
    #expect(output == frame(-20))
  }

  @Test("after a user who led the filter astray it takes the suppressor's word too, until the filter is back")
  func suspicion() {
    var gate = learned()
    run(&gate, frames: 60, heard: -17, left: -20)
    run(&gate, frames: 150, heard: -62, left: -62, far: -100)
    run(&gate, frames: 60, heard: -20, left: -28, suppressed: -67)
    #expect(!gate.isOpen)
    var interrupted = gate
    run(&interrupted, frames: 10, heard: -17, left: -20, suppressed: -30)
    #expect(interrupted.isOpen)
    run(&gate, frames: 200, heard: -20, left: -38, suppressed: -67)
    #expect(!gate.isOpen)
    run(&gate, frames: 10, heard: -17, left: -20, suppressed: -67)
    #expect(gate.isOpen)
  }

  @Test("it stays open for all of a long speech, and closes after it")
  func staysOpen() {
    var gate = learned()
    run(&gate, frames: 10, heard: -17, left: -20)
    for _ in 0..<40 {
      run(&gate, frames: 25, heard: -17, left: -20)
      #expect(gate.isOpen)
    }
    run(&gate, frames: 80, heard: -20, left: -38)
    #expect(!gate.isOpen)
  }

  @Test("while the loudspeaker is silent the suppressed sound is left alone")
  func withoutEcho() {
    var gate = learned()
    run(&gate, frames: 100, heard: -62, left: -62, far: -100)
    let output = run(&gate, frames: 100, heard: -20, left: -20, far: -100)
    #expect(output.allSatisfy { $0 == 0 })
  }

  @Test("the user is as loud through it as without it")
  func gain() {
    var gate = learned()
    run(&gate, frames: 100, heard: -62, left: -62, far: -100)
    // The gain control makes a user who speaks alone 12 dB louder.
    for _ in 0..<600 {
      var cleaned = frame(-18)
      gate.process(heard: frame(-30), linear: frame(-30), far: frame(-100), cleaned: &cleaned)
    }
    run(&gate, frames: 300, heard: -20, left: -38)
    let output = run(&gate, frames: 20, heard: -19, left: -26)
    #expect(abs(Level(output).dBFS - -14) < 1)
  }

  @Test("broken numbers do no lasting harm")
  func brokenNumbers() {
    var gate = learned()
    for value in [Float.nan, .infinity, -.infinity, 1e30] {
      var cleaned = frame(-20)
      let broken = [Float](repeating: value, count: Self.count)
      gate.process(heard: broken, linear: broken, far: broken, cleaned: &cleaned)
      gate.process(heard: frame(-20), linear: frame(-38), far: frame(-20), cleaned: &cleaned)
    }
    run(&gate, frames: 400, heard: -20, left: -38)
    #expect(!gate.isOpen)
    run(&gate, frames: 10, heard: -17, left: -20)
    #expect(gate.isOpen)
  }
}
